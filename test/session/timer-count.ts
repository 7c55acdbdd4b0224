// A clock that counts its own timers, although it shares a manual clock with others.
import type { Clock } from '../../src/session/async.ts';

export class TimerCount implements Clock {
  readonly #clock: Clock;
  readonly #set = new Set<unknown>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many are still set. */
  get pending(): number {
    return this.#set.size;
  }

  now(): number {
    return this.#clock.now();
  }

  setTimeout(run: () => void, delayMs: number): unknown {
    const timer = this.#clock.setTimeout(() => {
      this.#set.delete(timer);
      run();
    }, delayMs);
    this.#set.add(timer);
    return timer;
  }

  clearTimeout(timer: unknown): void {
    this.#set.delete(timer);
    this.#clock.clearTimeout(timer);
  }
}
