// Streams shown one after the other: a session's ongoing one, or one a text. Policy: never black, so the picture that is
// there stays until the next stream has painted its own; playback begins at the live edge, or before it where somebody
// waits for an earlier moment; after a pause it goes on where it stopped, and jumps to the edge, or to the moment that is
// waited for next, when it is more than 2 s behind; faster than life it plays only while it is behind. What the visitor
// wants is kept apart from what the browser allows, as with clips.
import { mediaEvents } from './media-surface.ts';
import { movePictureInPicture } from './picture-in-picture.ts';
import { bookmarkIn, type Bookmark } from './stream-bookmark.ts';
import { StreamMarks } from './stream-marks.ts';
import { StreamSkip } from './stream-skip.ts';
import { StreamSlot, type Stream } from './stream-slot.ts';
import { spanTo } from './time-span.ts';
import { VideoSurface, type SoundAndSpeed } from './video-surface.ts';

const BEHIND_SECONDS = 2;
const UP_TO_DATE_SECONDS = 0.5;
/** Events that the timeline fires itself, because a video's own are not always the visitor's doing. */
const ownEvents = new Set(['play', 'pause', 'ended', 'ratechange', 'volumechange', 'emptied']);

export class StreamTimeline extends VideoSurface {
  /** Holds the videos; whoever owns the timeline puts it on the page. */
  readonly stage = document.createElement('div');
  readonly #marks = new StreamMarks();
  readonly #skip = new StreamSkip();
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

  /** Plays this stream as soon as it has a picture; the one before stays until then and is dropped. */
  show(stream: Stream): void {
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
    let placed = false;
    const ready = (): void => {
      if (slot !== this.#coming || !slot.showable) return;
      const first = placed ? null : this.#marks.firstOf(slot);
      placed = true;
      if (first === null || first >= slot.video.currentTime) this.#bringForward(slot);
      else slot.video.currentTime = Math.max(0, first);
    };
    for (const type of ['loadeddata', 'seeked', 'canplay']) slot.video.addEventListener(type, ready);
  }

  /** Runs once this moment of the newest stream is on screen; see stream-marks.ts for what a moment is. */
  atMoment(moment: number | null, signal: AbortSignal, run: () => void): void {
    const newest = this.#coming ?? this.#front;
    if (!newest) return;
    this.#marks.atMoment(newest, moment, signal, run);
    const live = newest.livePosition;
    if (newest !== this.#front || live === null || this.#paused || this.#skip.on) return;
    const next = Math.min(live, this.#marks.firstOf(newest) ?? live);
    if (next - this.currentTime > BEHIND_SECONDS) this.currentTime = next;
  }

  /** Runs once this many more seconds of picture were on screen. */
  afterSeconds(seconds: number, signal: AbortSignal, run: () => void): void {
    this.#marks.after(seconds, signal, run);
  }

  /** The first second of the stream in front that somebody waits for; null when nobody does. */
  get nextMoment(): number | null {
    return this.#front && this.#marks.firstOf(this.#front);
  }

  /** Leaves out what is between here and this second of the stream in front; see stream-skip.ts. */
  skipTo(second: number): void {
    if (!this.#front) return;
    const wanted = (): number | null => this.nextMoment;
    this.#skip.begin(this.#front, second, wanted, () => this.resume());
  }

  /** Stops the stream in front; its picture stays until the next one is shown. */
  freeze(): void {
    this.#showing.abort();
    this.#front?.freeze();
    this.#updatePaused();
  }

  bookmark(): Bookmark {
    const slot = this.#front;
    return bookmarkIn(this, () => slot === this.#front);
  }

  /** Resumes after the stage was moved in the document or the page was hidden, which pauses a video. */
  resume(): void {
    const video = this.media;
    if (video && !this.#paused && !this.#skip.on && video.paused && !video.ended) void this.#start(video);
  }

  /** Drops everything, videos included; the timeline can be used again. */
  reset(): void {
    this.#skip.end();
    this.#showing.abort();
    this.#listening?.abort();
    this.#listening = null;
    for (const slot of [this.#front, this.#coming, this.#behind]) slot?.destroy();
    this.#front = this.#coming = this.#behind = null;
    this.#marks.clear();
    this.#intent = true;
    this.#blocked = false;
    this.#updatePaused();
    this.fire('emptied');
  }

  #listen(): void {
    if (this.#listening) return;
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    document.addEventListener('visibilitychange', () => document.hidden || this.resume(), { signal });
  }

  #dropComing(): void {
    this.#coming?.destroy();
    this.#coming = null;
    this.#updatePaused();
  }

  #bringForward(slot: StreamSlot): void {
    this.#skip.end();
    this.#behind?.destroy();
    this.#behind = this.#front;
    this.#front = slot;
    this.#coming = null;
    this.#showing.abort();
    const { signal } = (this.#showing = new AbortController());
    const { video } = slot;
    video.classList.add('front');
    if (this.#behind) {
      this.#behind.video.classList.remove('front');
      void movePictureInPicture(this.#behind.video, video);
    }
    for (const type of mediaEvents) {
      video.addEventListener(type, () => this.#onEvent(slot, type), { signal });
    }
    slot.painted.onceOnScreen(signal, () => {
      this.#behind?.destroy();
      this.#behind = null;
      slot.stream.painted();
    });
    this.#watch(slot, signal);
    this.fire('resize');
    this.fire('durationchange');
    if (!this.#paused) void this.#start(video);
  }

  /** Follows what is painted, frame by frame. */
  #watch(slot: StreamSlot, signal: AbortSignal): void {
    const painted: VideoFrameRequestCallback = (_, { mediaTime }) => {
      if (signal.aborted) return;
      slot.video.requestVideoFrameCallback(painted);
      this.#pace(slot);
      this.#marks.painted(slot, mediaTime);
    };
    slot.video.requestVideoFrameCallback?.(painted);
  }

  #onEvent(slot: StreamSlot, type: string): void {
    const { video, stream } = slot;
    if (type === 'ended') {
      stream.ended();
      if (this.#coming || slot !== this.#front) return;
      this.#updatePaused();
      this.fire('ended');
    } else if (type === 'pause') {
      // By picture-in-picture or a media key; the browser's own, for a hidden page or a moved element, do not count.
      if (video.ended || document.hidden || !video.isConnected || !video.paused || this.#skip.on) return;
      this.#intent = false;
      this.#updatePaused();
    } else if (type === 'play') {
      if (!this.#intent) void this.play();
    } else if (type === 'timeupdate' && (document.hidden || !('requestVideoFrameCallback' in video))) {
      // Nothing is painted there, or nothing is told of it.
      this.#marks.painted(slot, video.currentTime);
    }
    if (!ownEvents.has(type)) this.fire(type);
  }

  async #start(video: HTMLVideoElement): Promise<void> {
    try {
      await video.play();
    } catch (error) {
      const refused = error instanceof DOMException && error.name === 'NotAllowedError';
      if (!refused || video !== this.media) return;
      this.#blocked = true;
      this.#updatePaused();
    }
  }

  #updatePaused(): void {
    const over = !this.#front || this.#front.video.ended || this.#showing.signal.aborted;
    const nothing = over && !this.#coming;
    const paused = !this.#intent || this.#blocked || nothing;
    if (paused === this.#paused) return;
    this.#paused = paused;
    this.fire(paused ? 'pause' : 'play');
  }

  protected override apply({ muted, volume }: SoundAndSpeed): void {
    for (const slot of [this.#front, this.#coming]) {
      if (!slot) continue;
      slot.video.muted = muted;
      slot.video.volume = volume;
      this.#pace(slot);
    }
  }

  /** There is nothing to be faster with at the live edge. */
  #pace({ video, livePosition }: StreamSlot): void {
    const upToDate = livePosition !== null && livePosition - video.currentTime < UP_TO_DATE_SECONDS;
    const rate = upToDate ? Math.min(1, this.playbackRate) : this.playbackRate;
    if (video.playbackRate === rate) return;
    video.defaultPlaybackRate = rate;
    video.playbackRate = rate;
  }

  async play(): Promise<void> {
    this.#intent = true;
    this.#blocked = false;
    this.#updatePaused();
    if (this.media && !this.media.ended && !this.#skip.on) await this.#start(this.media);
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
    return this.media?.buffered ?? spanTo(0);
  }
  get seekable(): TimeRanges {
    return this.media?.seekable ?? spanTo(0);
  }
  get currentSrc(): string {
    return this.#front?.stream.url ?? '';
  }
  get textTracks(): TextTrackList {
    return (this.media ?? document.createElement('video')).textTracks;
  }
}
