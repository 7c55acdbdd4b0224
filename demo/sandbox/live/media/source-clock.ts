// When each picture of a source is shown: maps the source's clock to the time of day.
// - Pushed: the picture with the least delay sets the clock. A picture that comes later than that is left out, not shown late.
// - Each late picture sets the clock back by a quarter of its delay for each second of the source since the last picture. So the
//   clock follows a slow sender within seconds, also while only key frames are decoded.
// - Pulled: the source waits, so a late picture sets the clock back and nothing is left out.
// - A clock that jumps (2 s back or 10 s ahead) is mapped anew.

/** Milliseconds between the arrival of a picture and its display. The delay hides uneven arrival. */
const DELAY_MS = { pushed: 200, pulled: 500 };
/** Seconds of a pushed source in which the clock is set back by the whole delay of a picture. */
const YIELDING_S = 4;
/** A pulled picture that is late by this many milliseconds sets the clock back. */
const LATE_MS = 300;
const BACK_S = 2;
const AHEAD_S = 10;

export class SourceClock {
  readonly #kind: 'pushed' | 'pulled';
  /** Time of the source's second 0. */
  #base: number | null = null;
  #newest = 0;

  constructor(kind: 'pushed' | 'pulled') {
    this.#kind = kind;
  }

  /**
   * A picture has arrived.
   * @param seconds on the source's clock
   * @param now milliseconds since 1970
   * @returns true when the source's clock jumped; waiting pictures from before the jump are then not shown
   */
  arrived(seconds: number, now: number): boolean {
    const base = now + DELAY_MS[this.#kind] - seconds * 1000;
    const jumped =
      this.#base !== null && (seconds < this.#newest - BACK_S || seconds > this.#newest + AHEAD_S);
    const passed = Math.max(0, seconds - this.#newest);
    this.#newest = seconds;
    if (this.#base === null || jumped) this.#base = base;
    else if (this.#kind === 'pushed') {
      const later = base - this.#base;
      this.#base += later > 0 ? later * Math.min(1, passed / YIELDING_S) : later;
    } else if (now > this.dueOf(seconds) + LATE_MS) this.#base = base;
    return jumped;
  }

  /** When the picture of this second is shown, milliseconds since 1970. */
  dueOf(seconds: number): number {
    return (this.#base ?? 0) + seconds * 1000;
  }
}
