// Tells when a picture is really on screen. Policy: requestVideoFrameCallback decides, asked for as soon as a clip is
// loaded, because it tells a frame once; a picture that was painted behind another is on screen one animation frame
// after it came to the front. A page that is hidden paints nothing: there the media's own progress is taken instead.
import { onNextFrame } from './next-frame.ts';

/** Follows one video's first picture from load to screen. */
export class PaintedFrame {
  readonly #video: HTMLVideoElement;
  #leave = (): void => {};
  #painted = false;
  #onPainted: (() => void) | null = null;

  constructor(video: HTMLVideoElement) {
    this.#video = video;
  }

  /** Another clip is being loaded. */
  reset(): void {
    this.#leave();
    this.#painted = false;
    this.#onPainted = null;
    this.#leave = onNextFrame(this.#video, () => {
      this.#painted = true;
      this.#onPainted?.();
    });
  }

  /** Calls back once, when the video, now in front, shows a frame; never after `signal` aborts. */
  onceOnScreen(signal: AbortSignal, callback: () => void): void {
    const once = (): void => {
      if (signal.aborted || this.#onPainted !== once) return;
      this.#onPainted = null;
      callback();
    };
    this.#onPainted = once;
    if (this.#painted) requestAnimationFrame(once);
    const progressed = (): void => {
      if (document.hidden || !('requestVideoFrameCallback' in this.#video)) once();
    };
    this.#video.addEventListener('timeupdate', progressed, { signal });
  }
}
