// The half of every element that looks like an HTMLMediaElement: members are read from and written to its player, and the
// player's events are mirrored on the host, not bubbling, as a `<video>` fires them.
import { LitElement } from 'lit';
import { mediaEvents, type Player } from '../playback/player.ts';

/** What a page may set before the definition is there, on what is a plain element then. */
const settable = ['muted', 'volume', 'playbackRate', 'loop'] as const;

/** Events after which nothing around the video looks different. */
const passing = new Set<string>(['timeupdate', 'progress', 'stalled', 'resize']);

export abstract class MediaElement extends LitElement {
  /** What plays now; there from the beginning, so that a page may set `muted` before there is a video. */
  protected abstract get player(): Player;

  /** Called by the subclass once its first player is there. */
  protected takeEarlyProperties(): void {
    for (const name of settable) {
      if (!Object.hasOwn(this, name)) continue;
      // Its own property would hide the accessor for ever.
      const value = this[name];
      Reflect.deleteProperty(this, name);
      Object.assign(this, { [name]: value });
    }
  }

  /** Mirrors the events of a player for as long as it is the one that plays. */
  protected mirror(player: Player): void {
    for (const type of mediaEvents) {
      player.addEventListener(type, () => {
        if (player !== this.player) return;
        if (!passing.has(type)) this.requestUpdate();
        /** @ignore The manifest would take the variable for a name. */
        this.dispatchEvent(new Event(type));
      });
    }
  }

  /** The `<video>` now on screen; null before there is one, and another one after a join. */
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
  /** The service's own URL of what is on screen. */
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
    if (!media) throw new DOMException('there is no video yet', 'InvalidStateError');
    return media.requestPictureInPicture();
  }
}
