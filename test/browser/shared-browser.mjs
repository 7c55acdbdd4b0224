// One Chromium for all node tests with pages (open-browser.ts), each of which has a context of its own in it.
import { launch } from 'puppeteer-core';
import { launchFlags, pageFlags } from './launch-flags.mjs';
import { obtainChromium } from './obtain-chromium.mjs';

/**
 * Has a browser as long as `use` runs.
 * @param {(env: { readonly SIGN_TEST_BROWSER: string }) => Promise<void>} use what tests need in their environment to find it
 */
export async function withBrowser(use) {
  const browser = await launch({
    executablePath: obtainChromium(console.error),
    headless: true,
    timeout: 120_000,
    args: [...launchFlags, ...pageFlags],
  });
  try {
    await use({ SIGN_TEST_BROWSER: browser.wsEndpoint() });
  } finally {
    await browser.close();
  }
}
