// What a page reads of a playlist: one time and one duration over all its clips, whichever `<video>` shows them.
import { timeRanges } from '../player.ts';
import { VideoPlayer } from '../video-player.ts';
import { Counts } from '../counts.ts';
import type { FallbackPlayer } from './fallback-player.ts';
import { type Clip, Playlist, type PlaylistItem } from './playlist.ts';

export abstract class PlaylistTimeline extends VideoPlayer {
  protected readonly playlist = new Playlist();
  /** Null until the first clip is expected. */
  protected renderer: FallbackPlayer | null = null;
  /** The item that is shown, or will be next; it stays after its end, because its last frame stays. */
  protected current: PlaylistItem | null = null;
  /** A seek to another clip is under way. */
  protected jumping = false;
  /** The error of the last clip that failed, until the next picture or playlist. */
  protected failure: MediaError | null = null;
  /** Every clip has been played. */
  protected over = false;
  /** `performance.now()` at the end of the clip before; 0 when there is none, or after a pause by the visitor. */
  endedAt = 0;
  readonly counts = new Counts();

  /** Shows an item from this second on. */
  protected abstract show(item: PlaylistItem, within: number): void;

  protected override updatePaused(): void {
    super.updatePaused();
    if (this.paused) this.endedAt = 0;
  }

  override get media(): HTMLVideoElement | null {
    return this.renderer?.shown ? this.renderer.video : null;
  }
  override get ended(): boolean {
    return this.over;
  }
  override get seeking(): boolean {
    // A seek within a clip that was removed is no seek of the playlist.
    return this.jumping || (this.current !== null && (this.renderer?.seeking ?? false));
  }
  override get currentTime(): number {
    const current = this.current;
    if (!current) return this.playlist.offsetOf(this.next);
    const within = this.renderer?.shows(current) ? this.renderer.within : 0;
    return this.playlist.offsetOf(current) + Math.min(within, current.duration || within);
  }
  override set currentTime(time: number) {
    const target = Number.isNaN(Number(time)) ? null : this.playlist.at(Number(time));
    if (target) this.#seek(target.item, target.within);
  }
  override get duration(): number {
    return this.playlist.duration;
  }
  /** A clip whose bytes are loaded counts as buffered, whether or not it is written to a video. */
  override get buffered(): TimeRanges {
    return timeRanges(...this.playlist.loaded);
  }
  /** The whole playlist: a clip that is not loaded is fetched when the visitor seeks to it. */
  override get seekable(): TimeRanges {
    return timeRanges([0, this.duration]);
  }
  override get error(): MediaError | null {
    return this.failure;
  }
  override get currentSrc(): string {
    return this.current?.clip.bytes.url ?? '';
  }

  /** A MediaError has no constructor. */
  protected fail(code: number, message: string): void {
    const values = { code: { value: code }, message: { value: message } };
    this.failure = Object.create(MediaError.prototype, values) as MediaError;
    this.fire('error');
  }

  /** Goes to the beginning of a clip; false when it is not in the playlist. */
  goTo(clip: Clip): boolean {
    const item = this.playlist.find(clip);
    if (item) this.#seek(item, 0);
    return item !== undefined;
  }

  #seek(item: PlaylistItem, within: number): void {
    this.jumping = item !== this.current;
    if (this.jumping) this.fire('seeking');
    this.over = false;
    for (const skipped of this.playlist.moveTo(item)) skipped.clip.ended();
    this.updatePaused();
    this.show(item, within);
  }

  /** The item after the current one; without a current item, the first that has not been played. */
  protected get next(): PlaylistItem | null {
    const current = this.current;
    if (current && this.playlist.has(current)) return this.playlist.after(current);
    return this.playlist.items.find((item) => !item.ended) ?? null;
  }

  protected override get playable(): boolean {
    return !this.over && this.playlist.items.length > 0;
  }
}
