// Where clips lie on the one timeline of a MediaSource; bookkeeping only, no `<video>`.
// - It only grows at its end: a clip that is played again after it was removed is written once more, at the end.
// - It is not the time of a playlist, which begins at 0 for each playlist.
import type { PlaylistItem } from './playlist.ts';

/** Seconds by which times of frames and ranges may differ because of rounding; much less than a frame. */
export const ROUNDING = 0.004;

/** One clip on the timeline; in seconds of the timeline. */
export interface TimeRange<Item = PlaylistItem> {
  readonly item: Item;
  readonly start: number;
  readonly end: number;
  /** From here on only frames are shown that a decoder may keep back until it is told that nothing follows. */
  readonly lastFramesAt: number;
}

export class BufferTimeline<Item = PlaylistItem> {
  #ranges: readonly TimeRange<Item>[] = [];
  #end = 0;

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

  /** @param lastFramesAt second of the item */
  write(item: Item, seconds: number, lastFramesAt = seconds): TimeRange<Item> {
    const start = this.#end;
    const range = { item, start, end: start + seconds, lastFramesAt: start + lastFramesAt };
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
