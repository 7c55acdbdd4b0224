// What a page reads of a row of clips: one time and one duration over all of them, whatever `<video>` shows which.
// Policy: nothing here changes anything; a clip whose bytes are here counts as buffered, written to a video or not.
import { Playlist, type PlaylistItem } from './playlist.ts';
import type { FallbackPlayer } from './screens.ts';
import { timeRange } from '../time-range.ts';
import { Player } from '../player.ts';

export abstract class RowSurface extends Player {
  protected readonly row = new Playlist();
  /** Null until the first text is on its way. */
  protected screen: FallbackPlayer | null = null;
  /** The entry on screen or about to be; it stays after it ended, for its last frame does. */
  protected current: PlaylistItem | null = null;
  /** On the way to another clip, by a seek. */
  protected jumping = false;
  /** Nothing plays, or shall. */
  protected held = true;
  /** Every clip of the row has been played. */
  protected over = false;
  /** The browser wants a gesture first. */
  protected refused = false;
  #noTracks: TextTrackList | null = null;

  /** Goes to this second of the row. */
  protected abstract seekTo(time: number): void;

  /** What plays after the current entry; without one, the first that has not been played. */
  protected next(): PlaylistItem | null {
    const { current, row } = this;
    if (current && row.has(current)) return row.after(current);
    return row.entries.find((entry) => !entry.ended) ?? null;
  }

  get media(): HTMLVideoElement | null {
    return this.screen?.shown ? this.screen.video : null;
  }
  get paused(): boolean {
    return this.held;
  }
  get ended(): boolean {
    return this.over;
  }
  get blocked(): boolean {
    return this.refused;
  }
  get seeking(): boolean {
    // A video that still seeks in a clip that was removed is no seek of the row.
    return this.jumping || (this.current !== null && (this.screen?.seeking ?? false));
  }
  get currentTime(): number {
    const { current, row, screen } = this;
    if (!current) return row.offsetOf(this.next());
    const within = screen?.shows(current) ? screen.within : 0;
    return row.offsetOf(current) + Math.min(within, current.duration || within);
  }
  set currentTime(time: number) {
    this.seekTo(Number(time) || 0);
  }
  get duration(): number {
    return this.row.duration;
  }
  get buffered(): TimeRanges {
    return timeRange(this.row.loaded);
  }
  get seekable(): TimeRanges {
    return timeRange(this.row.loaded);
  }
  get currentSrc(): string {
    return this.current?.clip.bytes.url ?? '';
  }
  get textTracks(): TextTrackList {
    return this.media?.textTracks ?? (this.#noTracks ??= document.createElement('video').textTracks);
  }
}
