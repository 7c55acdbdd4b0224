// What an element and a page steer: the members of HTMLMediaElement that pages and the controls of media-chrome use.
// - A property is up to date before its event fires; an event fires only once the media has changed.
// - Settings (sound, speed) outlive a video; a page may set them before there is one.
// - A signer starts muted: there is nothing to hear, and a muted video may start without a gesture.
// - Speed stays between 0.5 and 2.

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

export abstract class Player extends EventTarget {
  /** Holds the videos; the element puts it on the page. */
  readonly stage = document.createElement('div');
  loop = false;
  #settings: PlayerSettings = { playbackRate: 1, muted: true, volume: 1 };

  /** The `<video>` now on screen, null before there is one. */
  abstract get media(): HTMLVideoElement | null;
  abstract get paused(): boolean;
  abstract get ended(): boolean;
  abstract get seeking(): boolean;
  /** Seconds. */
  abstract get currentTime(): number;
  abstract set currentTime(time: number);
  /** Seconds; NaN before there is media. */
  abstract get duration(): number;
  abstract get buffered(): TimeRanges;
  abstract get seekable(): TimeRanges;
  abstract get currentSrc(): string;
  abstract get textTracks(): TextTrackList;
  /** True when the browser refused to start playback without a gesture; `play()` from a gesture clears it. */
  abstract get blocked(): boolean;
  abstract play(): Promise<void>;
  abstract pause(): void;
  /** Resumes after the stage was moved in the document, which pauses a video. */
  abstract resume(): void;
  /** Drops everything, videos and bytes included; the player can be used again. */
  abstract reset(): void;

  /** Applies changed settings to whatever plays. */
  protected abstract apply(settings: PlayerSettings): void;

  protected get settings(): PlayerSettings {
    return this.#settings;
  }

  protected fire(type: string): void {
    this.dispatchEvent(new Event(type));
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
    if (Number.isFinite(rate)) this.#change({ playbackRate: Math.min(2, Math.max(0.5, rate)) }, 'ratechange');
  }
  get muted(): boolean {
    return this.#settings.muted;
  }
  set muted(muted: boolean) {
    this.#change({ muted: Boolean(muted) }, 'volumechange');
  }
  get volume(): number {
    return this.#settings.volume;
  }
  set volume(volume: number) {
    if (!(volume >= 0 && volume <= 1)) throw new DOMException('volume is 0 to 1', 'IndexSizeError');
    this.#change({ volume }, 'volumechange');
  }

  #change(change: Partial<PlayerSettings>, event: string): void {
    this.#settings = { ...this.#settings, ...change };
    const { media } = this;
    const ran = media?.paused === false;
    this.apply(this.#settings);
    // Chromium stops a video whose sound a page puts on before the visitor has touched it: here it is a refusal to start.
    if (ran && media.paused) void this.play();
    this.fire(event);
  }
}
