// Streams shown one after the other on one place of the page.
// - Never black: the picture that is there stays until the next stream has painted its own.
// - A stream whose sound is refused plays without: a signer who is seen without sound is better than none.
import { onNextFrame } from '../painted-frame.ts';
import { movePictureInPicture } from '../signer-video.ts';
import { mediaEvents, Player, type PlayerSettings } from '../player.ts';
import { StreamSlot, type Stream } from './stream-slot.ts';

/** Events that the player fires itself, because a video's own are not always the visitor's doing. */
const ownEvents = new Set(['play', 'pause', 'ended', 'ratechange', 'volumechange', 'emptied']);

/** How often a stream is placed before it comes to the front. */
const MOST_TRIES = 3;

export abstract class StreamPlayer extends Player {
  #front: StreamSlot | null = null;
  /** Has no picture yet. */
  #coming: StreamSlot | null = null;
  /** Was in front, and shows through until the one in front has painted. */
  #behind: StreamSlot | null = null;
  /** Ends with the stream in front. */
  #showing = new AbortController();
  #listening: AbortController | null = null;

  /**
   * The second at which this stream, which has a picture now, is to come to the front; null where it is. Asked again once
   * it is there, `tried` times so far, because what was on screen has gone on meanwhile.
   */
  protected abstract entryOf(slot: StreamSlot, tried: number): number | null;
  /** It has come to the front; `signal` ends with it. */
  protected abstract onFront(slot: StreamSlot, signal: AbortSignal): void;
  /** How fast this one is to play now. */
  protected abstract rateOf(slot: StreamSlot): number;
  /** This second of the stream in front is on screen; where nothing tells of frames, this is where it is. */
  protected abstract onFrame(slot: StreamSlot, time: number): void;
  /** The page is hidden, or back in sight. */
  protected onVisibility(hidden: boolean): void {
    if (!hidden) this.resume();
  }

  protected get front(): StreamSlot | null {
    return this.#front;
  }
  protected get newest(): StreamSlot | null {
    return this.#coming ?? this.#front;
  }

  /** Plays this stream as soon as it has a picture; the one before stays until then and is dropped. */
  protected open(stream: Stream): StreamSlot {
    this.#listen();
    this.#coming?.destroy();
    const slot = new StreamSlot({
      ...stream,
      failed: (error) => {
        if (slot === this.#coming) this.#dropComing();
        stream.failed(error);
      },
    });
    this.#coming = slot;
    this.stage.append(slot.video);
    this.apply(this.settings);
    this.updatePaused();
    let tried = 0;
    const ready = (): void => {
      if (slot !== this.#coming || !slot.showable) return;
      const entry = tried < MOST_TRIES ? this.entryOf(slot, tried++) : null;
      if (entry === null) this.#bringForward(slot);
      else slot.video.currentTime = entry;
    };
    for (const type of ['loadeddata', 'seeked', 'canplay']) slot.video.addEventListener(type, ready);
    return slot;
  }

  /** Stops the stream in front; its picture stays until the next one is shown. */
  freeze(): void {
    this.#showing.abort();
    this.#front?.freeze();
    this.updatePaused();
  }

  /** Drops everything, videos included; the player can be used again. */
  override reset(): void {
    this.#showing.abort();
    this.#listening?.abort();
    this.#listening = null;
    for (const slot of [this.#front, this.#coming, this.#behind]) slot?.destroy();
    this.#front = this.#coming = this.#behind = null;
    super.reset();
  }

  #listen(): void {
    if (this.#listening) return;
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    document.addEventListener('visibilitychange', () => this.onVisibility(document.hidden), { signal });
  }

  #dropComing(): void {
    this.#coming?.destroy();
    this.#coming = null;
    this.updatePaused();
  }

  #bringForward(slot: StreamSlot): void {
    this.#behind?.destroy();
    this.#behind = this.#front;
    this.#front = slot;
    this.#coming = null;
    this.#showing.abort();
    const { signal } = (this.#showing = new AbortController());
    const { video } = slot;
    video.classList.add('front');
    const behind = this.#behind;
    behind?.video.classList.remove('front');
    const moved = behind && movePictureInPicture(behind.video, video);
    const letGo = (): void => {
      if (this.#behind !== behind) return;
      behind?.destroy();
      this.#behind = null;
    };
    for (const type of mediaEvents) {
      video.addEventListener(type, () => this.#onEvent(slot, type), { signal });
    }
    this.onFront(slot, signal);
    slot.painted.onceOnScreen(signal, () => {
      if (moved) void moved.then(letGo);
      else letGo();
      slot.stream.painted();
    });
    this.#watch(slot, signal);
    this.fire('resize');
    this.fire('durationchange');
    if (!this.paused) void this.start();
  }

  /** Follows what is painted, frame by frame. */
  #watch(slot: StreamSlot, signal: AbortSignal): void {
    onNextFrame(slot.video, (second) => {
      if (signal.aborted) return;
      this.#watch(slot, signal);
      this.pace(slot);
      this.onFrame(slot, second);
    });
  }

  #onEvent(slot: StreamSlot, type: string): void {
    const { video, stream } = slot;
    if (type === 'ended') {
      stream.ended();
      // Another one follows, or it plays once more.
      if (this.#coming || slot !== this.#front || !video.ended) return;
      this.updatePaused();
      this.fire('ended');
    } else if (type === 'pause' || type === 'play') {
      this.onVideoToggled(type);
    } else if (type === 'canplay') {
      // Media that was repaired has been loaded anew, which pauses it without a word.
      this.resume();
    } else if (type === 'timeupdate' && (document.hidden || !('requestVideoFrameCallback' in video))) {
      // Nothing is painted there, or nothing is told of it.
      this.pace(slot);
      this.onFrame(slot, video.currentTime);
    }
    if (!ownEvents.has(type)) this.fire(type);
  }

  protected override get playable(): boolean {
    const isOver = !this.#front || this.#front.video.ended || this.#showing.signal.aborted;
    return !isOver || this.#coming !== null;
  }

  protected override get mutesToPlay(): boolean {
    return true;
  }

  protected override apply({ muted, volume }: PlayerSettings): void {
    for (const slot of [this.#front, this.#coming]) {
      if (!slot) continue;
      slot.video.muted = muted;
      slot.video.volume = volume;
      this.pace(slot);
    }
  }

  /** Sets the speed of this one to what it is to be now. */
  protected pace(slot: StreamSlot): void {
    const rate = this.rateOf(slot);
    const { video } = slot;
    if (video.playbackRate === rate) return;
    video.defaultPlaybackRate = rate;
    video.playbackRate = rate;
  }

  override get media(): HTMLVideoElement | null {
    return this.#front?.video ?? null;
  }
  override get ended(): boolean {
    return !this.#coming && (this.media?.ended ?? false);
  }
  override get currentSrc(): string {
    return this.#front?.stream.url ?? '';
  }
}
