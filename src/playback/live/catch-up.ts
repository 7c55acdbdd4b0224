// How fast a live picture plays so that it is as far behind live as it is to be. Policy: up to a tenth faster while it is
// behind, a twentieth slower while it is too near or about to run dry, which eyes that read signs do not mind. It begins
// when it is 0.12 s off and ends when it has arrived, so that it does not swing. What is loaded decides before what is
// wanted: media comes in pieces, so the least that was ahead of the picture within a second or two counts; with under
// 0.15 s it is not faster, with under 0.06 s it is slower until there is 0.15 s again, but never for more than a second of
// distance beyond what is wanted.

const BEGIN_SECONDS = 0.12;
const FASTEST = 1.1;
const GENTLY_FASTER = 1.05;
/** Behind by less than this, half the hurry is enough. */
const GENTLE_SECONDS = 0.3;
const SLOWER = 0.95;
const ENOUGH_SECONDS = 0.15;
const DRY_SECONDS = 0.06;
const MOST_EXTRA_SECONDS = 1;
const WINDOW_MS = 1000;

export class CatchUp {
  #direction: -1 | 0 | 1 = 0;
  #isDry = false;
  /** The least that was ahead, in the window that runs and in the one before. */
  #least = { since: -Infinity, now: Infinity, before: Infinity };

  /**
   * All in seconds, but for the time.
   * @param latency how far behind live the picture is
   * @param target how far it is to be
   * @param ahead how much is loaded beyond the picture
   * @param now milliseconds of `performance.now()`
   * @returns a playback rate
   */
  rate(latency: number, target: number, ahead: number, now: number): number {
    const off = latency - target;
    if (off * this.#direction <= 0) this.#direction = 0;
    if (Math.abs(off) > BEGIN_SECONDS) this.#direction = off > 0 ? 1 : -1;

    const least = this.#leastAhead(ahead, now);
    if (least < DRY_SECONDS) this.#isDry = true;
    else if (least > ENOUGH_SECONDS) this.#isDry = false;
    if (this.#isDry && off < MOST_EXTRA_SECONDS) return SLOWER;

    if (this.#direction < 0) return SLOWER;
    if (this.#direction === 0 || least < ENOUGH_SECONDS) return 1;
    return off > GENTLE_SECONDS ? FASTEST : GENTLY_FASTER;
  }

  #leastAhead(ahead: number, now: number): number {
    const { since, now: running } = this.#least;
    if (now - since > WINDOW_MS) this.#least = { since: now, now: ahead, before: running };
    else this.#least.now = Math.min(running, ahead);
    return Math.min(this.#least.now, this.#least.before);
  }
}
