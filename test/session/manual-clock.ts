// A clock that a test advances, for the session's Clock.
import type { Clock } from '../../src/session/async.ts';
import { promisesSettled } from '../promises-settled.ts';

export class ManualClock implements Clock {
  readonly #timers = new Map<object, { at: number; run: () => void }>();
  #now = 0;
  #sleptMs = 0;

  /** How many timers are still set. */
  get pending(): number {
    return this.#timers.size;
  }

  now(): number {
    return this.#now;
  }

  /** The time without the sleep of the machine, in ms. */
  awake(): number {
    return this.#now - this.#sleptMs;
  }

  setTimeout(run: () => void, delayMs: number): object {
    const timer = {};
    this.#timers.set(timer, { at: this.#now + Math.max(0, delayMs), run });
    return timer;
  }

  clearTimeout(timer: unknown): void {
    this.#timers.delete(timer as object);
  }

  /** The machine sleeps: time passes and no timer runs; those that became due meanwhile run afterwards. */
  async sleep(ms: number): Promise<void> {
    this.#now += ms;
    this.#sleptMs += ms;
    await this.advance(0);
  }

  /** Advances the clock, runs the timers that become due, in order, and lets promises settle. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    for (;;) {
      const [due] = [...this.#timers].filter(([, { at }]) => at <= until).sort(([, a], [, b]) => a.at - b.at);
      if (!due) break;
      this.#now = Math.max(this.#now, due[1].at);
      this.#timers.delete(due[0]);
      due[1].run();
      await promisesSettled();
    }
    this.#now = until;
    await promisesSettled();
  }
}
