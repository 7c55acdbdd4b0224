// A Chromium for whole-page tests under `node --test`.
// - `npm test` starts one for all of them and names its address: a test then has a context of its own in it, as private as a
//   new profile, because each start takes seconds of CPU.
// - A test that runs by itself, or needs other flags, starts its own, as web-test-runner does.
import { connect, launch, type Browser } from 'puppeteer-core';
import { launchFlags, pageFlags } from './launch-flags.mjs';
import { chromiumWithWindows, obtainChromium } from './obtain-chromium.mjs';

/** Longer than a browser takes to start on a busy machine. */
const START_MS = 120_000;

/** The functions of a browser that a test uses. */
export interface OpenBrowser extends Pick<Browser, 'newPage' | 'createBrowserContext'> {
  close(): Promise<void>;
}

async function openContext(browserWSEndpoint: string): Promise<OpenBrowser> {
  const browser = await connect({ browserWSEndpoint });
  const own = await browser.createBrowserContext();
  const more: { close(): Promise<void>; readonly closed: boolean }[] = [];
  return {
    newPage: () => own.newPage(),
    async createBrowserContext(options) {
      const context = await browser.createBrowserContext(options);
      more.push(context);
      return context;
    },
    async close() {
      for (const context of [own, ...more]) if (!context.closed) await context.close();
      await browser.disconnect();
    },
  };
}

/** A browser that no other test uses. The caller closes it. `flags` are added to the common ones. */
export const openOwnBrowser = (
  flags: readonly string[] = [],
  executablePath = obtainChromium(console.error),
): Promise<Browser> =>
  launch({
    executablePath,
    headless: true,
    timeout: START_MS,
    args: [...launchFlags, ...pageFlags, ...flags],
  });

/** A Chromium with windows, because the headless shell has no back/forward cache. */
export const openBrowserWithWindows = (): Promise<Browser> => openOwnBrowser([], chromiumWithWindows());

/** A browser context as private as a new browser. The caller closes it. */
export function openBrowser(): Promise<OpenBrowser> {
  const shared = process.env.SIGN_TEST_BROWSER;
  return shared ? openContext(shared) : openOwnBrowser();
}
