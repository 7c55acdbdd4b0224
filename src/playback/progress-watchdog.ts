// A picture that was asked for and does not come, or stands where it should go on, while no event will ever say so: a
// decoder that gives nothing more, a media server that has fallen silent, a part of the script that is not answered.
// - Looked at once a second, while it is wanted and the page is seen.
// - Looks are counted and not seconds, because a machine that sleeps or stands still is no reason.

const LOOK_MS = 1000;

export class ProgressWatchdog {
  readonly #sight: () => string | null;
  readonly #stuck: (looks: number) => void;
  #timer: ReturnType<typeof setInterval> | undefined;
  #seen: string | null = null;
  #same = 0;

  /**
   * @param sight what changes as long as anything moves or comes; null while nothing has to
   * @param stuck hears at each look for how many nothing has changed
   */
  constructor(sight: () => string | null, stuck: (looks: number) => void) {
    this.#sight = sight;
    this.#stuck = stuck;
  }

  /** Watches from now on, and forgets what was seen before. */
  begin(): void {
    this.end();
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
  }

  end(): void {
    clearInterval(this.#timer);
    this.#seen = null;
    this.#same = 0;
  }

  #look(): void {
    const sight = document.hidden ? null : this.#sight();
    this.#same = sight !== null && sight === this.#seen ? this.#same + 1 : 0;
    this.#seen = sight;
    if (this.#same > 0) this.#stuck(this.#same);
  }
}
