// One `<video>` that plays one loop at a time. A loop that can be joined is a playlist without end; any other loop is a file that
// the browser repeats.
// - One round, and at least 4 s, are written ahead. A round that was played is removed 2 s later.
// - Another loop of the same kind continues on the same video, at the first rest point that no browser has decoded yet, or at
//   once while the video is paused. A loop of another kind needs another renderer.
// - Removing frames also removes earlier frames that depend on them (B-frames, MSE 3.5.9): the other loop begins where the
//   removed frames began.
// - Media that the browser has removed by itself (an iPhone that is short of memory) is written again when the video waits for it.
// - A failure is reported to the owner and never thrown.
import { ownError } from '../../protocol/own-errors.ts';
import type { SignError } from '../../protocol/sign-error.ts';
import {
  BEHIND,
  BufferTimeline,
  BufferWriter,
  ROUNDING,
  type TimeRange,
  type Written,
} from '../clips/buffer-timeline.ts';
import { VideoSlot } from '../clips/video-slot.ts';
import type { Remuxed } from '../mp4/remux.ts';
import { mediaSourceClass, SourceBufferQueue } from '../source-buffer-queue.ts';
import { DECODED } from '../video-progress.ts';
import { isJoined, restPointsOf, type JoinedLoop, type SilenceLoop } from './silence-loop.ts';

const LEAST_AHEAD = 4;
/** Seconds: a frame at 10 frames a second. The start of a buffered range differs by less between browsers. */
const FRAME = 0.1;

export class LoopRenderer {
  readonly #slot = new VideoSlot();
  readonly #writer: LoopWriter | null = null;
  readonly #first: SilenceLoop;

  /** `failed` is called once, when the loop cannot be played. */
  constructor(loop: SilenceLoop, failed: (error: SignError) => void) {
    this.#first = loop;
    let hasFailed = false;
    const fail = (cause: unknown): void => {
      if (hasFailed) return;
      hasFailed = true;
      failed(ownError('media_error', this.video.error?.message || undefined, { cause }));
    };
    this.video.addEventListener('error', fail);
    // A browser plays the sound of a file without pictures, or with pictures in an unknown coding, and reports no error.
    this.video.addEventListener('loadeddata', () => {
      if (this.video.videoWidth === 0) fail('it has no picture that plays here');
    });
    const Source = isJoined(loop) ? mediaSourceClass() : null;
    if (isJoined(loop) && Source) {
      const writer = new LoopWriter(this.video, new SourceBufferQueue(this.video, Source), loop, fail);
      this.#writer = writer;
      for (const type of ['timeupdate', 'play', 'seeked']) {
        this.video.addEventListener(type, () => writer.keepUp());
      }
      this.video.addEventListener('waiting', () => writer.wait());
    } else {
      this.video.loop = true;
      if (!isJoined(loop)) this.#slot.load(loop, 0);
    }
  }

  get video(): HTMLVideoElement {
    return this.#slot.video;
  }

  /** The loop on screen; before the first picture, the one to come. */
  get loop(): SilenceLoop {
    return this.#writer?.round?.loop ?? this.#first;
  }

  /** Second of the video at which the round on screen began. */
  get start(): number {
    return this.#writer?.round?.start ?? 0;
  }

  /** Seconds of the loop on screen; NaN before it is known. */
  get duration(): number {
    const { loop } = this;
    return isJoined(loop) ? loop.durationSeconds : this.video.duration;
  }

  /** Seconds of the video to the next rest point; NaN before the duration is known. */
  get toRest(): number {
    const { loop, duration } = this;
    const time = this.video.currentTime - this.start;
    const points = isJoined(loop) ? loop.restPoints : restPointsOf(duration);
    return (points.find((point) => point > time) ?? duration) - time;
  }

  /** Continues with this loop at the next rest point; false when another renderer is needed. */
  take(loop: SilenceLoop): boolean {
    if (!this.#writer || !isJoined(loop)) return false;
    this.#writer.change(loop);
    return true;
  }

  /** Takes the video off the page and releases all it holds. */
  destroy(): void {
    this.#writer?.end();
    this.video.pause();
    this.#slot.clear();
    this.video.remove();
  }
}

/** One round of a loop. */
interface Round {
  readonly loop: JoinedLoop;
  /** Second of the timeline. */
  readonly start: number;
}

/** One clip of a round. */
interface LoopItem extends Written {
  readonly clip: Remuxed;
  readonly round: Round;
}

/** Writes the clips of a loop one after another, the first one again after the last, for as long as the video plays. */
export class LoopWriter {
  readonly #video: HTMLVideoElement;
  readonly #timeline = new BufferTimeline<LoopItem>();
  readonly #writer: BufferWriter<LoopItem>;
  readonly #failed: (error: unknown) => void;
  #wanted: JoinedLoop;
  #working = false;
  /** The video has waited since the last step. */
  #waits = false;
  #over = false;

  /** `queue` is the video's own. `failed` is called once. */
  constructor(
    video: HTMLVideoElement,
    queue: SourceBufferQueue,
    loop: JoinedLoop,
    failed: (error: unknown) => void,
  ) {
    this.#video = video;
    this.#writer = new BufferWriter(this.#timeline, queue, ({ clip }) => clip);
    this.#wanted = loop;
    this.#failed = failed;
    this.keepUp();
  }

  /** The round on screen; null before anything is written. */
  get round(): Round | null {
    return this.#timeline.at(this.#video.currentTime)?.item.round ?? null;
  }

  /** Continues with this loop at the next rest point of the one that plays. */
  change(loop: JoinedLoop): void {
    this.#wanted = loop;
    this.keepUp();
  }

  /** Writes what is missing and removes what was played; to be called as the video plays. */
  keepUp(): void {
    if (!this.#working && !this.#over) void this.#work();
  }

  /** To be called when the video waits for media. */
  wait(): void {
    this.#waits = true;
    this.keepUp();
  }

  end(): void {
    this.#over = true;
  }

  async #work(): Promise<void> {
    this.#working = true;
    try {
      for (let step = this.#next(); step; step = this.#next()) await step;
    } catch (error) {
      if (!this.#over) this.#failed(error);
      this.#over = true;
    }
    this.#working = false;
  }

  /** Starts the next step; null when there is nothing to do, and after `end()`. */
  #next(): Promise<void> | null {
    if (this.#over) return null;
    const { currentTime: now, paused } = this.#video;
    this.#writer.passed(now);
    const last = this.#timeline.ranges.at(-1);
    if (!last) return this.#write();
    const waited = this.#waits;
    this.#waits = false;
    if (waited && !this.#isBuffered(now)) return this.#writeAnew(now);
    const { loop } = last.item.round;
    if (loop !== this.#wanted) {
      // Media that Firefox has already read must not be replaced: it would decode the new frames on the basis of the old picture.
      return this.#cut(paused ? now : this.#restAfter(now + DECODED), paused);
    }
    if (last.end - now < Math.max(LEAST_AHEAD, loop.durationSeconds)) return this.#write();
    const played = this.#firstKept();
    return played && this.#writer.hasPlayed(played) ? this.#writer.dropBefore(played) : null;
  }

  /** Writes the clip that follows the last one. */
  #write(): Promise<void> {
    const loop = this.#wanted;
    const last = this.#timeline.ranges.at(-1)?.item;
    const clip = last?.round.loop === loop && loop.clips[loop.clips.indexOf(last.clip) + 1];
    const item = clip
      ? { clip, round: last.round }
      : { clip: loop.clips[0]!, round: { loop, start: this.#timeline.end } };
    return this.#writer.write(item, this.#firstKept());
  }

  /** Replaces everything from second `at` on by the wanted loop. */
  async #cut(at: number, show: boolean): Promise<void> {
    await this.#writer.cut(at);
    const { buffered } = this.#video;
    const end = buffered.length > 0 ? buffered.end(buffered.length - 1) : at;
    if (end < at - ROUNDING) this.#timeline.cut(end);
    const start = this.#timeline.end;
    await this.#write();
    // A paused video shows another picture only after a seek.
    if (show && this.#video.paused) this.#video.currentTime = start;
  }

  #isBuffered(time: number): boolean {
    const { buffered } = this.#video;
    for (let n = 0; n < buffered.length; n++) {
      if (buffered.start(n) <= time + FRAME && buffered.end(n) > time) return true;
    }
    return false;
  }

  /** Writes the loop again from this second on. Chromium continues after a gap only when it seeks. */
  async #writeAnew(at: number): Promise<void> {
    await this.#writer.restart(at);
    await this.#write();
    this.#video.currentTime = at;
  }

  /** The beginning of the oldest round that may still be decoded: a page may seek within it. */
  #firstKept(): TimeRange<LoopItem> | null {
    const decoded = this.#timeline.at(this.#video.currentTime - BEHIND);
    return decoded && this.#timeline.at(decoded.item.round.start);
  }

  #restAfter(time: number): number {
    for (const { item, end } of this.#timeline.ranges) {
      const { loop, start } = item.round;
      const point = loop.restPoints.find((at) => start + at >= time && start + at < end);
      if (point !== undefined) return start + point;
    }
    return this.#timeline.end;
  }
}
