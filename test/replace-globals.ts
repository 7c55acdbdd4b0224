// Gives a test properties of the global object that Node does not have, or has in another form than a browser.
import type { TestContext } from 'node:test';

/** Replaces these properties of the global object, or adds them, until the end of the test. */
export function replaceGlobals(t: TestContext, globals: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(globals)) {
    const before = Object.getOwnPropertyDescriptor(globalThis, name);
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    t.after(() => {
      if (before) Object.defineProperty(globalThis, name, before);
      else Reflect.deleteProperty(globalThis, name);
    });
  }
}
