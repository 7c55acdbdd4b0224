// What a session's asynchronous code is written with: its clock, promises, signals and waits.
// - Whatever waits takes its clock as an argument, so that a test moves time by hand.
// - A rejection that nobody listens to raises no `unhandledrejection`: every failure is a `sign-error` event too.
// - A rejection after an abort carries the signal's own reason, as fetch does; clear() and end() make an AbortError.

/** Milliseconds throughout. A timer is whatever `setTimeout` gave. */
export interface Clock {
  /** Never runs backwards: the limit of messages in a minute is measured with it. */
  now(): number;
  setTimeout(run: () => void, delayMs: number): unknown;
  clearTimeout(timer: unknown): void;
}

/** The longest wait that setTimeout keeps; a longer one would fire at once. */
export const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** The most that a sleep of the machine counts for in afterAwake(). */
const STEP_MS = 5_000;

export const systemClock: Clock = {
  now: () => performance.now(),
  setTimeout: (run, delayMs) => setTimeout(run, delayMs),
  clearTimeout: (timer) => clearTimeout(timer as number),
};

export const abortError = (message: string): DOMException => new DOMException(message, 'AbortError');

/** Runs once when the signal aborts, at once when it has already. Returns what removes the listener. */
export function whenAborted(signal: AbortSignal | undefined, run: (reason: unknown) => void): () => void {
  if (!signal) return () => {};
  const abort = () => run(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return () => signal.removeEventListener('abort', abort);
}

/** A promise that its maker settles. */
export interface Deferred<Value> {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
  readonly reject: (reason: unknown) => void;
}

export function deferred<Value>(): Deferred<Value> {
  let resolve!: (value: Value) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<Value>((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  promise.catch(() => {});
  return { promise, resolve, reject };
}

/** Resolves after this time; rejects with the signal's reason when it aborts. Leaves no timer and no listener. */
export async function wait(clock: Clock, delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve, reject } = deferred<void>();
  const timer = clock.setTimeout(resolve, Math.min(delayMs, LONGEST_TIMEOUT_MS));
  const unlisten = whenAborted(signal, reject);
  try {
    await promise;
  } finally {
    clock.clearTimeout(timer);
    unlisten();
  }
}

/** Runs after this time, of which a sleep of the machine counts for 5 s at most. Returns what cancels it. */
export function afterAwake(clock: Clock, delayMs: number, run: () => void): () => void {
  let timer: unknown;
  const step = (leftMs: number): void => {
    if (leftMs <= 0) return run();
    timer = clock.setTimeout(() => step(leftMs - STEP_MS), Math.min(leftMs, STEP_MS));
  };
  step(delayMs);
  return () => clock.clearTimeout(timer);
}
