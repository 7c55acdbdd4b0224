// A clock that stands still until a test advances it.
import type { SandboxClock } from '../../demo/sandbox/clock.ts';

interface Waiting {
  readonly due: number;
  readonly run: () => void;
}

export class ManualClock implements SandboxClock {
  #now = Date.UTC(2030, 0, 1);
  readonly #waiting = new Set<Waiting>();

  now(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): () => void {
    const waiting = { due: this.#now + ms, run };
    this.#waiting.add(waiting);
    return () => this.#waiting.delete(waiting);
  }

  /** How many timers are set. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Advances the clock by `ms`, and runs each timer that becomes due, in order. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const [next] = [...this.#waiting].filter(({ due }) => due <= end).sort((a, b) => a.due - b.due);
      if (!next) break;
      this.#now = Math.max(this.#now, next.due);
      this.#waiting.delete(next);
      next.run();
    }
    this.#now = end;
  }
}
