// Plays streams one after the other in one box of the page.
// - The box never becomes black: the stream on screen stays until the next one has painted the frame of its entry point. After a
//   seek a video still shows an older frame until then.
// - A stream whose sound is refused by the autoplay policy plays muted: a signer without sound is better than none.
import { onEachFrame, reportsFrames } from '../video-progress.ts';
import { movePictureInPicture } from '../signer-video.ts';
import { mediaEvents, type PlayerSettings } from '../player.ts';
import { VideoPlayer } from '../video-player.ts';
import { Counts } from '../counts.ts';
import { bufferedAhead } from './stream-recovery.ts';
import { StreamRenderer, type Stream } from './stream-renderer.ts';

/** Events that the player fires itself, because those of a video do not always come from the visitor. */
const ownEvents = new Set(['play', 'pause', 'ended', 'ratechange', 'volumechange', 'emptied']);

/** How often a stream seeks to its entry point before it is shown. */
const MAX_ENTRY_SEEKS = 3;

/** The frame of the entry point begins up to a second before it, or just after it, because timestamps are rounded. */
const [LONGEST_FRAME_S, TOLERANCE_S] = [1, 0.02];

/** The longest wait for the frame of the entry point, in ms, where the browser reports no frames. */
const ENTRY_FRAME_MS = 500;

export abstract class StreamPlayer extends VideoPlayer {
  counts = new Counts();
  /** Called when code did not load, and is tried again. */
  retrying: (cause: unknown) => void = () => {};
  #active: StreamRenderer | null = null;
  /** The one that loads and has no frame yet. */
  #next: StreamRenderer | null = null;
  /** The active one before; visible until the active one has painted. */
  #previous: StreamRenderer | null = null;
  /** Aborted when the active stream ends or is replaced. */
  #showing = new AbortController();
  #listening: AbortController | null = null;

  /**
   * The second at which this stream, which is ready now, is shown from; null for its current time. Called again after
   * each seek (`tried` counts them), because the stream on screen has gone on meanwhile.
   */
  protected abstract entryOf(renderer: StreamRenderer, tried: number): number | null;
  /** The stream is shown; `signal` aborts when it is replaced. */
  protected abstract onActive(renderer: StreamRenderer, signal: AbortSignal): void;
  /** The playback rate that this stream should have now. */
  protected abstract rateOf(renderer: StreamRenderer): number;
  /** The frame at this second of the active stream is on screen; where the browser reports no frames, its current time. */
  protected abstract onFrame(renderer: StreamRenderer, time: number): void;
  /**
   * True when playback is beyond this second and the media of it was never loaded. The second stays in `seekable` of the video
   * while earlier media is in the buffer.
   */
  hasSkipped(second: number): boolean {
    const { video } = this.#active!;
    return video.currentTime > second && bufferedAhead(video, second) === 0;
  }

  protected get active(): StreamRenderer | null {
    return this.#active;
  }
  protected get newest(): StreamRenderer | null {
    return this.#next ?? this.#active;
  }

  /** Plays this stream as soon as it has a frame; the stream before stays on screen until then. */
  protected open(stream: Stream): StreamRenderer {
    this.#listen();
    this.#next?.destroy();
    const renderer = new StreamRenderer({
      ...stream,
      retrying: (cause) => this.retrying(cause),
      onBuffered: (bytes) => {
        this.counts.bytes += bytes;
        ready();
      },
      failed: (error) => {
        if (renderer === this.#next) this.dropNext();
        stream.failed(error);
      },
    });
    this.#next = renderer;
    this.box.append(renderer.video);
    this.applyToVideos(this.settings);
    this.updatePaused();
    const { video } = renderer;
    let tried = 0;
    let [isSought, isPainted] = [true, true];
    let leave = (): void => {};
    let timer: ReturnType<typeof setTimeout> | undefined;
    const forward = (): void => {
      leave();
      clearTimeout(timer);
      if (renderer === this.#next) this.#activate(renderer);
    };
    const seek = (entry: number): void => {
      leave();
      clearTimeout(timer);
      isSought = isPainted = false;
      leave = onEachFrame(video, (second) => {
        isPainted ||= second > entry - LONGEST_FRAME_S && second < entry + TOLERANCE_S;
        if (isPainted && isSought) forward();
      });
      video.currentTime = entry;
    };
    const ready = (): void => {
      if (renderer !== this.#next || !renderer.isReady) return;
      const entry = tried < MAX_ENTRY_SEEKS ? this.entryOf(renderer, tried++) : null;
      if (entry !== null) return seek(entry);
      isSought = true;
      clearTimeout(timer);
      if (isPainted) forward();
      else timer = setTimeout(forward, document.hidden ? 0 : ENTRY_FRAME_MS);
    };
    for (const type of ['loadeddata', 'seeked', 'canplay']) video.addEventListener(type, ready);
    renderer.signal.addEventListener('abort', () => leave(), { once: true });
    return renderer;
  }

  /** Stops the stream on screen; its picture stays until the next one is shown. */
  freeze(): void {
    this.#showing.abort();
    this.#active?.pauseLoading();
    this.updatePaused();
  }

  /** Drops the stream that has no frame yet. */
  dropNext(): void {
    this.#next?.destroy();
    this.#next = null;
    this.updatePaused();
  }

  /** Removes all streams and videos; the player can be used again. */
  override reset(): void {
    this.#showing.abort();
    this.#listening?.abort();
    this.#listening = null;
    for (const renderer of [this.#active, this.#next, this.#previous]) renderer?.destroy();
    this.#active = this.#next = this.#previous = this.counts.latency = null;
    super.reset();
  }

  #listen(): void {
    if (this.#listening) return;
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    document.addEventListener('visibilitychange', () => this.onVisibility(), { signal });
  }

  #activate(renderer: StreamRenderer): void {
    this.#previous?.destroy();
    this.#previous = this.#active;
    this.#active = renderer;
    this.#next = null;
    this.#showing.abort();
    const { signal } = (this.#showing = new AbortController());
    const { video } = renderer;
    video.classList.add('shown');
    const previous = this.#previous;
    previous?.video.classList.remove('shown');
    const moved = previous && movePictureInPicture(previous.video, video);
    const removePrevious = (): void => {
      if (this.#previous !== previous) return;
      previous?.destroy();
      this.#previous = null;
    };
    for (const type of mediaEvents) {
      video.addEventListener(type, () => this.#onEvent(renderer, type), { signal });
    }
    this.onActive(renderer, signal);
    renderer.painted.onceOnScreen(signal, () => {
      if (moved) void moved.then(removePrevious);
      else removePrevious();
      renderer.stream.painted();
    });
    this.#watch(renderer, signal);
    this.fire('resize');
    this.fire('durationchange');
    if (!this.paused) void this.start();
  }

  /** Calls `onFrame` for each painted frame. */
  #watch(renderer: StreamRenderer, signal: AbortSignal): void {
    const leave = onEachFrame(renderer.video, (second) => {
      this.updateRate(renderer);
      this.counts.latency = renderer.latency;
      this.onFrame(renderer, second);
    });
    signal.addEventListener('abort', leave, { once: true });
  }

  #onEvent(renderer: StreamRenderer, type: string): void {
    const { video, stream } = renderer;
    if (type === 'ended') {
      stream.ended();
      // Another stream follows, or this one plays again.
      if (this.#next || renderer !== this.#active || !video.ended) return;
      this.updatePaused();
      this.fire('ended');
    } else if (type === 'pause' || type === 'play') {
      this.onVideoToggled(type);
    } else if (type === 'canplay') {
      // The load of a repaired source has paused the video without an event.
      this.resume();
    } else if (type === 'timeupdate' && !reportsFrames(video)) {
      // A hidden page paints nothing; some browsers report no frames.
      this.updateRate(renderer);
      this.onFrame(renderer, video.currentTime);
    }
    if (!ownEvents.has(type)) this.fire(type);
  }

  protected override get playable(): boolean {
    const isOver = !this.#active || this.#active.video.ended || this.#showing.signal.aborted;
    return !isOver || this.#next !== null;
  }

  protected override get mutesToPlay(): boolean {
    return true;
  }

  protected override applyToVideos({ muted, volume }: PlayerSettings): void {
    for (const renderer of [this.#active, this.#next]) {
      if (!renderer) continue;
      Object.assign(renderer.video, { defaultMuted: muted, muted, volume });
      this.updateRate(renderer);
    }
  }

  /** Sets the playback rate that this stream should have now. */
  protected updateRate(renderer: StreamRenderer): void {
    const rate = this.rateOf(renderer);
    const { video } = renderer;
    if (video.playbackRate === rate) return;
    video.defaultPlaybackRate = rate;
    video.playbackRate = rate;
  }

  override get media(): HTMLVideoElement | null {
    return this.#active?.video ?? null;
  }
  override get ended(): boolean {
    return !this.#next && (this.media?.ended ?? false);
  }
  override get currentSrc(): string {
    return this.#active?.stream.url ?? '';
  }
}
