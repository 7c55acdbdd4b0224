// What a session's asynchronous code is written with: its clock, promises, signals, waits and listeners.
// - Whatever waits takes its clock as an argument, so that a test moves time by hand.
// - A rejection that nobody listens to raises no `unhandledrejection`: every failure is a `sign-error` event too.
// - A rejection after an abort carries the signal's own reason, as fetch does; clear() and end() make an AbortError.
// - Events are emitted over a copy of the listeners, so that listening and unlistening inside a listener concern the next event
//   only. A listener that throws is reported and breaks nothing; unlistening twice is harmless.

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

type Listener<Detail> = (detail: Detail) => void;

export class Emitter<Events extends object> {
  readonly #listeners: { [Name in keyof Events]?: Set<Listener<Events[Name]>> } = {};

  /** Listens until the returned function is called or the signal aborts. */
  on<Name extends keyof Events>(
    name: Name,
    listener: Listener<Events[Name]>,
    { signal }: { signal?: AbortSignal | undefined } = {},
  ): () => void {
    // A closure of its own, so that one function may listen twice and stop once.
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

/** Where an uncaught error would have gone, had the listener been called by the platform. */
function report(error: unknown): void {
  if (typeof reportError === 'function') reportError(error);
  else
    queueMicrotask(() => {
      throw error;
    });
}
