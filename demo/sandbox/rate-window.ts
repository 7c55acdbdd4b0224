// How much was accepted in the last while (document 3, max_messages_per_minute; document 1, Limits).
// - A sliding window, open at its old end: what was accepted counts until exactly the window's length after it.
// - What was refused is never added, so that waiting `retryAfter` always suffices.

export class RateWindow {
  readonly #lengthMs: number;
  #times: number[] = [];

  constructor(lengthMs: number) {
    this.#lengthMs = lengthMs;
  }

  /** Seconds until one more may come, 0 when it may now. `now` in milliseconds. */
  retryAfter(now: number, limit: number): number {
    this.#times = this.#times.filter((time) => time + this.#lengthMs > now);
    const over = this.#times[this.#times.length - limit];
    return over === undefined ? 0 : (over + this.#lengthMs - now) / 1000;
  }

  add(now: number): void {
    this.#times.push(now);
  }
}
