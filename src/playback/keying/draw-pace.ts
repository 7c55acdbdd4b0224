// Tells when a machine is too slow to key. Policy: 15 pictures a second is the least that signing can be followed at; what
// counts is a second in which the film had that many and fewer were drawn, three times in a row, so that neither a start,
// a hiccup nor a film of few pictures is taken for a slow machine.

const LEAST_A_SECOND = 15;
const SECONDS = 3;

export class DrawPace {
  #start: { readonly now: number; readonly decoded: number } | null = null;
  #drawn = 0;
  #slowSeconds = 0;

  /** What was not drawn up to now had other reasons: a seek, a page that is not seen. */
  reset(): void {
    this.#start = null;
    this.#slowSeconds = 0;
  }

  /**
   * One picture was drawn.
   * @param now milliseconds on any clock
   * @param decoded pictures of the film that were decoded up to now
   * @returns true when it is too slow to go on
   */
  drawn(now: number, decoded: number): boolean {
    const start = this.#start;
    this.#drawn += 1;
    const seconds = start ? (now - start.now) / 1000 : 0;
    if (start && seconds < 1) return false;
    if (start) {
      const slow =
        this.#drawn < LEAST_A_SECOND * seconds && decoded - start.decoded >= LEAST_A_SECOND * seconds;
      this.#slowSeconds = slow ? this.#slowSeconds + 1 : 0;
    }
    this.#start = { now, decoded };
    this.#drawn = 0;
    return this.#slowSeconds === SECONDS;
  }
}
