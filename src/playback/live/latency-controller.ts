// The playback rate that keeps a stream at its target latency.
// - Playback is up to 10 % faster while it is behind, and 5 % slower while it is too near. A change starts when playback is 0.12 s
//   off and stops at the target, so that the rate does not oscillate.
// - The buffer comes first: the worst distance from live to the end of the buffer in the last 30 to 60 s counts, without the first
//   second. With less than 0.2 s ahead playback is not faster. With less than 0.15 s it is slower until there are 0.2 s, but only
//   up to 0.8 s beyond the target. When less than 0.15 s are buffered at this moment, it plays at half speed.

const TOLERANCE_SECONDS = 0.12;
const FAST_RATE = 1.1;
const LESS_FAST_RATE = 1.05;
/** Nearer to the target than this, a smaller change of the rate is enough. */
const NEAR_SECONDS = 0.3;
const SLOW_RATE = 0.95;
const SLOWEST_RATE = 0.5;
const ENOUGH_SECONDS = 0.2;
/** A decoder keeps two or three frames of the buffer until it gets more. */
const LOW_BUFFER_SECONDS = 0.15;
const MAX_EXTRA_SECONDS = 0.8;
const LATE_WINDOW_MS = 30_000;
const SETTLE_MS = 1000;

/** Chooses the playback rate that brings a live stream to its target latency. */
export class LatencyController {
  #direction: -1 | 0 | 1 = 0;
  #isBufferLow = false;
  /** The largest distance from live to the end of the buffer, in the current window and in the one before. */
  #worst = { since: NaN, now: 0, before: 0 };

  /**
   * @param latency seconds behind live
   * @param target seconds behind live that are wanted
   * @param ahead seconds that are buffered ahead
   * @param now milliseconds of `performance.now()`
   * @returns the playback rate
   */
  rate(latency: number, target: number, ahead: number, now: number): number {
    const off = latency - target;
    if (off * this.#direction <= 0) this.#direction = 0;
    if (Math.abs(off) > TOLERANCE_SECONDS) this.#direction = off > 0 ? 1 : -1;

    const least = Math.min(ahead, latency - this.#worstBufferEnd(latency - ahead, now));
    if (least < LOW_BUFFER_SECONDS) this.#isBufferLow = true;
    else if (least > ENOUGH_SECONDS) this.#isBufferLow = false;
    if (this.#isBufferLow && off < MAX_EXTRA_SECONDS)
      return ahead < LOW_BUFFER_SECONDS ? SLOWEST_RATE : SLOW_RATE;

    if (this.#direction < 0) return SLOW_RATE;
    const spare = off < MAX_EXTRA_SECONDS ? least : ahead;
    if (this.#direction === 0 || spare < ENOUGH_SECONDS) return 1;
    return off > NEAR_SECONDS ? FAST_RATE : LESS_FAST_RATE;
  }

  #worstBufferEnd(behindLive: number, now: number): number {
    const { since, now: running, before } = this.#worst;
    if (Number.isNaN(since)) this.#worst.since = now + SETTLE_MS;
    else if (now - since > LATE_WINDOW_MS) this.#worst = { since: now, now: behindLive, before: running };
    else if (now > since) this.#worst.now = Math.max(running, behindLive);
    return Math.max(this.#worst.now, before);
  }
}
