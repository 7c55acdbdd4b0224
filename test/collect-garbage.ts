// Calls the garbage collector from a page.
// - A page may do so where its browser was started for it: Chromium by a flag (test/browser/launch-flags.mjs), Firefox by a
//   preference (test/engines/firefox.config.mjs). WebKitGTK can do it in its own test programs only.

declare global {
  interface Window {
    gc?(options: { execution: 'async' }): Promise<void>;
    TestUtils?: { gc(): Promise<void> };
  }
}

/** Resolves when it has run, in a task of its own: the collector keeps what an old stack frame refers to. */
export async function collectGarbage(): Promise<void> {
  if (window.gc) return window.gc({ execution: 'async' });
  if (window.TestUtils) return window.TestUtils.gc();
  throw new Error('this browser was not started so that a page may call the collector');
}
