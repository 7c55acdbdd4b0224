// The members of HTMLMediaElement that every element has.
// - They are read from the player and written to it. Its events are mirrored on the element and do not bubble, as on `<video>`.
import { LitElement } from 'lit';
import { plainEvent } from '../internal/plain-event.ts';
import { mediaEvents, type Player } from '../playback/player.ts';

/** Properties that a page may set before the element is defined. */
const settable = ['muted', 'volume', 'playbackRate', 'loop'] as const;

/** Events that change nothing around the video. */
const passing = new Set<string>(['timeupdate', 'progress', 'stalled', 'resize']);

export abstract class MediaElement extends LitElement {
  /** The active player; it exists from the start, so that a page can set `muted` before there is a video. */
  protected abstract get player(): Player;

  /** Called by the subclass after it has made its first player. */
  protected takeEarlyProperties(): void {
    const own = this as Partial<Record<(typeof settable)[number], unknown>>;
    for (const name of settable) {
      if (!Object.hasOwn(own, name)) continue;
      // The own property of the element would hide the accessor of the class.
      const value = own[name];
      delete own[name];
      own[name] = value;
    }
  }

  /** Mirrors the events of a player while it is the active one. */
  protected mirror(player: Player): void {
    for (const type of mediaEvents) {
      player.addEventListener(type, () => {
        if (player !== this.player) return;
        if (!passing.has(type)) this.requestUpdate();
        /** @ignore Otherwise the manifest lists the variable as the name of an event. */
        this.dispatchEvent(plainEvent(type));
      });
    }
  }

  /** The `<video>` now on screen; null before there is one. A join may bring another one. */
  get media(): HTMLVideoElement | null {
    return this.player.media;
  }
  get paused(): boolean {
    return this.player.paused;
  }
  get ended(): boolean {
    return this.player.ended;
  }
  get seeking(): boolean {
    return this.player.seeking;
  }
  /** Seconds. */
  get currentTime(): number {
    return this.player.currentTime;
  }
  set currentTime(time: number) {
    this.player.currentTime = time;
  }
  /** Seconds, NaN before there is media. */
  get duration(): number {
    return this.player.duration;
  }
  get readyState(): number {
    return this.player.readyState;
  }
  get buffered(): TimeRanges {
    return this.player.buffered;
  }
  get seekable(): TimeRanges {
    return this.player.seekable;
  }
  get error(): MediaError | null {
    return this.player.error;
  }
  /** The service's URL of the current media. */
  get currentSrc(): string {
    return this.player.currentSrc;
  }
  get textTracks(): TextTrackList {
    return this.player.textTracks;
  }
  get videoWidth(): number {
    return this.player.videoWidth;
  }
  get videoHeight(): number {
    return this.player.videoHeight;
  }
  /** 0.5 to 2, default 1. */
  get playbackRate(): number {
    return this.player.playbackRate;
  }
  set playbackRate(rate: number) {
    this.player.playbackRate = rate;
  }
  /** Default true: a signer has no sound, and muted video may start without a gesture. */
  get muted(): boolean {
    return this.player.muted;
  }
  set muted(muted: boolean) {
    this.player.muted = muted;
  }
  get volume(): number {
    return this.player.volume;
  }
  set volume(volume: number) {
    this.player.volume = volume;
  }
  get loop(): boolean {
    return this.player.loop;
  }
  set loop(loop: boolean) {
    this.player.loop = Boolean(loop);
  }

  play(): Promise<void> {
    return this.player.play();
  }

  pause(): void {
    this.player.pause();
  }

  /** Rejects with the browser's own error, and with `InvalidStateError` before there is a video. */
  async requestPictureInPicture(): Promise<PictureInPictureWindow> {
    const { media } = this;
    if (!media) throw new DOMException('no video', 'InvalidStateError');
    return media.requestPictureInPicture();
  }
}
