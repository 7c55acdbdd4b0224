// Detects a live stream that stalls because no more media is buffered.
// - Each stall adds 0.2 s to the target latency, 1 s at most; each 30 s without a stall take 0.2 s back.
// - A stall is reported after 2 s, or at once when the engine has failed. A seek that does not end is reported in the same way;
//   it adds no latency, and ends with the next frame, whatever its time.
// - A stall ends with the next frame that has another time, if the video has media to continue with: Firefox reports the last
//   frame again after its `waiting` event, and a busy browser reports frames from before that event.

const STEP_SECONDS = 0.2;
const MAX_STEPS = 5;
const DECAY_MS = 30_000;
const REPORT_MS = 2000;
/** Seconds: one frame at 25 a second, and rounding. */
const SAME_FRAME = 0.05;
/** A `readyState`. */
const HAVE_FUTURE_DATA = 3;

/** Detects stalls of a live stream, and the extra latency that they call for. */
export class StallDetector {
  readonly #onStall: (stalled: boolean) => void;
  #steps = 0;
  #changedAt = 0;
  /** The second of the video where it stalled, NaN during a seek; null while it does not stall. */
  #stalledAt: number | null = null;
  #hasEngineFailed = false;
  #isReported = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #video: HTMLVideoElement | null = null;

  /** @param onStall gets true when a stall is visible, and false when playback goes on */
  constructor(onStall: (stalled: boolean) => void) {
    this.#onStall = onStall;
  }

  /** Seconds to keep beyond the latency that the manifest advises. */
  get margin(): number {
    this.#decay();
    return this.#steps * STEP_SECONDS;
  }

  /** Listens to this video until the signal aborts; `isPlaying` is false while it is paused on purpose. */
  watch(video: HTMLVideoElement, signal: AbortSignal, isPlaying: () => boolean): void {
    this.#video = video;
    let hasPlayed = false;
    video.addEventListener('playing', () => (hasPlayed = true), { signal });
    const onWaiting = (): void => {
      if (!hasPlayed || !isPlaying() || video.ended || this.#stalledAt !== null) return;
      if (!video.seeking) this.#addStep();
      this.#stalled(video.seeking ? NaN : video.currentTime);
    };
    for (const type of ['waiting', 'seeking']) video.addEventListener(type, onWaiting, { signal });
    signal.addEventListener('abort', () => this.#resumed(), { once: true });
  }

  /** The engine has failed (true), or new media was buffered (false). */
  engineFailed(failed: boolean): void {
    this.#hasEngineFailed = failed;
    if (failed && this.#stalledAt !== null) this.#report(true);
  }

  /** The frame at this second is on screen. */
  frameShown(second: number): void {
    if (this.#stalledAt === null || Math.abs(second - this.#stalledAt) <= SAME_FRAME) return;
    const { readyState = 0, seeking = true } = this.#video ?? {};
    if (readyState >= HAVE_FUTURE_DATA && !seeking) this.#resumed();
  }

  /** Takes one step back for each 30 s without a stall. */
  #decay(): void {
    const now = performance.now();
    while (this.#steps > 0 && now - this.#changedAt > DECAY_MS) {
      this.#steps -= 1;
      this.#changedAt += DECAY_MS;
    }
  }

  #addStep(): void {
    this.#decay();
    this.#steps = Math.min(this.#steps + 1, MAX_STEPS);
    this.#changedAt = performance.now();
  }

  #stalled(second: number): void {
    this.#stalledAt = second;
    if (this.#hasEngineFailed) this.#report(true);
    else this.#timer = setTimeout(() => this.#report(true), REPORT_MS);
  }

  #resumed(): void {
    clearTimeout(this.#timer);
    this.#stalledAt = null;
    this.#report(false);
  }

  #report(stalled: boolean): void {
    if (stalled === this.#isReported) return;
    this.#isReported = stalled;
    this.#onStall(stalled);
  }
}
