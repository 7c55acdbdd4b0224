// Where clips lie on the one timeline of a MediaSource; bookkeeping only, no `<video>`.
// - It only grows at its end: a clip that is played again after it was removed is written once more, at the end.
// - The time of a playlist is another one: it begins with each playlist.
import type { PlaylistItem } from './playlist.ts';

/** Seconds by which the times of frames and of sections may differ: rounding, much less than a frame. */
export const ROUNDING = 0.004;

/** One clip on the tape; seconds of the tape. */
export interface TimeRange {
  readonly entry: PlaylistItem;
  readonly start: number;
  readonly end: number;
}

export class BufferTimeline {
  #sections: readonly TimeRange[] = [];
  #end = 0;

  /** Second at which the next clip begins. */
  get end(): number {
    return this.#end;
  }

  /** Second from which on there is something. */
  get start(): number {
    return this.#sections[0]?.start ?? this.#end;
  }

  write(entry: PlaylistItem, seconds: number): TimeRange {
    const section = { entry, start: this.#end, end: this.#end + seconds };
    this.#end = section.end;
    this.#sections = [...this.#sections, section];
    return section;
  }

  find(entry: PlaylistItem): TimeRange | null {
    return this.#sections.findLast((section) => section.entry === entry) ?? null;
  }

  /** What the picture goes on into after this section. */
  after(section: TimeRange): TimeRange | null {
    return this.#sections[this.#sections.indexOf(section) + 1] ?? null;
  }

  has(section: TimeRange): boolean {
    return this.#sections.includes(section);
  }

  /** Forgets what lies before this section. */
  dropBefore(section: TimeRange): void {
    this.#sections = this.#sections.slice(this.#sections.indexOf(section));
  }

  /** Forgets what lies after this section; the next clip is written there. */
  dropAfter(section: TimeRange): void {
    this.#sections = this.#sections.slice(0, this.#sections.indexOf(section) + 1);
    this.#end = section.end;
  }
}
