// The sandbox's clock. Expiry, idleness, rates and caches all read it, so a test that moves it changes them all.
// - Its time is in whole milliseconds and never goes back. Measured durations (`pipeline_ms`) are not read from it.

/**
 * The machine's time, which the encoders of streams use and no test moves: milliseconds since 1970, with fractions. It never goes
 * back.
 */
export const now = (): number => performance.timeOrigin + performance.now();

export interface SandboxClock {
  /** Milliseconds since 1970, whole. */
  now(): number;
  /** Runs `run` once after `ms` milliseconds; the returned function cancels it. */
  after(ms: number, run: () => void): () => void;
}

export const systemClock: SandboxClock = {
  now: () => Math.floor(now()),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

interface Waiting {
  readonly due: number;
  readonly run: () => void;
  cancel: () => void;
}

/** A clock that follows another one and can be moved forward. Timers that become due by a move run at once, in order. */
export class MovableClock implements SandboxClock {
  readonly #base: SandboxClock;
  readonly #waiting = new Set<Waiting>();
  #ahead = 0;

  constructor(base: SandboxClock) {
    this.#base = base;
  }

  now(): number {
    return this.#base.now() + this.#ahead;
  }

  after(ms: number, run: () => void): () => void {
    const waiting: Waiting = { due: this.now() + ms, run, cancel: () => {} };
    this.#waiting.add(waiting);
    this.#arm(waiting);
    return () => this.#drop(waiting);
  }

  /** Moves the clock forward by `ms` milliseconds. */
  advance(ms: number): void {
    this.#ahead += ms;
    for (const waiting of [...this.#waiting].sort((a, b) => a.due - b.due)) {
      waiting.cancel();
      if (!this.#waiting.has(waiting)) continue;
      if (waiting.due > this.now()) this.#arm(waiting);
      else this.#run(waiting);
    }
  }

  /** Cancels all timers. */
  stop(): void {
    for (const waiting of this.#waiting) this.#drop(waiting);
  }

  #arm(waiting: Waiting): void {
    waiting.cancel = this.#base.after(Math.max(0, waiting.due - this.now()), () => this.#run(waiting));
  }

  #run(waiting: Waiting): void {
    this.#waiting.delete(waiting);
    waiting.run();
  }

  #drop(waiting: Waiting): void {
    waiting.cancel();
    this.#waiting.delete(waiting);
  }
}
