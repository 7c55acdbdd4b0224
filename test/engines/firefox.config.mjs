// `npm run test:firefox`: the browser tests in Firefox.
// - The same tests, settings, proxy and sandbox as in Chromium; only the browser differs. What is left out: left-out.mjs.
// - It has a screen, because without one it has no WebGL.
// - `npm test` plays a few of the files where Firefox is installed (run.mjs); all of them would double its time.
import { chromeLauncher } from '@web/test-runner';
import { launch } from 'puppeteer-core';
import shared, { allFiles, isFirstPart, pagesOf } from '../../web-test-runner.config.mjs';
import { filesFor } from './left-out.mjs';
import { obtainFirefox } from './obtain-firefox.mjs';
import { startScreen } from './screen.mjs';

async function launchOnScreen(options) {
  const screen = await startScreen(console.log);
  const env = { ...process.env, DISPLAY: screen.display };
  const browser = await launch({ ...options, headless: false, env });
  browser.once('disconnected', () => void screen.close());
  return browser;
}

/** A page that has the focus of its window again for each file: a small window of the one before, for one, has taken it. */
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
  // The launcher is puppeteer's, whichever browser that starts.
  chromeLauncher({
    puppeteer: { launch: launchOnScreen },
    launchOptions: {
      browser: 'firefox',
      executablePath: obtainFirefox(console.log),
      extraPrefsFirefox: {
        'media.volume_scale': '0',
        // `TestUtils.gc()`, by which a page calls the collector.
        'dom.testing.testutils.enabled': true,
        // A socket to where sockets have failed is held back by Firefox itself, longer each time, up to a minute: tests let
        // eight fail in a row without any wait.
        'network.websocket.delay-failed-reconnects': false,
        // Frames are handed to the screen one at a time: a page can read only the first of those that were handed over,
        // and tests tell from that what was shown.
        'media.video-queue.send-to-compositor-size': 1,
        ...preferences,
      },
    },
    createPage,
    concurrency: 1,
  });

export default {
  ...shared,
  files: pagesOf(filesFor('firefox', allFiles)),
  // On a busy machine Firefox takes long to begin.
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
