// web-test-runner's side of WebKit: one window, in which page after page runs.
// - After its tests a page is replaced by an empty one, so that none of its code runs on.
// - `type` is `webdriver`, because the runner's `sendMouse` supports launchers of that type.
import { setTimeout as wait } from 'node:timers/promises';
import { startWebKit } from './webkit-driver.mjs';
import { obtainWebKit } from './obtain-webkit.mjs';

/** Keys that have a name, by WebDriver's code points (W3C WebDriver, keyboard actions). */
const named = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE007',
  Shift: '\uE008',
  Escape: '\uE00C',
  ' ': ' ',
  Space: ' ',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
};

const buttons = { left: 0, middle: 1, right: 2 };

export function webkitLauncher() {
  let browser;
  let running;
  /** Runs these actions of the mouse, one after another. Its position and its pressed buttons last until the next call. */
  const doByMouse = (actions) =>
    browser.ask('POST', '/actions', { actions: [{ type: 'pointer', id: 'mouse', actions }] });
  const moveTo = (x, y) => ({ type: 'pointerMove', x: Math.round(x), y: Math.round(y) });
  const press = (button = 'left') => ({ type: 'pointerDown', button: buttons[button] });
  const release = (button = 'left') => ({ type: 'pointerUp', button: buttons[button] });
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
    /** Sends keys to the focused element: presses and releases each key of `type` or the key `press`, or holds or releases one. */
    async sendKeys({ type = '', press, down, up }) {
      const keys = press === undefined ? [...type] : [press];
      const stroke = (action, key) => ({ type: action, value: named[key] ?? key });
      const actions = keys.flatMap((key) => [stroke('keyDown', key), stroke('keyUp', key)]);
      if (down !== undefined) actions.push(stroke('keyDown', down));
      if (up !== undefined) actions.push(stroke('keyUp', up));
      await browser.ask('POST', '/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
    },
    /** Pixels of the page from its upper left corner. */
    sendMouseMove: (_id, x, y) => doByMouse([moveTo(x, y)]),
    sendMouseClick: (_id, x, y, button) => doByMouse([moveTo(x, y), press(button), release(button)]),
    sendMouseDown: (_id, button) => doByMouse([press(button)]),
    sendMouseUp: (_id, button) => doByMouse([release(button)]),
    /** Resolves when the page has this size, in CSS pixels. */
    async setViewport({ width, height }) {
      const inPage = (script) => browser.ask('POST', '/execute/sync', { script, args: [] });
      const toolBar = await inPage('return outerHeight - innerHeight');
      await browser.ask('POST', '/window/rect', { x: 0, y: 0, width, height: height + toolBar });
      const isSo = `return innerWidth === ${width} && innerHeight === ${height}`;
      for (let tries = 0; !(await inPage(isSo)); tries += 1) {
        if (tries === 100) throw new Error(`The window does not become ${width} by ${height}.`);
        await wait(50);
      }
    },
    resetMouse: () => browser.ask('DELETE', '/actions'),
    stop: async () => browser?.close(),
  };
}
