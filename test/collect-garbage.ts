// Makes the garbage collector run from a page.
// - A page may call it where its browser was started for it: Chromium by a flag (test/browser/launch-flags.mjs), Firefox by a
//   preference (test/engines/firefox.config.mjs).
// - WebKit offers no call. There a page makes garbage until the browser collects; it is started so that it then collects all
//   (test/engines/webkit-driver.mjs).

declare global {
  interface Window {
    gc?(options: { execution: 'async' }): Promise<void>;
    TestUtils?: { gc(): Promise<void> };
  }
}

const task = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** Makes tens of megabytes of unreferenced objects. The result refers to one of them. */
function makeGarbage(): WeakRef<object> {
  const objects = Array.from({ length: 200_000 }, (_, i) => ({ i }));
  return new WeakRef(objects[0]!);
}

/** Resolves when the collector has run, in a new task, because it keeps objects that an old stack frame refers to. */
export async function collectGarbage(): Promise<void> {
  if (window.gc) return window.gc({ execution: 'async' });
  if (window.TestUtils) return window.TestUtils.gc();
  const first = makeGarbage();
  // An object that a WeakRef has returned stays alive until the end of the task.
  do {
    await task();
    makeGarbage();
    await task();
  } while (first.deref());
}
