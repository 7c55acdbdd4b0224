// Detects that a clip which nothing follows yet is nearly over, and that it is over: its last frame has been on screen for its
// full time.
// - It is nearly over 0.25 s before the end, or when the last six frames are due, as far as the clock says.
// - A busy video comes to its end later than the clock does, so it is waited for.
// - It is over when the video has ended. One that has not moved for 1 s, at most 0.5 s before the end, or for 0.5 s in the last
//   0.1 s, is at its end: WebKitGTK's decoder keeps the last frames until it is given more.
import type { TimeRange } from './buffer-timeline.ts';

/** Seconds before a range's end from where a video that does not move has come to it: a frame of 10 frames a second. */
const LAST_FRAME = 0.1;
const KEPT_BACK = 0.5;
const STANDS_MS = 1000;
const LAST_STANDS_MS = 500;
/** Seconds of playing; what a decoder needs to give its last frames in time. */
const NEAR = 0.25;

/** Both may be told of a range that is not asked about any more, and more than once. */
export interface EndEvents {
  near(range: TimeRange): void;
  over(range: TimeRange): void;
}

export class EndDetector {
  readonly #video: HTMLVideoElement;
  readonly #tell: EndEvents;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(video: HTMLVideoElement, tell: EndEvents) {
    this.#video = video;
    this.#tell = tell;
  }

  /** The video, which plays, has come to this second; replaces what was expected before. */
  expect(range: TimeRange, time: number): void {
    const { playbackRate } = this.#video;
    const left = Math.max(0, range.end - time) / playbackRate;
    const before = Math.max(0, Math.min(left - NEAR, (range.lastFramesAt - time) / playbackRate));
    this.#wait(before * 1000, () => {
      this.#tell.near(range);
      this.#wait((left - before) * 1000, () => this.#look(range));
    });
  }

  /**
   * The video goes to this second of a range that nothing follows. A decoder that keeps the last frames has no
   * picture there, now or later: after a second it is sent to half a second before the end.
   */
  seek(range: TimeRange, second: number): void {
    const { start, end, lastFramesAt } = range;
    if (second > Math.min(lastFramesAt, end - NEAR)) this.#tell.near(range);
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
    const { currentTime, ended } = this.#video;
    if (ended) return this.#tell.over(range);
    // A busy video paints its last frames behind the clock, and none any more once it is paused.
    this.#wait(currentTime >= range.end - LAST_FRAME ? LAST_STANDS_MS : STANDS_MS, () => {
      const stands = this.#video.currentTime === currentTime;
      if (!stands) this.#look(range);
      else if (currentTime >= range.end - KEPT_BACK) this.#tell.over(range);
    });
  }

  #wait(ms: number, then: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(then, ms);
  }
}
