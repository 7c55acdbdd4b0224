// Tools of a session's asynchronous code: clock, promises, signals, waits and listeners.
// - Everything that waits gets its clock as an argument, so that a test can use a manual clock.
// - A rejection without a handler raises no `unhandledrejection`, because every failure is a `sign-error` event too.
// - A rejection after an abort carries the signal's own reason, as fetch does; clear() and end() make an AbortError.
// - Events are emitted to a copy of the list of listeners: a change that a listener makes to it takes effect with the next event.
//   A listener that throws is reported, and the others still run. Unlistening twice is harmless.

/** All times in milliseconds. A timer is what `setTimeout` returned. */
export interface Clock {
  /** Never runs backwards: the limit of messages in a minute is measured with it. */
  now(): number;
  setTimeout(run: () => void, delayMs: number): unknown;
  clearTimeout(timer: unknown): void;
}

/** The longest delay of setTimeout; a longer one fires at once. */
export const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** How much a sleep of the machine counts in afterAwake(), at most. */
const STEP_MS = 5_000;

export const systemClock: Clock = {
  now: () => performance.now(),
  setTimeout: (run, delayMs) => setTimeout(run, delayMs),
  clearTimeout: (timer) => clearTimeout(timer as number),
};

export const abortError = (message: string): DOMException => new DOMException(message, 'AbortError');

/** Runs once when the signal aborts, or at once when it is aborted already. Returns a function that stops listening. */
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

/** Runs after this time; a sleep of the machine counts for 5 s at most. Returns a function that cancels it. */
export function afterAwake(clock: Clock, delayMs: number, run: () => void): () => void {
  let timer: unknown;
  const step = (leftMs: number): void => {
    if (leftMs <= 0) return run();
    timer = clock.setTimeout(() => step(leftMs - STEP_MS), Math.min(leftMs, STEP_MS));
  };
  step(delayMs);
  return () => clock.clearTimeout(timer);
}

type Listener<Detail> = (detail: Detail) => void;

export class Emitter<Events extends object> {
  readonly #listeners: { [Name in keyof Events]?: Set<Listener<Events[Name]>> } = {};

  /** Listens until the returned function is called or the signal aborts. */
  on<Name extends keyof Events>(
    name: Name,
    listener: Listener<Events[Name]>,
    { signal }: { signal?: AbortSignal | undefined } = {},
  ): () => void {
    // A new closure, so that one function can listen twice and stop once.
    const heard: Listener<Events[Name]> = (detail) => listener(detail);
    const listeners = (this.#listeners[name] ??= new Set());
    listeners.add(heard);
    const release = whenAborted(signal, () => listeners.delete(heard));
    return () => {
      listeners.delete(heard);
      release();
    };
  }

  emit<Name extends keyof Events>(name: Name, detail: Events[Name]): void {
    for (const listener of [...(this.#listeners[name] ?? [])]) {
      try {
        listener(detail);
      } catch (error) {
        report(error);
      }
    }
  }
}

/** Reports an error as the platform reports that of one of its own listeners. */
function report(error: unknown): void {
  if (typeof reportError === 'function') reportError(error);
  else
    queueMicrotask(() => {
      throw error;
    });
}
