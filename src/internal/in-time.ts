// Gives an end to what has none: an `import()` whose server never answers.
// - A minute, as for an answer of the service.
// - A caller that no longer waits says so by a signal, and is not kept in memory until the minute is over.

const LONGEST_MS = 60_000;

/** As the promise; rejects with an Error where it takes more than a minute, and with the signal's reason once that aborts. */
export function inTime<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer within a minute')), LONGEST_MS);
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  return Promise.race([promise, over]).finally(() => clearTimeout(timer));
}
