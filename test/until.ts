// Waits for a condition that comes true by itself, in Node and in pages.
// - A minute at most, on the system's clock, so that the error says what did not come, and what was seen
//   last, long before the time limit of the test.
// - It checks as often as a page is painted, elsewhere every 50 ms. It requests no animation frame, because pages that are painted
//   only for a wait cost a tenth of the CPU of their tests.

const LONGEST_WAIT_MS = 60_000;
const PAUSE_MS = typeof document === 'undefined' ? 50 : 16;
/** Characters of the last value that the error has. */
const MOST_TOLD = 2000;

/** The system's own, also while a test has replaced it. */
const wait = setTimeout.bind(globalThis);
const pause = (): Promise<unknown> => new Promise((resolve) => wait(resolve, PAUSE_MS));

/** Text of what was seen; of an error, its message. */
function told(seen: unknown): string {
  try {
    return (JSON.stringify(seen) ?? String(seen)).slice(0, MOST_TOLD);
  } catch {
    return String(seen);
  }
}

/**
 * The first value of `look` that is as expected; without an expectation, the first that is true.
 * @param standing more for the message of the error
 * @throws Error after a minute, with what was expected, what was seen last and how things stand
 */
export async function until<T>(
  look: () => T | Promise<T>,
  isExpected: (seen: T) => boolean = Boolean,
  standing?: () => unknown,
): Promise<T> {
  const deadline = performance.now() + LONGEST_WAIT_MS;
  for (;;) {
    const seen = await look();
    if (isExpected(seen)) return seen;
    if (performance.now() > deadline) {
      const expected = isExpected === Boolean ? look : isExpected;
      const stands = standing ? `; ${told(await standing())}` : '';
      throw new Error(`not so within a minute: ${expected.toString()}; seen last: ${told(seen)}${stands}`);
    }
    await pause();
  }
}
