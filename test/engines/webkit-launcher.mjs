// web-test-runner's side of WebKit: one window, in which page after page runs. Policy: a page is left for an empty one when
// its tests are over, so that nothing of it goes on. `type` is `webdriver` because that is what the runner's `sendKeys` asks
// such a launcher for.
import { startWebKit } from './webkit-driver.mjs';
import { obtainWebKit } from './obtain-webkit.mjs';

/** Keys that have a name, by WebDriver's code points (W3C WebDriver, keyboard actions). */
const named = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE007',
  Escape: '\uE00C',
  ' ': ' ',
  Space: ' ',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
};

export function webkitLauncher() {
  let browser;
  let running;
  return {
    name: 'WebKit',
    type: 'webdriver',
    concurrency: 1,
    async startSession(id, url) {
      browser ??= await startWebKit(obtainWebKit(console.log));
      running = id;
      await browser.ask('POST', '/url', { url });
    },
    isActive: (id) => id === running,
    getBrowserUrl: () => browser.ask('GET', '/url'),
    async stopSession() {
      running = undefined;
      await browser.ask('POST', '/url', { url: 'about:blank' });
      return {};
    },
    startDebugSession: () => Promise.reject(new Error('Debugging in WebKit is not supported.')),
    /** Presses and lets go of each key, one after another, wherever the focus is. */
    async sendKeys(_id, keys) {
      const strokes = keys.flatMap((key) => {
        const value = named[key] ?? key;
        return [
          { type: 'keyDown', value },
          { type: 'keyUp', value },
        ];
      });
      await browser.ask('POST', '/actions', { actions: [{ type: 'key', id: 'keyboard', actions: strokes }] });
    },
    stop: async () => browser?.close(),
  };
}
