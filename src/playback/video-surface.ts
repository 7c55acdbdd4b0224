// What every surface on `<video>` shares: settings that outlive a video (a page may set them before there is one) and
// what is read straight from the video on screen. Policy: a signer starts muted (there is nothing to hear, and a muted
// video may start by itself); speed stays between 0.5 and 2.

export interface SoundAndSpeed {
  readonly playbackRate: number;
  readonly muted: boolean;
  readonly volume: number;
}

export abstract class VideoSurface extends EventTarget {
  loop = false;
  #settings: SoundAndSpeed = { playbackRate: 1, muted: true, volume: 1 };

  abstract get media(): HTMLVideoElement | null;
  abstract play(): Promise<void>;

  /** Hands changed settings to whatever plays. */
  protected abstract apply(settings: SoundAndSpeed): void;

  protected get settings(): SoundAndSpeed {
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

  #change(change: Partial<SoundAndSpeed>, event: string): void {
    this.#settings = { ...this.#settings, ...change };
    const { media } = this;
    const ran = media?.paused === false;
    this.apply(this.#settings);
    // Chromium stops a video whose sound a page puts on before the visitor has touched it: here it is a refusal to start.
    if (ran && media.paused) void this.play();
    this.fire(event);
  }
}
