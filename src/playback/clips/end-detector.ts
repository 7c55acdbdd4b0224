// Detects when a clip that nothing follows yet is nearly over, and when it is over: its last frame was on screen for its full
// time.
// - It is nearly over 0.25 s before its end by the clock, or when the last six frames are due.
// - A busy video reaches its end later than the clock, so the detector waits for it.
// - It is over when the video has ended. A video also counts as ended when it has not moved for 1 s in its last 0.5 s, or for 0.5
//   s in its last 0.1 s: WebKitGTK's decoder keeps the last frames until it gets more.
// - A busy Chromium never paints a last frame that it has decoded too late, and WebKitGTK none that its decoder keeps. So the
//   video seeks to the last frame.
import { BEGINNING, ROUNDING, type TimeRange } from './buffer-timeline.ts';
import { reportsFrames } from '../video-progress.ts';

/** A video that does not move in these last seconds has reached its end: a frame at 10 frames a second. */
const LAST_FRAME = 0.1;
const KEPT_BACK = 0.5;
const UNMOVED_MS = 1000;
const LAST_UNMOVED_MS = 500;
/** Seconds of playback that a decoder needs to give its last frames in time. */
const NEAR = 0.25;
/** After this time a painted frame was reported; WebKitGTK takes 0.1 s. */
const REPORTED_MS = 200;

/** Seconds: a frame of 25 frames a second, and a little more. */
const HELD = 0.05;

/** True when WebKitGTK has moved by itself: to second Infinity at its end (webkit.org/b/302160), or to 0 (webkit.org/b/320981). */
export const isAside = ({ currentTime }: HTMLVideoElement): boolean =>
  currentTime === Infinity || currentTime < BEGINNING - ROUNDING;

/** Seconds of its last frame, which is as long as the others; 0 where it is held. */
export const frameOf = ({ lastFrameAt, end }: TimeRange): number =>
  end - lastFrameAt < HELD ? end - lastFrameAt : 0;

/** Both may be called more than once, also for a range that is not watched any more. */
interface EndEvents {
  near(range: TimeRange): void;
  over(range: TimeRange): void;
}

export class EndDetector {
  readonly #video: HTMLVideoElement;
  readonly #events: EndEvents;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(video: HTMLVideoElement, events: EndEvents) {
    this.#video = video;
    this.#events = events;
  }

  /** The playing video has reached this second of the range; replaces an earlier call. */
  expect(range: TimeRange, time: number): void {
    const { playbackRate } = this.#video;
    const left = Math.max(0, range.end - time) / playbackRate;
    const before = Math.max(0, Math.min(left - NEAR, (range.lastFramesAt - time) / playbackRate));
    this.#wait(before * 1000, () => {
      this.#events.near(range);
      this.#wait((left - before) * 1000, () => this.#look(range));
    });
  }

  /**
   * The video seeks to this second of a range that nothing follows. A decoder that keeps the last frames never has a picture
   * there: after a second the video is sent to half a second before the end.
   */
  seek(range: TimeRange, second: number): void {
    const { start, end, lastFramesAt } = range;
    if (second > Math.min(lastFramesAt, end - NEAR)) this.#events.near(range);
    const earlier = Math.max(start, end - KEPT_BACK);
    if (second <= earlier) return;
    this.#wait(UNMOVED_MS, () => {
      if (this.#video.seeking) this.#video.currentTime = earlier;
    });
  }

  /**
   * The video has ended with this range, which nothing follows. A seek that WebKitGTK has lost is repeated, ever less often.
   * @param isLeftOut whether it still rests there and its last frame is not on screen
   * @param after in milliseconds
   */
  paintLastFrame(range: TimeRange, isLeftOut: () => boolean, after = REPORTED_MS): void {
    setTimeout(() => {
      if (!isLeftOut() || !reportsFrames(this.#video)) return;
      this.#video.currentTime = range.end - ROUNDING;
      this.paintLastFrame(range, () => this.#video.seeking && isLeftOut(), after * 5);
    }, after);
  }

  forget(): void {
    clearTimeout(this.#timer);
  }

  #look(range: TimeRange): void {
    const { currentTime, ended } = this.#video;
    if (ended) return this.#events.over(range);
    // A busy video paints its last frames later than the clock says, and none after a pause.
    this.#wait(currentTime >= range.end - LAST_FRAME ? LAST_UNMOVED_MS : UNMOVED_MS, () => {
      const isUnmoved = this.#video.currentTime === currentTime;
      if (!isUnmoved) this.#look(range);
      else if (currentTime >= range.end - KEPT_BACK) this.#events.over(range);
    });
  }

  #wait(ms: number, then: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(then, ms);
  }
}
