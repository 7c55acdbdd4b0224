// A row of clips as one timeline, shown on two stacked videos. Policy: order never changes; a clip that fails is left
// out and the row goes on; between clips the last frame stays. What the visitor wants (`#intent`) is kept apart from
// what the browser allows (`#blocked`), so that neither is forgotten: a refused autoplay is a pause, not an error.
import { ownError } from '../protocol/own-errors.ts';
import { SignError } from '../protocol/sign-error.ts';
import { ClipRow, type RowEntry } from './clip-row.ts';
import { rowEvents, type Clip, type ClipTimeline } from './clip-timeline.ts';
import { VideoSurface, type SoundAndSpeed } from './video-surface.ts';
import { StackedVideos, type StackedVideosEvents } from './stacked-videos.ts';
import { spanTo } from './time-span.ts';

export class StackedTimeline extends VideoSurface implements ClipTimeline {
  readonly stage = document.createElement('div');
  readonly #row = new ClipRow();
  #videos: StackedVideos | null = null;
  /** The entry on screen or about to be; it stays after it ended, for its last frame does. */
  #current: RowEntry | null = null;
  #intent = true;
  #blocked = false;
  #paused = true;
  #rowEnded = false;
  #moreExpected = false;
  #seeking = false;

  get moreExpected(): boolean {
    return this.#moreExpected;
  }
  set moreExpected(value: boolean) {
    if (value === this.#moreExpected) return;
    this.#moreExpected = value;
    if (!value) this.#advance();
  }

  get blocked(): boolean {
    return this.#blocked;
  }

  append(clip: Clip): void {
    this.#insert(clip, null);
  }

  remove(clip: Clip): void {
    const entry = this.#row.find(clip);
    if (!entry) return;
    clip.bytes.release();
    this.#row.remove(entry);
    this.fire('durationchange');
    if (entry === this.#current && !entry.ended) {
      this.#videos?.halt();
      this.#videos?.video.pause();
      this.#current = null;
      this.#seeking = false;
    }
    this.#advance();
  }

  playFrom(clips: readonly Clip[]): void {
    const first = clips[0] && this.#row.find(clips[0]);
    this.#intent = true;
    this.#blocked = false;
    if (first) {
      this.#rowEnded = false;
      this.#row.rearm(first);
      this.#updatePaused();
      this.#show(first, 0);
    } else {
      const next = this.#rowEnded ? null : this.#next();
      for (const clip of clips) this.#insert(clip, next);
    }
  }

  resume(): void {
    const video = this.media;
    if (video && !this.#paused && video.paused && !video.ended) void this.#start(video);
  }

  reset(): void {
    for (const { clip } of this.#row.clear()) clip.bytes.release();
    this.#videos?.destroy();
    this.#videos = null;
    this.#current = null;
    this.#rowEnded = this.#moreExpected = this.#seeking = this.#blocked = false;
    this.#intent = true;
    this.#updatePaused();
    this.fire('emptied');
  }

  #insert(clip: Clip, before: RowEntry | null): void {
    if (this.#rowEnded) this.#startRow();
    const entry = this.#row.add(clip, before);
    this.fire('durationchange');
    this.#updatePaused();
    void this.#fetch(entry);
  }

  #startRow(): void {
    this.#row.clear();
    this.#current = null;
    this.#rowEnded = false;
    this.fire('emptied');
    this.fire('timeupdate');
  }

  async #fetch(entry: RowEntry): Promise<void> {
    try {
      const playable = await entry.clip.bytes.load();
      if (!this.#row.has(entry)) return;
      entry.playable = playable;
      this.fire('progress');
      this.#advance();
    } catch (error) {
      // Whatever it is, a clip that never comes must not hold up those behind it.
      this.#fail(entry, error instanceof SignError ? error : ownError('media_error', String(error)));
    }
  }

  #fail(entry: RowEntry, error: SignError): void {
    if (!this.#row.has(entry)) return;
    this.remove(entry.clip);
    entry.clip.failed(error);
  }

  /** What plays after the current entry; without one, the first that has not been played. */
  #next(): RowEntry | null {
    const current = this.#current;
    if (current && this.#row.has(current)) return this.#row.after(current);
    return this.#row.entries.find((entry) => !entry.ended) ?? null;
  }

  /** Does the next thing there is to do; safe to call at any time. */
  #advance(): void {
    const next = this.#next();
    if (this.#current && !this.#current.ended) {
      if (next?.playable && this.#videos?.shows(this.#current)) this.#videos.prepare(next);
    } else if (next) {
      if (next.playable) this.#show(next, 0);
      else this.fire('waiting');
    } else if (this.#row.entries.length && !this.#moreExpected && !this.#rowEnded) {
      this.#endRow();
    } else {
      this.#updatePaused();
    }
  }

  #endRow(): void {
    const first = this.#row.entries[0];
    if (this.loop && first) {
      this.#row.rearm(first);
      return this.#show(first, 0);
    }
    this.#rowEnded = true;
    this.fire('timeupdate');
    this.#updatePaused();
    this.fire('ended');
  }

  #show(entry: RowEntry, within: number): void {
    this.#current = entry;
    if (entry.playable) return this.#stack().show(entry, within);
    // Let go for the byte budget, and wanted again.
    void this.#fetch(entry).then(() => {
      if (this.#current === entry && entry.playable) this.#stack().show(entry, within);
    });
  }

  #stack(): StackedVideos {
    this.#videos ??= new StackedVideos(this.stage, this.settings, this.#videoEvents);
    return this.#videos;
  }

  readonly #videoEvents: StackedVideosEvents = {
    forward: (entry, video, changed) => {
      if (Number.isFinite(video.duration) && video.duration !== entry.duration) {
        entry.duration = video.duration;
        this.fire('durationchange');
      }
      if (changed) this.fire('resize');
      if (this.#seeking) {
        this.#seeking = false;
        this.fire('seeked');
      }
      if (!this.#paused) void this.#start(video);
      this.#row.trim(entry);
      this.#advance();
    },
    painted: (entry) => this.#begin(entry),
    unplayable: (entry, reason) => this.#fail(entry, ownError('media_error', reason)),
    event: (entry, type, video) => {
      if (entry !== this.#current) return;
      if (type === 'ended') {
        // A clip of a frame or two may be over before its painting was told.
        this.#begin(entry);
        entry.ended = true;
        entry.clip.ended();
        this.#advance();
      } else if (type === 'pause') {
        // By picture-in-picture or a media key; the browser's own, for a hidden page or a moved element, do not count.
        if (video.ended || document.hidden || !video.isConnected || !video.paused) return;
        this.#intent = false;
        this.#updatePaused();
      } else if (type === 'play') {
        if (!this.#intent) void this.play();
      } else if (!rowEvents.has(type)) {
        this.fire(type);
      }
    },
    visible: () => this.resume(),
  };

  #begin(entry: RowEntry): void {
    if (entry.started || this.#current !== entry) return;
    entry.started = true;
    entry.clip.started();
  }

  async #start(video: HTMLVideoElement): Promise<void> {
    try {
      await video.play();
    } catch (error) {
      // Anything but a refusal (a load that replaced this one, say) is told by the video's own events.
      const refused = error instanceof DOMException && error.name === 'NotAllowedError';
      if (!refused || video !== this.media) return;
      this.#blocked = true;
      this.#updatePaused();
    }
  }

  #updatePaused(): void {
    const paused = !this.#intent || this.#blocked || this.#rowEnded || this.#row.entries.length === 0;
    if (paused === this.#paused) return;
    this.#paused = paused;
    this.fire(paused ? 'pause' : 'play');
  }

  protected override apply(settings: SoundAndSpeed): void {
    this.#videos?.apply(settings);
  }

  async play(): Promise<void> {
    this.#intent = true;
    this.#blocked = false;
    this.#updatePaused();
    if (this.media && this.#current && !this.#current.ended) await this.#start(this.media);
  }

  pause(): void {
    this.#intent = false;
    this.#updatePaused();
    this.media?.pause();
  }

  get media(): HTMLVideoElement | null {
    return this.#videos?.shown ? this.#videos.video : null;
  }
  get paused(): boolean {
    return this.#paused;
  }
  get ended(): boolean {
    return this.#rowEnded;
  }
  get seeking(): boolean {
    // A video that still seeks in a clip that was removed is no seek of the row.
    return this.#seeking || (this.#current !== null && (this.media?.seeking ?? false));
  }
  get currentTime(): number {
    const current = this.#current;
    if (!current) return this.#row.offsetOf(this.#next());
    const within = this.#videos?.shows(current) ? this.#videos.video.currentTime : 0;
    return this.#row.offsetOf(current) + Math.min(within, current.duration || within);
  }
  set currentTime(time: number) {
    const target = this.#row.at(Number(time) || 0);
    if (!target) return;
    this.#seeking = target.entry !== this.#current;
    if (this.#seeking) this.fire('seeking');
    this.#rowEnded = false;
    for (const skipped of this.#row.moveTo(target.entry)) skipped.clip.ended();
    this.#updatePaused();
    this.#show(target.entry, target.within);
  }
  get duration(): number {
    return this.#row.duration;
  }
  get buffered(): TimeRanges {
    return spanTo(this.#row.loaded);
  }
  get seekable(): TimeRanges {
    return spanTo(this.#row.loaded);
  }
  get currentSrc(): string {
    return this.#current?.clip.bytes.url ?? '';
  }
  get textTracks(): TextTrackList {
    return this.#stack().video.textTracks;
  }
}
