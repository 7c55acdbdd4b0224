// The base of all players: the members of HTMLMediaElement that pages and the controls of media-chrome use.
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

/**
 * WebKitGTK goes on playing when it is paused while it starts (bugs.webkit.org 259775). For so many milliseconds after a pause a
 * video that plays is paused again; no visitor plays it so soon from another window.
 */
const UNDONE_MS = 250;

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
  #pausedAt = -Infinity;
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
  async play(): Promise<void> {
    this.intend(true);
    await this.start();
    if (this.#blocked) throw new DOMException('playback needs a gesture', 'NotAllowedError');
  }

  /** As `play()`; a refusal is shown as a button and rejects nothing. */
  tryToPlay(): void {
    this.play().catch(() => {});
  }

  pause(): void {
    this.intend(false);
    this.media?.pause();
    this.#pausedAt = performance.now();
  }

  /** Stops movement that has started by itself (WCAG 2.2 SC 2.2.2). */
  rest(): void {
    this.pause();
  }

  /** Resumes after the box was moved in the document or the page was hidden, which pauses a video. */
  resume(): void {
    if (!this.#paused && this.media?.paused && !this.media.ended) void this.start();
  }

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

  /** Applies changed settings to the videos. */
  protected apply?(settings: PlayerSettings): void;

  /** True while something that can be played is shown or is being loaded. */
  protected get playable(): boolean {
    return false;
  }

  /** True while the player itself holds the picture: it must not be started, and a pause is not the visitor's. */
  protected get held(): boolean {
    return false;
  }

  /** Whether to play before the page or the visitor has asked for anything. */
  protected get autoplays(): boolean {
    return true;
  }

  /** True when a video whose sound is refused without a gesture plays muted; else it waits for the gesture. */
  protected get mutesToPlay(): boolean {
    return false;
  }

  protected get settings(): PlayerSettings {
    return this.#settings;
  }

  /** The intent: whether to play if the browser allows it. */
  protected get wanted(): boolean {
    return this.#wanted ?? this.autoplays;
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

  /** Plays the video on screen; never rejects. */
  protected async start(): Promise<void> {
    const { media } = this;
    if (!media || media.ended || this.held) return;
    const outcome = await startVideo(media, this.mutesToPlay);
    if (media !== this.media) return;
    if (outcome === 'muted') this.muted = true;
    if (outcome !== 'refused') return;
    this.#blocked = true;
    this.updatePaused();
  }

  /** The video on screen has fired this event. The visitor may have caused it, by picture-in-picture or a media key. */
  protected onVideoToggled(type: 'play' | 'pause'): void {
    const { media } = this;
    if (!media || media.paused !== (type === 'pause')) return;
    if (type === 'play') {
      if (this.wanted && !this.#blocked) return;
      if (performance.now() - this.#pausedAt < UNDONE_MS) media.pause();
      else this.tryToPlay();
      return;
    }
    // The browser itself pauses when the page is hidden, when the element is moved, at the end, and after a media error.
    if (media.ended || media.error || document.hidden || !media.isConnected) return;
    if (!this.held && !this.#blocked) this.intend(false);
  }

  #change(change: Partial<PlayerSettings>, event: string): void {
    this.#settings = { ...this.#settings, ...change };
    const { media } = this;
    const ran = media?.paused === false;
    this.apply?.(this.#settings);
    // Chromium pauses a video when a page unmutes it before the visitor's first gesture: this counts as a refused start.
    if (ran && media.paused) void this.start();
    this.fire(event);
  }
}

/** `muted`: it plays, but without its sound. `other`: something else interrupted the start, for example a new load. */
type StartOutcome = 'playing' | 'muted' | 'refused' | 'other';

async function startVideo(video: HTMLVideoElement, mutes: boolean): Promise<StartOutcome> {
  const tryToPlay = (): Promise<StartOutcome> =>
    video.play().then(
      () => 'playing',
      (error: unknown) =>
        error instanceof DOMException && error.name === 'NotAllowedError' ? 'refused' : 'other',
    );
  const outcome = await tryToPlay();
  if (outcome !== 'refused' || !mutes || video.muted) return outcome;
  video.muted = true;
  const secondOutcome = await tryToPlay();
  if (secondOutcome === 'playing') return 'muted';
  video.muted = false;
  return secondOutcome;
}

/** A TimeRanges of these `[start, end]` in seconds, without those of no length. The platform has no constructor for it. */
export function timeRanges(...ranges: readonly (readonly [number, number])[]): TimeRanges {
  const kept = ranges.filter(([start, end]) => end > start);
  const at = (index: number, side: 0 | 1): number => {
    const range = kept[index];
    if (!range) throw new DOMException('no such range', 'IndexSizeError');
    return range[side];
  };
  return { length: kept.length, start: (index) => at(index, 0), end: (index) => at(index, 1) };
}
