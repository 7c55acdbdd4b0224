// The half of every element that looks like an HTMLMediaElement: members are read from and written to its surface, and
// the surface's events are mirrored on the host, not bubbling, as a `<video>` fires them.
import { LitElement } from 'lit';
import { mediaEvents, type MediaSurface } from '../playback/media-surface.ts';

/** What a page may set before the definition is there, on what is a plain element then. */
const settable = ['muted', 'volume', 'playbackRate', 'loop'] as const;

/** Events after which nothing around the picture looks different. */
const passing = new Set<string>(['timeupdate', 'progress', 'stalled', 'resize']);

export abstract class MediaElement extends LitElement {
  /** What plays now; there from the beginning, so that a page may set `muted` before there is a video. */
  protected abstract get surface(): MediaSurface;

  /** Called by the subclass once its first surface is there. */
  protected takeEarlyProperties(): void {
    for (const name of settable) {
      if (!Object.hasOwn(this, name)) continue;
      // Its own property would hide the accessor for ever.
      const value = this[name];
      Reflect.deleteProperty(this, name);
      Object.assign(this, { [name]: value });
    }
  }

  /** Mirrors the events of a surface for as long as it is the one that plays. */
  protected mirror(surface: MediaSurface): void {
    for (const type of mediaEvents) {
      surface.addEventListener(type, () => {
        if (surface !== this.surface) return;
        if (!passing.has(type)) this.requestUpdate();
        /** @ignore The manifest would take the variable for a name. */
        this.dispatchEvent(new Event(type));
      });
    }
  }

  /** The `<video>` now on screen; null before there is one, and another one after a join. */
  get media(): HTMLVideoElement | null {
    return this.surface.media;
  }
  get paused(): boolean {
    return this.surface.paused;
  }
  get ended(): boolean {
    return this.surface.ended;
  }
  get seeking(): boolean {
    return this.surface.seeking;
  }
  /** Seconds. */
  get currentTime(): number {
    return this.surface.currentTime;
  }
  set currentTime(time: number) {
    this.surface.currentTime = time;
  }
  /** Seconds, NaN before there is media. */
  get duration(): number {
    return this.surface.duration;
  }
  get readyState(): number {
    return this.surface.readyState;
  }
  get buffered(): TimeRanges {
    return this.surface.buffered;
  }
  get seekable(): TimeRanges {
    return this.surface.seekable;
  }
  get error(): MediaError | null {
    return this.surface.error;
  }
  /** The service's own URL of what is on screen. */
  get currentSrc(): string {
    return this.surface.currentSrc;
  }
  get textTracks(): TextTrackList {
    return this.surface.textTracks;
  }
  get videoWidth(): number {
    return this.surface.videoWidth;
  }
  get videoHeight(): number {
    return this.surface.videoHeight;
  }
  /** 0.5 to 2, default 1. */
  get playbackRate(): number {
    return this.surface.playbackRate;
  }
  set playbackRate(rate: number) {
    this.surface.playbackRate = rate;
  }
  /** Default true: a signer has no sound, and muted video may start without a gesture. */
  get muted(): boolean {
    return this.surface.muted;
  }
  set muted(muted: boolean) {
    this.surface.muted = muted;
  }
  get volume(): number {
    return this.surface.volume;
  }
  set volume(volume: number) {
    this.surface.volume = volume;
  }
  get loop(): boolean {
    return this.surface.loop;
  }
  set loop(loop: boolean) {
    this.surface.loop = Boolean(loop);
  }

  play(): Promise<void> {
    return this.surface.play();
  }

  pause(): void {
    this.surface.pause();
  }

  /** Rejects with the browser's own error, and with `InvalidStateError` before there is a video. */
  async requestPictureInPicture(): Promise<PictureInPictureWindow> {
    const { media } = this;
    if (!media) throw new DOMException('there is no video yet', 'InvalidStateError');
    return media.requestPictureInPicture();
  }
}
