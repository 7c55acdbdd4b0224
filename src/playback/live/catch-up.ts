// How fast a live picture plays so that it is as far behind live as it is to be. Policy: up to a tenth faster while it is
// behind, a twentieth slower while it is too near, which eyes that read signs do not mind. It begins when it is 0.12 s off
// and ends when it has arrived, so that it does not swing. What comes decides before what is wanted: media comes in parts,
// and some of them late, so what counts is how far behind live the loaded media ended at worst in the last half minute or
// minute; its first second, while a start fills up, does not count. Where that leaves less than 0.2 s ahead of the picture
// it is not faster, with less than 0.15 s it is slower until there is 0.2 s again, but never for more than 0.8 s of distance
// beyond what is wanted: a second counts as behind live, and media that was two seconds late once is no reason to stay there.
// When so little is really left it plays at half its speed: a picture that lingers is better than one that stands.

const BEGIN_SECONDS = 0.12;
const FASTEST = 1.1;
const GENTLY_FASTER = 1.05;
/** Behind by less than this, half the hurry is enough. */
const GENTLE_SECONDS = 0.3;
const SLOWER = 0.95;
const LINGERING = 0.5;
const ENOUGH_SECONDS = 0.2;
/** Decoders keep two or three frames of what is loaded to themselves until they get more. */
const DRY_SECONDS = 0.15;
const MOST_EXTRA_SECONDS = 0.8;
const WINDOW_MS = 30_000;
const START_MS = 1000;

export class CatchUp {
  #direction: -1 | 0 | 1 = 0;
  #isDry = false;
  /** How far behind live what was loaded ended at worst, in the window that runs and in the one before. */
  #worst = { since: NaN, now: 0, before: 0 };

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

    const least = Math.min(ahead, latency - this.#worstEnd(latency - ahead, now));
    if (least < DRY_SECONDS) this.#isDry = true;
    else if (least > ENOUGH_SECONDS) this.#isDry = false;
    if (this.#isDry && off < MOST_EXTRA_SECONDS) return ahead < DRY_SECONDS ? LINGERING : SLOWER;

    if (this.#direction < 0) return SLOWER;
    const spare = off < MOST_EXTRA_SECONDS ? least : ahead;
    if (this.#direction === 0 || spare < ENOUGH_SECONDS) return 1;
    return off > GENTLE_SECONDS ? FASTEST : GENTLY_FASTER;
  }

  #worstEnd(behindLive: number, now: number): number {
    const { since, now: running, before } = this.#worst;
    if (Number.isNaN(since)) this.#worst.since = now + START_MS;
    else if (now - since > WINDOW_MS) this.#worst = { since: now, now: behindLive, before: running };
    else if (now > since) this.#worst.now = Math.max(running, behindLive);
    return Math.max(this.#worst.now, before);
  }
}
