// The time that a session runs on.
// - Whatever waits takes its clock as an argument, so that a test moves time by hand.
// - `now` never runs backwards: the limit of messages in a minute is measured with it.

/** Milliseconds throughout. A timer is whatever `setTimeout` gave. */
export interface Clock {
  now(): number;
  setTimeout(run: () => void, delayMs: number): unknown;
  clearTimeout(timer: unknown): void;
}

/** The longest wait that setTimeout keeps; a longer one would fire at once. */
export const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => performance.now(),
  setTimeout: (run, delayMs) => setTimeout(run, delayMs),
  clearTimeout: (timer) => clearTimeout(timer as number),
};
