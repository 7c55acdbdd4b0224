// WebKitGTK's browser under its WebDriver, on a screen of its own.
// - This process starts and ends the driver, and the driver starts and ends the browser, so nothing is left.
// - It listens on loopback.
// - The protocol is W3C WebDriver: a JSON request for each command.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../backend/free-port.mjs';
import { focusWindows } from './focus-window.mjs';
import { ender, startScreen } from './screen.mjs';

/** The time limit of a request, in ms. Loading a busy page takes long. */
const ANSWER_MS = 60_000;
/** From the start of the driver until it answers, in ms. */
const START_MS = 30_000;

/** Lets the window be as narrow as a phone: MiniBrowser's tool bar needs 447 px otherwise. */
const NARROW_TOOL_BAR =
  '* { font-size: 1px; min-width: 0; min-height: 0; padding: 0; margin: 0; border-width: 0; -gtk-icon-source: none; }';

/**
 * Starts a browser with one window.
 * @param {{ driver: string, browser: string }} programs paths of WebKitWebDriver and of the browser that it is to start
 * @returns `ask(method, path, body?)`, a command of its session, resolves with the answer's value; `close()`
 */
export async function startWebKit({ driver, browser }) {
  const screen = await startScreen(console.log);
  const settings = mkdtempSync(join(tmpdir(), 'webkit-'));
  mkdirSync(join(settings, 'gtk-3.0'));
  writeFileSync(join(settings, 'gtk-3.0/gtk.css'), NARROW_TOOL_BAR);
  const port = await freePort();
  const service = spawn(driver, [`--port=${port}`, '--host=127.0.0.1'], {
    env: {
      ...process.env,
      DISPLAY: screen.display,
      XDG_CONFIG_HOME: settings,
      // MiniBrowser plays HLS itself only with this variable. Safari, which it represents in the tests, always does.
      WEBKIT_GST_ENABLE_HLS_SUPPORT: '1',
      // Each garbage collection is a whole one (test/collect-garbage.ts).
      JSC_useGenerationalGC: '0',
    },
    // GTK prints many warnings on a machine without a desktop.
    stdio: 'ignore',
  });
  const endService = ender(service);
  const command = async (method, path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      signal: AbortSignal.timeout(ANSWER_MS),
      ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    });
    const { value } = await response.json();
    if (!response.ok) throw new Error(`WebDriver, ${method} ${path}: ${value.error}: ${value.message}`);
    return value;
  };
  const close = async () => {
    await endService();
    await screen.close();
    rmSync(settings, { recursive: true, force: true });
  };
  try {
    const latest = Date.now() + START_MS;
    const ready = () => command('GET', '/status').catch(() => null);
    while ((await ready()) === null) {
      if (Date.now() > latest) throw new Error('WebKitWebDriver does not answer.');
      await wait(50);
    }
    const { sessionId } = await command('POST', '/session', {
      capabilities: {
        alwaysMatch: {
          // A command that opens a page returns as soon as the page begins to load, because its tests run while it loads.
          pageLoadStrategy: 'none',
          'webkitgtk:browserOptions': { binary: browser, args: ['--automation'] },
        },
      },
    });
    await focusWindows(screen.display);
    const session = `/session/${sessionId}`;
    return {
      ask: (method, path, body) => command(method, session + path, body),
      async close() {
        await command('DELETE', session).catch(() => {});
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
