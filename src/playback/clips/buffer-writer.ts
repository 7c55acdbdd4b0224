// Writes clips into the SourceBuffer of a video and removes them again.
// - What was played is removed only when a frame behind it has been painted: Chromium stops decoding when the next frame is
//   removed, and a busy machine decodes later than the clock says.
// - Where no frame is told of (a hidden page), the clock counts 2 s late.
// - A full buffer is emptied of what was played, and the clip is written once more.
import type { PlaylistItem } from './playlist.ts';
import { FilmReader } from './film-reader.ts';
import type { SourceBufferQueue } from '../source-buffer-queue.ts';
import { ROUNDING, type TimeRange, type BufferTimeline } from './buffer-timeline.ts';

/** Seconds by which decoding may be behind the clock. */
const BEHIND = 2;

export class BufferWriter {
  readonly #tape: BufferTimeline;
  readonly #line: SourceBufferQueue;
  readonly #reader = new FilmReader();
  /** Second of the tape before which nothing is decoded any more, as far as that is known. */
  #reached = 0;

  /** `line` is that of the video whose tape it is. */
  constructor(tape: BufferTimeline, line: SourceBufferQueue) {
    this.#tape = tape;
    this.#line = line;
  }

  /** The frame of this second is on screen. */
  painted(second: number): void {
    this.#reached = second;
  }

  /** The video's clock has come to this second. */
  passed(second: number): void {
    this.#reached = Math.max(this.#reached, second - BEHIND);
  }

  /** There is something before the section that can be taken off. */
  hasPlayed({ start }: TimeRange): boolean {
    return this.#tape.start < start && this.#reached >= start - ROUNDING;
  }

  /** The clip need only be written. */
  hasRead(entry: PlaylistItem): boolean {
    return this.#reader.has(entry);
  }

  /** Reads a clip ahead of its writing; @throws what FilmReader does. */
  async read(entry: PlaylistItem): Promise<void> {
    await this.#reader.read(entry);
  }

  /** Writes a clip at the end; @throws what FilmReader and SourceBufferLine do. */
  async write(entry: PlaylistItem, current: TimeRange | null): Promise<void> {
    const film = await this.#reader.read(entry);
    try {
      await this.#line.append(film, this.#tape.end);
    } catch (error) {
      const full = error instanceof DOMException && error.name === 'QuotaExceededError';
      if (!full || !current || !this.hasPlayed(current)) throw error;
      await this.dropBefore(current);
      await this.#line.append(film, this.#tape.end);
    }
    this.#reader.forget();
    this.#tape.write(entry, film.durationSeconds);
  }

  async dropBefore(section: TimeRange): Promise<void> {
    this.#tape.dropBefore(section);
    await this.#line.remove(0, section.start - ROUNDING);
  }

  async dropAfter(section: TimeRange): Promise<void> {
    this.#tape.dropAfter(section);
    await this.#line.remove(section.end - ROUNDING, Infinity);
  }
}
