// How many texts a session had accepted in the last minute (document 3, max_messages_per_minute).
// Policy: a sliding window of 60 seconds, open at its old end: a text counts until exactly 60 s after it. What was
// refused is never added, so waiting `retryAfter` always suffices.

const WINDOW_MS = 60_000;

export class RateWindow {
  #times: number[] = [];

  /** Seconds until one more may come, 0 when it may now. `now` in milliseconds. */
  retryAfter(now: number, limit: number): number {
    this.#times = this.#times.filter((time) => time + WINDOW_MS > now);
    const over = this.#times[this.#times.length - limit];
    return over === undefined ? 0 : (over + WINDOW_MS - now) / 1000;
  }

  add(now: number): void {
    this.#times.push(now);
  }
}
