// Counts what was accepted in a sliding window of time (document 3, max_messages_per_minute; document 1, Limits).
// - A message counts until exactly the window's length after it was accepted.
// - A refused message does not count, so that waiting `retryAfter` is always enough.

export class RateWindow {
  readonly #lengthMs: number;
  #times: number[] = [];

  constructor(lengthMs: number) {
    this.#lengthMs = lengthMs;
  }

  /** Seconds until one more is accepted; 0 when it is accepted now. `now` in milliseconds. */
  retryAfter(now: number, limit: number): number {
    this.#times = this.#times.filter((time) => time + this.#lengthMs > now);
    const over = this.#times[this.#times.length - limit];
    return over === undefined ? 0 : (over + this.#lengthMs - now) / 1000;
  }

  add(now: number): void {
    this.#times.push(now);
  }
}
