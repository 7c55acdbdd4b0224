// When a live picture stands because nothing more is loaded. Policy: a picture that has stood keeps 0.2 s more distance
// from live, 1 s more at most, and takes it back by 0.2 s each half minute in which nothing happened: so that it does not
// stand again and again, and does not swing. That it is being helped is told only once it is really seen to stand: for
// 2 s, or at once where the engine has given up; and that this is over with the next frame from elsewhere: Firefox says that
// it waits, and then tells of the frame on which it does.

const STEP_SECONDS = 0.2;
const MOST_STEPS = 5;
const CALM_MS = 30_000;
const SEEN_MS = 2000;
/** Seconds; a frame of 25 a second and rounding. */
const SAME_FRAME = 0.05;

export class Stalls {
  readonly #told: (on: boolean) => void;
  #steps = 0;
  #changedAt = 0;
  /** Second of the video; null while it does not stand. */
  #standsAt: number | null = null;
  #isBroken = false;
  #isTold = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param told hears that the picture stands and is being helped, and that it goes on */
  constructor(told: (on: boolean) => void) {
    this.#told = told;
  }

  /** Seconds of distance that are to be kept beyond what the manifest advises. */
  get margin(): number {
    this.#forget();
    return this.#steps * STEP_SECONDS;
  }

  /** Listens to this video until the signal aborts; `isWanted` is false while it stands on purpose. */
  watch(video: HTMLVideoElement, signal: AbortSignal, isWanted: () => boolean): void {
    let hasPlayed = false;
    video.addEventListener('playing', () => (hasPlayed = true), { signal });
    const stands = (): void => {
      if (hasPlayed && isWanted() && !video.seeking && !video.ended) this.#stand(video.currentTime);
    };
    video.addEventListener('waiting', stands, { signal });
    signal.addEventListener('abort', () => this.#goesOn(), { once: true });
  }

  /** The engine has given up (true), or media comes again (false). */
  broken(on: boolean): void {
    this.#isBroken = on;
    if (on && this.#standsAt !== null) this.#tell(true);
  }

  /** The frame of this second is on screen. */
  shown(second: number): void {
    if (this.#standsAt !== null && Math.abs(second - this.#standsAt) > SAME_FRAME) this.#goesOn();
  }

  /** Takes back a step for each half minute that has passed in peace. */
  #forget(): void {
    const now = performance.now();
    while (this.#steps > 0 && now - this.#changedAt > CALM_MS) {
      this.#steps -= 1;
      this.#changedAt += CALM_MS;
    }
  }

  #stand(second: number): void {
    if (this.#standsAt !== null) return;
    this.#standsAt = second;
    this.#forget();
    this.#steps = Math.min(this.#steps + 1, MOST_STEPS);
    this.#changedAt = performance.now();
    if (this.#isBroken) this.#tell(true);
    else this.#timer = setTimeout(() => this.#tell(true), SEEN_MS);
  }

  #goesOn(): void {
    clearTimeout(this.#timer);
    this.#standsAt = null;
    this.#tell(false);
  }

  #tell(on: boolean): void {
    if (on === this.#isTold) return;
    this.#isTold = on;
    this.#told(on);
  }
}
