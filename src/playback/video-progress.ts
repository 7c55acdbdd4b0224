// Reports what a video shows: which frame is painted, when its first frame is on screen (requestVideoFrameCallback), and that
// nothing has moved for too long.
// - A frame counts as shown at most three screen refreshes before the video's time reaches it: Chromium reports it up to two
//   refreshes early, and a busy Firefox reports the last of up to ten frames that wait for the screen (0.36 s early was seen).
// - A frame is reported in the next animation frame: in Firefox 153 a video that loses its source during the report stops all
//   animation frames of the page. A hidden page paints nothing: there the time of the media counts.
// - Code that drops a video cancels its frame requests: in WebKit a pending request keeps the video in memory for ever.
// - A picture that was painted below another one is on screen one animation frame after it was moved above that one.
// - The watchdog checks once a second or more often, while a picture is wanted and the page is visible. It counts checks and not
//   seconds, because the time in which a machine sleeps must not count.

/** Seconds of three refreshes at 60 Hz; multiplied by the playback rate they are seconds of the media. */
const EARLY = 0.05;

/** Seconds of media that a browser may have decoded ahead: Firefox 12 frames, a busy Chromium up to 24. */
export const DECODED = 1.2;

/** The time between two checks of a watchdog, by default. */
const CHECK_MS = 1000;

/** False where the time of the media has to be taken for its frames. */
export const reportsFrames = (video: HTMLVideoElement): boolean =>
  !document.hidden && 'requestVideoFrameCallback' in video;

/**
 * Calls `onFrame` at the next frame, unless the returned function was called before; never where the browser reports no frames.
 * @param onFrame gets the second of the media
 */
function onNextFrame(video: HTMLVideoElement, onFrame: (second: number) => void): () => void {
  let over = false;
  const request = video.requestVideoFrameCallback?.((_, { mediaTime }) => {
    const second = Math.min(mediaTime, video.currentTime + EARLY * video.playbackRate);
    video.ownerDocument.defaultView?.requestAnimationFrame(() => {
      if (!over) onFrame(second);
    });
  });
  return () => {
    over = true;
    if (request !== undefined) video.cancelVideoFrameCallback(request);
  };
}

/** Calls `onFrame` at every frame until the returned function is called. */
export function onEachFrame(video: HTMLVideoElement, onFrame: (second: number) => void): () => void {
  let leave = (): void => {};
  const watch = (): void => {
    leave = onNextFrame(video, (second) => {
      watch();
      onFrame(second);
    });
  };
  watch();
  return () => leave();
}

/** Follows one video's first picture from load to screen. */
export class PaintedFrame {
  readonly #video: HTMLVideoElement;
  /** Stops waiting for a picture. */
  leave = (): void => {};
  #painted = false;
  #onPainted: (() => void) | null = null;

  constructor(video: HTMLVideoElement) {
    this.#video = video;
  }

  /** Another clip is being loaded. */
  reset(): void {
    this.leave();
    this.#painted = false;
    this.#onPainted = null;
    this.leave = onNextFrame(this.#video, () => {
      this.#painted = true;
      this.#onPainted?.();
    });
  }

  /** Calls back once, when the video, now visible, shows a frame; never after `signal` aborts. */
  onceOnScreen(signal: AbortSignal, callback: () => void): void {
    const once = (): void => {
      if (signal.aborted || this.#onPainted !== once) return;
      this.#onPainted = null;
      callback();
    };
    this.#onPainted = once;
    if (this.#painted) requestAnimationFrame(once);
    const progressed = (): void => {
      if (!reportsFrames(this.#video)) once();
    };
    this.#video.addEventListener('timeupdate', progressed, { signal });
  }
}

/**
 * Notices a picture that does not come or does not change, when no event reports it: a decoder that gives nothing more, a silent
 * media server, a script that does not answer.
 */
export class ProgressWatchdog {
  readonly #snapshot: () => string | null;
  readonly #stuck: (checks: number) => void;
  #timer: ReturnType<typeof setInterval> | undefined;
  #seen: string | null = null;
  #same = 0;

  /**
   * @param snapshot a text that changes while anything moves or arrives; null while nothing has to
   * @param stuck gets at each check without a change the number of such checks in a row
   */
  constructor(snapshot: () => string | null, stuck: (checks: number) => void) {
    this.#snapshot = snapshot;
    this.#stuck = stuck;
  }

  /**
   * Starts watching, and forgets what was seen before.
   * @param checkMs between two checks
   */
  begin(checkMs = CHECK_MS): void {
    this.end();
    this.#timer = setInterval(() => this.#check(), checkMs);
  }

  end(): void {
    clearInterval(this.#timer);
    this.#seen = null;
    this.#same = 0;
  }

  #check(): void {
    const now = document.hidden ? null : this.#snapshot();
    this.#same = now !== null && now === this.#seen ? this.#same + 1 : 0;
    this.#seen = now;
    if (this.#same > 0) this.#stuck(this.#same);
  }
}
