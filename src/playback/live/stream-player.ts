// Streams shown one after the other on one place of the page. Policy: never black, so the picture that is there stays until
// the next stream has painted its own; what the visitor wants is kept apart from what the browser allows, as with clips: a
// pause by the browser (a hidden page, a moved element) is none, and one that it refuses to start is `blocked`.
import { mediaEvents } from '../player.ts';
import { onNextFrame } from '../next-frame.ts';
import { movePictureInPicture } from '../picture-in-picture.ts';
import { timeRange } from '../time-range.ts';
import { Player, type PlayerSettings } from '../player.ts';
import { startPlaying } from './autoplay.ts';
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
  #intent = true;
  #blocked = false;
  #paused = true;

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
  /** True while the picture stands by itself: no pause of the visitor's. */
  protected get isHeld(): boolean {
    return false;
  }
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
    this.#updatePaused();
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
    this.#updatePaused();
  }

  /** Resumes after the stage was moved in the document or the page was hidden, which pauses a video. */
  resume(): void {
    const video = this.media;
    if (video && !this.#paused && !this.isHeld && video.paused && !video.ended) void this.#start(video);
  }

  /** Drops everything, videos included; the player can be used again. */
  reset(): void {
    this.#showing.abort();
    this.#listening?.abort();
    this.#listening = null;
    for (const slot of [this.#front, this.#coming, this.#behind]) slot?.destroy();
    this.#front = this.#coming = this.#behind = null;
    this.#intent = true;
    this.#blocked = false;
    this.#updatePaused();
    this.fire('emptied');
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
    this.#updatePaused();
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
    if (!this.#paused && !this.isHeld) void this.#start(video);
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
      this.#updatePaused();
      this.fire('ended');
    } else if (type === 'pause') {
      // By picture-in-picture or a media key; the browser's own, for a hidden page, a moved element or media that cannot be
      // played, do not count.
      if (video.ended || document.hidden || !video.isConnected || !video.paused || this.isHeld) return;
      if (video.error) return;
      this.#intent = false;
      this.#updatePaused();
    } else if (type === 'play') {
      if (!this.#intent && !video.paused) void this.play();
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

  async #start(video: HTMLVideoElement): Promise<void> {
    const outcome = await startPlaying(video);
    if (video !== this.media) return;
    if (outcome === 'muted') this.muted = true;
    if (outcome !== 'refused') return;
    this.#blocked = true;
    this.#updatePaused();
  }

  #updatePaused(): void {
    const over = !this.#front || this.#front.video.ended || this.#showing.signal.aborted;
    const nothing = over && !this.#coming;
    const paused = !this.#intent || this.#blocked || nothing;
    if (paused === this.#paused) return;
    this.#paused = paused;
    this.fire(paused ? 'pause' : 'play');
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

  async play(): Promise<void> {
    this.#intent = true;
    this.#blocked = false;
    this.#updatePaused();
    if (this.media && !this.media.ended && !this.isHeld) await this.#start(this.media);
  }

  pause(): void {
    this.#intent = false;
    this.#updatePaused();
    this.media?.pause();
  }

  get media(): HTMLVideoElement | null {
    return this.#front?.video ?? null;
  }
  /** True when the browser refused to start playback without a gesture; `play()` from a gesture clears it. */
  get blocked(): boolean {
    return this.#blocked;
  }
  get paused(): boolean {
    return this.#paused;
  }
  get ended(): boolean {
    return !this.#coming && (this.media?.ended ?? false);
  }
  get seeking(): boolean {
    return this.media?.seeking ?? false;
  }
  get currentTime(): number {
    return this.media?.currentTime ?? 0;
  }
  set currentTime(time: number) {
    if (this.media && Number.isFinite(time)) this.media.currentTime = time;
  }
  get duration(): number {
    return this.media?.duration ?? NaN;
  }
  get buffered(): TimeRanges {
    return this.media?.buffered ?? timeRange(0);
  }
  get seekable(): TimeRanges {
    return this.media?.seekable ?? timeRange(0);
  }
  get currentSrc(): string {
    return this.#front?.stream.url ?? '';
  }
  get textTracks(): TextTrackList {
    return (this.media ?? document.createElement('video')).textTracks;
  }
}
