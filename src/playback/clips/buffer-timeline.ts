// The timeline of a MediaSource: the position of each clip on it, and the writer that writes clips and removes them.
// - It begins at 10 s: the decode times of a clip with B-frames begin before its first frame, and WebKitGTK 2.50 plays nothing
//   that is decoded before 0.
// - It grows at its end only: a removed clip that is played again is written again at the end. A playlist has a time of its own,
//   which begins at 0.
// - What was played is removed only after a later frame was painted: Chromium stops decoding when the next frame is removed, and
//   a busy machine decodes later than the clock says. Where no frame is reported (a hidden page), what lies 2 s behind the clock
//   counts as painted.
// - When the buffer is full, what was played is removed and the clip is written again. The next clip is remuxed ahead.
// - A clip that cannot be joined without loss of a frame is not written: one that is rotated, very short, or has few frames a
//   second. Nor is a video by a person that has sound. A clip of which the browser buffers only a part is removed again.
import type { PlaylistItem } from './playlist.ts';
import { remux, type Remuxed } from '../mp4/remux.ts';
import type { SourceBufferQueue } from '../source-buffer-queue.ts';

/** Seconds by which times of frames and ranges may differ because of rounding; much less than a frame. */
export const ROUNDING = 0.004;

/** Second at which the first clip begins. */
export const BEGINNING = 10;

/** One clip on the timeline; in seconds of the timeline. */
export interface TimeRange<Item = PlaylistItem> {
  readonly item: Item;
  readonly start: number;
  readonly end: number;
  /** From here on a decoder may keep all frames back until it knows that nothing follows. */
  readonly lastFramesAt: number;
  /** Its last frame begins here. */
  readonly lastFrameAt: number;
}

export class BufferTimeline<Item = PlaylistItem> {
  #ranges: readonly TimeRange<Item>[] = [];
  #end = BEGINNING;

  get ranges(): readonly TimeRange<Item>[] {
    return this.#ranges;
  }

  /** Second at which the next clip begins. */
  get end(): number {
    return this.#end;
  }

  /** Second at which the first range begins. */
  get start(): number {
    return this.#ranges[0]?.start ?? this.#end;
  }

  /** The seconds are those of the item. */
  write(item: Item, seconds: number, lastFramesAt = seconds, lastFrameAt = seconds): TimeRange<Item> {
    const start = this.#end;
    const range = {
      item,
      start,
      end: start + seconds,
      lastFramesAt: start + lastFramesAt,
      lastFrameAt: start + lastFrameAt,
    };
    this.#end = range.end;
    this.#ranges = [...this.#ranges, range];
    return range;
  }

  find(item: Item): TimeRange<Item> | null {
    return this.#ranges.findLast((range) => range.item === item) ?? null;
  }

  /** The range at this second; the first range when none has begun. */
  at(second: number): TimeRange<Item> | null {
    return this.#ranges.findLast(({ start }) => start <= second + ROUNDING) ?? this.#ranges[0] ?? null;
  }

  /** The range after this one. */
  after(range: TimeRange<Item>): TimeRange<Item> | null {
    return this.#ranges[this.#ranges.indexOf(range) + 1] ?? null;
  }

  has(range: TimeRange<Item>): boolean {
    return this.#ranges.includes(range);
  }

  /** Removes the ranges before this one. */
  dropBefore(range: TimeRange<Item>): void {
    this.#ranges = this.#ranges.slice(this.#ranges.indexOf(range));
  }

  /** Removes everything from this second on; the next clip is written there. */
  cut(second: number): void {
    this.#ranges = this.#ranges
      .filter(({ start }) => start < second - ROUNDING)
      .map((range) => (range.end > second ? { ...range, end: second } : range));
    this.#end = second;
  }

  /** Removes everything; the next clip is written at this second. */
  restart(second: number): void {
    this.#ranges = [];
    this.#end = second;
  }
}

/** Seconds by which what is buffered may begin later and end earlier than what was written; browsers differ by a frame. */
const LOST = 0.15;

/** Seconds: decoding may be this much behind the clock. */
export const BEHIND = 2;
/** Seconds that have to be painted after what is removed: WebKitGTK reports frames that it shows 0.1 s later. */
const PAST = 0.3;

const TAKEN_IN_PART = 'in part';

/** What is written: an item of a playlist or of a loop. */
export interface Written {
  /** The browser did not buffer its beginning or its end. Chromium leaves out frames whose key frame is missing. */
  isRefused?: boolean;
}

export class BufferWriter<Item extends Written> {
  readonly #timeline: BufferTimeline<Item>;
  readonly #queue: SourceBufferQueue;
  readonly #remux: (item: Item) => Remuxed;
  #next: { readonly item: Item; readonly remuxed: Remuxed } | null = null;
  /** Second of the timeline before which nothing is decoded any more, as far as that is known. */
  #reached = 0;

  /**
   * @param queue the SourceBuffer of this timeline's video
   * @param remux its errors are thrown by `read()` and `write()`
   */
  constructor(timeline: BufferTimeline<Item>, queue: SourceBufferQueue, remux: (item: Item) => Remuxed) {
    this.#timeline = timeline;
    this.#queue = queue;
    this.#remux = remux;
  }

  /** The frame of this second is on screen. */
  painted(second: number): void {
    this.#reached = second;
  }

  /** The video's clock has come to this second. */
  passed(second: number): void {
    this.#reached = Math.max(this.#reached, second - BEHIND + PAST);
  }

  /**
   * There is something before the range that can be removed.
   * @param within seconds of the range that have been painted
   */
  hasPlayed({ start }: TimeRange<Item>, within = PAST): boolean {
    return this.#timeline.start < start && this.#reached >= start + within;
  }

  /** The last frame of the range is on screen. */
  hasPainted({ lastFrameAt }: TimeRange<Item>): boolean {
    return this.#reached >= lastFrameAt - ROUNDING;
  }

  /** The clip was remuxed and has only to be written. */
  hasRead(item: Item): boolean {
    return this.#next?.item === item;
  }

  /** Remuxes a clip before it is written. */
  async read(item: Item): Promise<Remuxed> {
    if (this.#next?.item !== item) this.#next = { item, remuxed: this.#remux(item) };
    return this.#next.remuxed;
  }

  /** Writes a clip at the end. @throws the errors of SourceBufferQueue and of `remux`; Error when it is not all buffered */
  async write(item: Item, current: TimeRange<Item> | null): Promise<void> {
    const remuxed = await this.read(item);
    try {
      await this.#queue.append(remuxed, this.#timeline.end);
    } catch (error) {
      const full = error instanceof DOMException && error.name === 'QuotaExceededError';
      if (!full || !current || !this.hasPlayed(current, -ROUNDING)) throw error;
      await this.dropBefore(current);
      await this.#queue.append(remuxed, this.#timeline.end);
    }
    this.#next = null;
    const { durationSeconds, lastFramesAt, lastFrameAt } = remuxed;
    const { start, end } = this.#timeline.write(item, durationSeconds, lastFramesAt, lastFrameAt);
    if (this.#queue.isBuffered(start + LOST, end - LOST)) return;
    item.isRefused = true;
    await this.cut(start);
    throw new Error(TAKEN_IN_PART);
  }

  /** Ends the source until the next clip is written or something is removed. */
  async end(): Promise<void> {
    this.#queue.end();
  }

  get ended(): boolean {
    return this.#queue.ended;
  }

  /** True when `end()` can end the source. */
  get open(): boolean {
    return this.#queue.open;
  }

  /** Undoes `end()`, before a seek. */
  reopen(): void {
    this.#queue.reopen();
  }

  async dropBefore(range: TimeRange<Item>): Promise<void> {
    this.#timeline.dropBefore(range);
    await this.#queue.remove(0, range.start - ROUNDING);
  }

  /** Removes what lies from this second on. */
  async cut(second: number): Promise<void> {
    this.#timeline.cut(second);
    // Firefox removes every frame that ends after the second that it is given, other browsers those that begin after it.
    await this.#queue.remove(second + ROUNDING, Infinity);
    if (this.#queue.bufferedEnd <= second + ROUNDING) return;
    await this.#queue.remove(Math.max(0, second - ROUNDING), Infinity);
  }

  /** Removes everything; the next clip is written at this second. */
  async restart(second: number): Promise<void> {
    this.#timeline.restart(second);
    await this.#queue.remove(0, Infinity);
  }
}

/** Seconds. A decoder keeps back the last frames of the current clip when a shorter clip than this follows. */
const SHORTEST = 0.5;
/** Seconds of an average frame. Chromium 156 skips the first frames of a clip after a clip with slower frames. */
const SLOWEST = 0.125;
/** Seconds by which the duration of the last frame may be wrong. */
const UNEVEN = 0.02;

/** @throws RemuxError; Error for a clip that is only an address (a media host without CORS), or cannot be joined. */
export function remuxItem({ clip, playable, isRefused }: PlaylistItem): Remuxed {
  if (isRefused) throw new Error(TAKEN_IN_PART);
  if (!playable || typeof playable === 'string') throw new Error('unread');
  const remuxed = remux(playable.bytes);
  const { durationSeconds, decodedSeconds, frames, upright, hasSound } = remuxed;
  if (clip.isHeard && hasSound) throw new Error('sound');
  // Chromium would also rotate the last frames of the clip before.
  if (!upright) throw new Error('turned');
  if (durationSeconds < SHORTEST) throw new Error('short');
  if (durationSeconds > SLOWEST * frames) throw new Error('slow');
  if (Math.abs(durationSeconds - decodedSeconds) > UNEVEN) throw new Error('uneven');
  return remuxed;
}
