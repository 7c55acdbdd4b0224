// Typed listeners of a session.
// - Emitting goes over a copy, so that listening and unlistening inside a listener concern the next event only.
// - A listener that throws is reported and breaks nothing; unlistening twice is harmless.
import { whenAborted } from './async.ts';

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
