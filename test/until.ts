// Waits for a condition that comes true by itself, in Node and in pages.
// - It waits at most a minute in a page, and two and a half elsewhere, where tests run beside many others, on the system's clock.
//   So the error comes before the time limit of the test, and names the condition and the last value.
// - It checks as often as a page is painted, elsewhere every 50 ms. It requests no animation frame, because pages that
//   were painted only for a wait took a tenth of the CPU time of their tests.

const isPage = typeof document !== 'undefined';
const LONGEST_WAIT_MS = isPage ? 60_000 : 150_000;
const PAUSE_MS = isPage ? 16 : 50;
/** The most characters of a value in the message of the error. */
const MOST_SEEN = 2000;

/** The system's timer, kept because a test may replace it. */
const wait = setTimeout.bind(globalThis);
const pause = (): Promise<unknown> => new Promise((resolve) => wait(resolve, PAUSE_MS));

/** A value as text for the message of the error. */
function textOf(seen: unknown): string {
  try {
    return (JSON.stringify(seen) ?? String(seen)).slice(0, MOST_SEEN);
  } catch {
    return String(seen);
  }
}

/**
 * The first value of `look` that is as expected; without an expectation, the first that is true.
 * @param standing gives a further value for the message of the error
 * @throws Error after that time, with the expectation, the last value and the value of `standing`
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
      const stands = standing ? `; ${textOf(await standing())}` : '';
      const seconds = LONGEST_WAIT_MS / 1000;
      throw new Error(
        `not so within ${seconds} s: ${expected.toString()}; seen last: ${textOf(seen)}${stands}`,
      );
    }
    await pause();
  }
}
