// Detects that a clip is over which nothing follows yet: its last frame has been on screen for its full time.
// - A busy video comes to its end later than the clock does, so it is waited for.
// - A video that has not moved for 1 s, at most 0.5 s before the end, is at its end: WebKitGTK's decoder keeps the last frames
//   until it is given more.
import type { TimeRange } from './buffer-timeline.ts';

/** Seconds before a range's end from where a video that does not move has come to it: a frame of 10 frames a second. */
const LAST_FRAME = 0.1;
const KEPT_BACK = 0.5;
const STANDS_MS = 1000;

export class EndDetector {
  readonly #video: HTMLVideoElement;
  readonly #over: (range: TimeRange) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `over` may be called for a range that is not asked about any more. */
  constructor(video: HTMLVideoElement, over: (range: TimeRange) => void) {
    this.#video = video;
    this.#over = over;
  }

  /** The video, which plays, has come to this second; replaces what was expected before. */
  expect(range: TimeRange, time: number): void {
    const left = Math.max(0, range.end - time) / this.#video.playbackRate;
    this.#wait(left * 1000, () => this.#look(range));
  }

  /**
   * The video goes to this second of a range that nothing follows. A decoder that keeps the last frames has no
   * picture there, now or later: after a second it is sent to half a second before the end.
   */
  seek({ start, end }: TimeRange, second: number): void {
    const earlier = Math.max(start, end - KEPT_BACK);
    if (second <= earlier) return;
    this.#wait(STANDS_MS, () => {
      if (this.#video.seeking) this.#video.currentTime = earlier;
    });
  }

  forget(): void {
    clearTimeout(this.#timer);
  }

  #look(range: TimeRange): void {
    const { currentTime } = this.#video;
    if (currentTime >= range.end - LAST_FRAME) return this.#over(range);
    this.#wait(STANDS_MS, () => {
      const stands = this.#video.currentTime === currentTime;
      if (!stands) this.#look(range);
      else if (currentTime >= range.end - KEPT_BACK) this.#over(range);
    });
  }

  #wait(ms: number, then: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(then, ms);
  }
}
