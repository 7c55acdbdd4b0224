// What has no end of its own is given one: an `import()` whose server never answers. Policy: a minute, as for an answer of
// the service; what comes later than that is handed to whoever is to throw it away.

const LONGEST_MS = 60_000;

/** As the promise; rejects with an Error where it takes more than a minute. */
export function inTime<T>(promise: Promise<T>, late?: (value: T) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reject(new Error('no answer within a minute'));
    }, LONGEST_MS);
    const came = (value: T): void => {
      clearTimeout(timer);
      if (isLate) late?.(value);
      else resolve(value);
    };
    promise.then(came, (error: unknown) => {
      clearTimeout(timer);
      reject(error as Error);
    });
  });
}
