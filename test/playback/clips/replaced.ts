// Replaces functions of the browser until the end of a test.
const restored: (() => void)[] = [];

/** To be called after each test. */
export function restoreAll(): void {
  for (const restore of restored.splice(0)) restore();
}

/** An object URL that is valid until the end of the test. */
export function addressOf(object: Blob | MediaSource): string {
  const url = URL.createObjectURL(object);
  restored.push(() => URL.revokeObjectURL(url));
  return url;
}

/** Replaces a property, or adds it, until the end of the test. */
export function replace<Target extends object, Key extends keyof Target>(
  target: Target,
  key: Key,
  value: Target[Key] | undefined,
): void {
  const original = Object.getOwnPropertyDescriptor(target, key);
  Object.defineProperty(target, key, { configurable: true, writable: true, ...original, value });
  restored.push(() =>
    original ? Object.defineProperty(target, key, original) : Reflect.deleteProperty(target, key),
  );
}
