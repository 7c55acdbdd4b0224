// `npm run test:firefox`: the browser tests in Firefox. Policy: the same tests, settings, proxy and sandbox as in Chromium;
// only the browser differs. It has a screen, because without one it has no WebGL. Not a part of `npm test`, whose time it
// would double.
import { chromeLauncher } from '@web/test-runner';
import { launch } from 'puppeteer-core';
import shared from '../../web-test-runner.config.mjs';
import { obtainFirefox } from './obtain-firefox.mjs';
import { startScreen } from './screen.mjs';

async function launchOnScreen(options) {
  const screen = await startScreen(console.log);
  const env = { ...process.env, DISPLAY: screen.display };
  const browser = await launch({ ...options, headless: false, env });
  browser.once('disconnected', () => void screen.close());
  return browser;
}

export default {
  ...shared,
  // On a busy machine Firefox takes long to begin.
  browserStartTimeout: 120_000,
  browsers: [
    // The launcher is puppeteer's, whichever browser that starts.
    chromeLauncher({
      puppeteer: { launch: launchOnScreen },
      launchOptions: {
        browser: 'firefox',
        executablePath: obtainFirefox(console.log),
        extraPrefsFirefox: {
          // A video may play without a click unless a test says otherwise, as in the Chromium of the tests.
          'media.autoplay.default': 0,
          'media.volume_scale': '0',
        },
      },
      concurrency: 1,
    }),
  ],
};
