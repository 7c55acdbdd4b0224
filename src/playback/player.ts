// The base of all players: the members of HTMLMediaElement that pages and the controls of media-chrome use. It
// loads with the page; what a player does with a `<video>` is in video-player.ts.
// - A property is up to date before its event fires; an event fires only once the media has changed.
// - Settings (sound, speed, loop) and the intent to play last longer than a video; a page may set them before there is one.
// - The intent to play and what the browser allows are kept apart: a refused start sets `blocked` and is a pause, not an error.
// - A signer starts muted: there is nothing to hear, and a muted video may start without a gesture.
// - Speed stays between 0.5 and 2.
import { plainEvent } from '../internal/plain-event.ts';

/** Native media events that a player fires, and that elements mirror on their host, not bubbling. */
export const mediaEvents = [
  'play',
  'playing',
  'pause',
  'ended',
  'timeupdate',
  'durationchange',
  'loadedmetadata',
  'loadeddata',
  'canplay',
  'canplaythrough',
  'progress',
  'waiting',
  'stalled',
  'seeking',
  'seeked',
  'ratechange',
  'volumechange',
  'emptied',
  'error',
  'resize',
  'enterpictureinpicture',
  'leavepictureinpicture',
] as const;

export interface PlayerSettings {
  readonly playbackRate: number;
  readonly muted: boolean;
  readonly volume: number;
}

/** A player without media, used while nothing is loaded. Its subclasses show clips, streams and the idle signer. */
export class Player extends EventTarget {
  loop = false;
  #settings: PlayerSettings = { playbackRate: 1, muted: true, volume: 1 };
  /** What the visitor or the page asked for last; null before. */
  #wanted: boolean | null = null;
  #blocked = false;
  #paused = true;
  #box: HTMLElement | null = null;
  #noTracks: TextTrackList | null = null;

  /** Holds the videos; the element puts it on the page. Made at its first use: a server makes elements too, without a document. */
  get box(): HTMLElement {
    return (this.#box ??= document.createElement('div'));
  }

  /** The `<video>` now on screen, null before there is one. */
  get media(): HTMLVideoElement | null {
    return null;
  }
  get paused(): boolean {
    return this.#paused;
  }
  /** True when the browser refused to start playback without a gesture; `play()` from a gesture clears it. */
  get blocked(): boolean {
    return this.#blocked;
  }
  get ended(): boolean {
    return false;
  }
  get seeking(): boolean {
    return this.media?.seeking ?? false;
  }
  /** Seconds. */
  get currentTime(): number {
    return this.media?.currentTime ?? 0;
  }
  set currentTime(time: number) {
    if (this.media && Number.isFinite(time)) this.media.currentTime = time;
  }
  /** Seconds; NaN before there is media. */
  get duration(): number {
    return this.media?.duration ?? NaN;
  }
  get buffered(): TimeRanges {
    return this.media?.buffered ?? timeRanges();
  }
  get seekable(): TimeRanges {
    return this.media?.seekable ?? timeRanges();
  }
  get currentSrc(): string {
    return '';
  }
  get textTracks(): TextTrackList {
    return this.media?.textTracks ?? (this.#noTracks ??= document.createElement('video').textTracks);
  }
  get readyState(): number {
    return this.media?.readyState ?? 0;
  }
  get error(): MediaError | null {
    return this.media?.error ?? null;
  }
  get videoWidth(): number {
    return this.media?.videoWidth ?? 0;
  }
  get videoHeight(): number {
    return this.media?.videoHeight ?? 0;
  }
  /** 0.5 to 2. */
  get playbackRate(): number {
    return this.#settings.playbackRate;
  }
  set playbackRate(rate: number) {
    // Digits in a string pass too: templates of frameworks set properties.
    if (rate > 0) this.#change({ playbackRate: Math.min(2, Math.max(0.5, rate)) }, 'ratechange');
  }
  get muted(): boolean {
    return this.#settings.muted;
  }
  set muted(muted: boolean) {
    this.#change({ muted: Boolean(muted) }, 'volumechange');
  }
  /** 0 to 1. Any other value throws `IndexSizeError`, as a `<video>` does. */
  get volume(): number {
    return this.#settings.volume;
  }
  set volume(volume: number) {
    if (!(volume >= 0 && volume <= 1)) throw new DOMException('volume is 0 to 1', 'IndexSizeError');
    this.#change({ volume: Number(volume) }, 'volumechange');
  }

  /** Plays, or will play once there is media. Rejects with `NotAllowedError` when the browser wants a gesture first. */
  play(): Promise<void> {
    this.intend(true);
    return Promise.resolve();
  }

  /** As `play()`; a refusal is shown as a button and rejects nothing. */
  tryToPlay(): void {
    this.play().catch(() => {});
  }

  pause(): void {
    this.intend(false);
  }

  /** Stops movement that has started by itself (WCAG 2.2 SC 2.2.2). Where nothing moves, it changes nothing for later media. */
  rest(): void {
    if (!this.paused) this.pause();
  }

  /** Resumes after the box was moved in the document or the page was hidden, which pauses a video. */
  resume(): void {}

  /** Drops everything, videos and bytes included; the player can be used again. */
  reset(): void {
    this.#blocked = false;
    this.intend(null);
    this.fire('emptied');
  }

  /** Takes over the settings and the intent of the player that was active before. */
  continueFrom(before: Player): void {
    const { playbackRate, muted, volume, loop } = before;
    Object.assign(this, { playbackRate, muted, volume, loop });
    if (before.#wanted === null) return;
    this.intend(before.#wanted);
    if (!before.#wanted) this.media?.pause();
  }

  /** The settings have changed. */
  protected apply?(settings: PlayerSettings): void;

  /** True while something that can be played is shown or is being loaded. */
  protected get playable(): boolean {
    return false;
  }

  /** Whether to play before the page or the visitor has asked for anything. */
  protected get autoplays(): boolean {
    return true;
  }

  protected get settings(): PlayerSettings {
    return this.#settings;
  }

  /** The intent: whether to play if the browser allows it. */
  protected get wanted(): boolean {
    return this.#wanted ?? this.autoplays;
  }

  /** The browser refused to start playback. */
  protected block(): void {
    this.#blocked = true;
    this.updatePaused();
  }

  protected fire(type: string): void {
    this.dispatchEvent(plainEvent(type));
  }

  /** Whether to play from now on; null leaves it to `autoplays`. */
  protected intend(wanted: boolean | null): void {
    this.#wanted = wanted;
    if (wanted) this.#blocked = false;
    this.updatePaused();
  }

  /** To be called after anything that `paused` depends on has changed. */
  protected updatePaused(): void {
    const paused = !this.wanted || this.#blocked || !this.playable;
    if (paused === this.#paused) return;
    this.#paused = paused;
    this.fire(paused ? 'pause' : 'play');
  }

  #change(change: Partial<PlayerSettings>, event: string): void {
    this.#settings = { ...this.#settings, ...change };
    this.apply?.(this.#settings);
    this.fire(event);
  }
}

/** A TimeRanges of these `[start, end]` in seconds, without those of no length. The platform has no constructor for it. */
export function timeRanges(...ranges: readonly (readonly [number, number])[]): TimeRanges {
  const kept = ranges.filter(([start, end]) => end > start);
  const at = (index: number, side: 0 | 1): number => {
    const range = kept[index];
    if (!range) throw new DOMException('no range', 'IndexSizeError');
    return range[side];
  };
  return { length: kept.length, start: (index) => at(index, 0), end: (index) => at(index, 1) };
}
