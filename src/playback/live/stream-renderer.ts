// Plays one manifest in one `<video>`: loads its engine, recovers it from errors, and converts the times of its manifest.
// - Playback starts at the live edge, or at the first frame when that is asked for.
// - MediaSource before native HLS: Safari starts low-latency streams 10 s late, and Chromium claims native HLS and then fails.
//   Shaka, which a page asks for by `sign-elements/dash`, and hls.js are loaded by `import()`.
// - It fails when the engine does not load in a minute, and at once when the CSP of the page forbids blob: media (no engine
//   reports that).
// - A moment is milliseconds since 1970 on the clock of the manifest.
import { loadCode } from '../../internal/load-code.ts';
import { loadFailed, SignError } from '../../protocol/sign-error.ts';
import { ownError } from '../../protocol/own-errors.ts';
import { PaintedFrame } from '../video-progress.ts';
import { signerVideo } from '../signer-video.ts';
import { dashLoader, type StreamFormat, type Engine, type OpenEngine } from './engine.ts';
import { ErrorController, GapController } from './stream-recovery.ts';
import { loadHls } from './hls-engine.ts';

/** A stream, and the callbacks of its owner. */
export interface Stream {
  /** Address of the manifest, http or https. */
  readonly url: string;
  readonly format: StreamFormat;
  /** True for the stream of one text, which plays from its first frame and has an end; else it plays from the live edge. */
  readonly fromStart: boolean;
  /** The service has just given its address, and may not have written its playlist yet. */
  readonly isFresh?: boolean;
  /** Seconds behind live at which it starts; null or absent: as the manifest advises. */
  readonly targetLatency?: number | null;
  /** Its address was refused: resolves with true when the owner plays another address instead. */
  readonly renew?: (signal: AbortSignal) => Promise<boolean>;
  /** True while something that the source was told to show is awaited: the source may not pause then. Absent: never. */
  isAwaited?(): boolean;
  /** True once its source has ended, whatever the manifest says. Absent: never. */
  isOver?(): boolean;
  /** Its first frame is on screen. */
  painted(): void;
  /** The last frame of a stream that has an end was shown. */
  ended(): void;
  /** The engine has failed (true), or new media was buffered (false). */
  recovering?(on: boolean): void;
  /** Its manifest was read, for the first time or again. */
  onPlaylist?(): void;
  /** New media is in the buffer: this number of bytes. */
  onBuffered?(bytes: number): void;
  /** Code did not load, and is tried again. */
  retrying?(cause: unknown): void;
  /** It ends here: `media_refused`, `media_error` or `load_failed`. */
  failed(error: SignError): void;
}

export class StreamRenderer {
  readonly video = signerVideo();
  readonly painted = new PaintedFrame(this.video);
  readonly stream: Stream;
  readonly #ending = new AbortController();
  #engine: Engine | null = null;
  /** The edge when the metadata was loaded, and `performance.now()` of that. */
  #firstEdge: { readonly second: number; readonly at: number } | null = null;
  #targetLatency: number | null;
  /** Goes on with the download; null while it is not paused. */
  #goOn: (() => void) | null = null;

  constructor(stream: Stream) {
    this.stream = stream;
    this.#targetLatency = stream.targetLatency ?? null;
    const { signal } = this.#ending;
    const onMetadata = (): void => {
      const second = this.edge;
      if (second !== null) this.#firstEdge ??= { second, at: performance.now() };
    };
    this.video.addEventListener('loadedmetadata', onMetadata, { signal });
    void this.#open(signal).catch((cause: unknown) => {
      const error =
        cause instanceof SignError ? cause : ownError('media_error', 'the player did not load', { cause });
      if (!signal.aborted) stream.failed(error);
    });
  }

  async #open(signal: AbortSignal): Promise<void> {
    const { stream, video } = this;
    this.painted.reset();
    // The engine is built after this check: a video that was removed meanwhile gets no source.
    const { retrying } = stream;
    const openEngine = await loadCode(() => loadEngine(stream.format), { signal, retrying }).catch(
      (cause: unknown) => {
        throw loadFailed(cause);
      },
    );
    if (signal.aborted) return;
    if (!openEngine) {
      const isLeftOut = stream.format === 'dash' && !dashLoader();
      const reason = isLeftOut
        ? "DASH needs `import 'sign-elements/dash'`"
        : 'this browser plays no such streams';
      return stream.failed(ownError('media_error', reason));
    }
    let errors: ErrorController | null = null;
    let gaps: GapController | null = null;
    const engine = openEngine({
      video,
      fromStart: stream.fromStart,
      targetLatency: this.#targetLatency,
      hasEnd: () => stream.fromStart || stream.isOver?.() === true,
      events: {
        onPlaylist: () => {
          gaps?.playlistRead();
          stream.onPlaylist?.();
        },
        onBuffered: (bytes) => {
          errors?.mediaBuffered();
          stream.onBuffered?.(bytes);
        },
        onError: (error) => errors?.engineFailed(error),
        retrying,
      },
    });
    const failed = (error: SignError): void => {
      this.#ending.abort();
      engine.stop();
      stream.failed(error);
    };
    // Nothing is tried while the download is paused.
    const unlessPaused = (run: () => void) => (): void => {
      if (this.#goOn) this.#goOn = run;
      else run();
    };
    const tried = {
      get isLive() {
        return engine.isLive;
      },
      start: unlessPaused(() => engine.start()),
      repair: unlessPaused(() => engine.repair()),
    };
    errors = new ErrorController({ ...stream, engine: tried, failed }, signal);
    this.#engine = engine;
    gaps = new GapController({ ...stream, engine, video, failed }, signal);
    const onPolicyViolation = ({
      effectiveDirective,
      blockedURI,
      disposition,
    }: SecurityPolicyViolationEvent): void => {
      const isMediaBlob = effectiveDirective === 'media-src' && blockedURI.startsWith('blob');
      if (!isMediaBlob || disposition !== 'enforce' || video.src.startsWith('http')) return;
      stream.failed(ownError('media_error', 'the policy of the page has no media-src blob:'));
    };
    document.addEventListener('securitypolicyviolation', onPolicyViolation, { signal });
    engine.load(stream.url);
  }

  /** Aborts when it is destroyed or has failed. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** True when a frame can be shown without a wait. */
  get isReady(): boolean {
    const { readyState, seeking } = this.video;
    return readyState >= HTMLMediaElement.HAVE_CURRENT_DATA && !seeking && this.#engine?.isStarting === false;
  }

  /** False for a stream that has an end; null before its manifest was read. */
  get isLive(): boolean | null {
    return this.#engine?.isLive ?? null;
  }

  /** The second at which the manifest begins; 0 where `seekable` of the video says it. */
  get windowStart(): number {
    return this.#engine?.windowStart ?? 0;
  }

  /** The second before which the stream had nothing; -Infinity where that is not known. */
  get begin(): number {
    return this.#engine?.begin ?? -Infinity;
  }

  /** The second at which the manifest ends now; null before there is one. */
  get edge(): number | null {
    return this.#engine?.edge ?? null;
  }

  /** The edge at this time of `performance.now()`, counted from the edge when the metadata was loaded; null before that. */
  edgeAt(now: number): number | null {
    const first = this.#firstEdge;
    return first && first.second + (now - first.at) / 1000;
  }

  /** The live edge now, in seconds; null when that is not known, and for a stream with an end. */
  get #liveEdge(): number | null {
    return this.#engine?.liveEdge ?? null;
  }

  /** Seconds behind live at which playback should be; null while that is not known. */
  get targetLatency(): number | null {
    return this.#targetLatency ?? this.#engine?.holdBack ?? null;
  }
  /** Null follows the manifest. */
  set targetLatency(latency: number | null) {
    this.#targetLatency = latency;
    this.#engine?.setTargetLatency(latency);
  }

  /** Seconds behind live; null for a stream with an end, and before its manifest was read. */
  get latency(): number | null {
    const liveEdge = this.#liveEdge;
    return liveEdge && Math.max(0, liveEdge - this.video.currentTime);
  }

  /**
   * The second at which live playback should be; null when that is not known, and for a stream with an end. It is never nearer to
   * live than the manifest advises: a lower target latency is reached by playback rate, as far as the buffer allows.
   */
  get livePosition(): number | null {
    const { targetLatency } = this;
    const liveEdge = this.#liveEdge;
    if (liveEdge === null || targetLatency === null) return null;
    const distance = Math.max(targetLatency, this.#engine?.holdBack ?? 0);
    return Math.min(liveEdge - distance, this.edge!);
  }

  /** The second of the video for this moment; null when the manifest has no dates. */
  timeOf(moment: number): number | null {
    return this.#engine?.timeOf(moment) ?? null;
  }

  /** The moment of this second of the video; null when the manifest has no dates. */
  momentOf(time: number): number | null {
    return this.#engine?.momentOf(time) ?? null;
  }

  /** Ends download and playback, and removes the video. */
  destroy(): void {
    this.#ending.abort();
    this.painted.leave();
    const { video } = this;
    video.remove();
    const clear = (): void => {
      video.removeAttribute('src');
      video.load();
    };
    const destroyed = this.#engine?.destroy();
    this.#engine = null;
    if (!destroyed) return clear();
    video.pause();
    destroyed.then(clear, clear);
  }

  /** Pauses, and stops the download; the picture stays. */
  pauseLoading(): void {
    this.video.pause();
    this.#goOn = () => this.#engine?.start();
    this.#engine?.stop();
  }

  /** Goes on with the download after `pauseLoading`. */
  resumeLoading(): void {
    const goOn = this.#goOn;
    this.#goOn = null;
    goOn?.();
  }
}

const hasMediaSource = (): boolean => 'MediaSource' in globalThis || 'ManagedMediaSource' in globalThis;

/** @returns null when this browser cannot play such streams */
async function loadEngine(format: StreamFormat): Promise<OpenEngine | null> {
  if (hasMediaSource()) {
    if (format === 'dash') return (await dashLoader()?.()) ?? null;
    const openHls = await loadHls();
    if (openHls) return openHls;
  }
  if (format !== 'hls') return null;
  const { openNative, playsNatively } = await import('./native-engine.ts');
  return playsNatively() ? openNative : null;
}
