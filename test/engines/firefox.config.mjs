// `npm run test:firefox`: the browser tests in Firefox.
// - The same tests, settings, proxy and sandbox as in Chromium; only the browser differs.
// - Firefox gets a virtual screen, because without a screen it has no WebGL.
// - `npm test -- --all` runs a few of the files where Firefox is installed (run.mjs); all of them would double its time.
import { chromeLauncher } from '@web/test-runner';
import { launch } from 'puppeteer-core';
import shared, { allFiles, isFirstPart, pagesOf } from '../../web-test-runner.config.mjs';
import { obtainFirefox } from './obtain-firefox.mjs';
import { startScreen } from './screen.mjs';

async function launchOnScreen(options) {
  const screen = await startScreen(console.log);
  const env = { ...process.env, DISPLAY: screen.display };
  const browser = await launch({ ...options, headless: false, env });
  browser.once('disconnected', () => void screen.close());
  return browser;
}

/** Brings the page to the front for each file, because a window of an earlier file may have taken the focus. */
async function createPage({ browser }) {
  const page = await browser.newPage();
  const { goto } = page;
  page.goto = async (...args) => {
    await page.bringToFront();
    return goto.apply(page, args);
  };
  return page;
}

/** A Firefox with these preferences besides the common ones. */
const firefox = (preferences) =>
  // The launcher uses puppeteer, which starts the given browser.
  chromeLauncher({
    puppeteer: { launch: launchOnScreen },
    launchOptions: {
      browser: 'firefox',
      executablePath: obtainFirefox(console.log),
      extraPrefsFirefox: {
        'media.volume_scale': '0',
        // `TestUtils.gc()`, by which a page calls the collector.
        'dom.testing.testutils.enabled': true,
        // Firefox delays a socket to an address where sockets have failed, longer each time, up to a minute: tests let eight
        // fail in a row without any wait.
        'network.websocket.delay-failed-reconnects': false,
        // Firefox sends one frame at a time to the compositor: of several frames a page can read only the first one, and the
        // tests read the frame on screen.
        'media.video-queue.send-to-compositor-size': 1,
        ...preferences,
      },
    },
    createPage,
    concurrency: 1,
  });

export default {
  ...shared,
  files: pagesOf(allFiles),
  // On a busy machine Firefox takes long to start.
  browserStartTimeout: 120_000,
  // A video may play without a click unless a test says otherwise, as in the Chromium of the tests.
  browsers: [firefox({ 'media.autoplay.default': 0 })],
  groups: isFirstPart
    ? [
        {
          name: 'autoplay refused',
          files: pagesOf(['test/engines/autoplay-refused.ts']),
          browsers: [firefox({ 'media.autoplay.default': 5 })],
        },
      ]
    : [],
};
