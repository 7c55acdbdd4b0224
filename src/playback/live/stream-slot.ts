// One manifest in one `<video>`: the engine that plays it, what helps it when it fails, and what its manifest says of
// time. Policy: playback begins at the live edge, or at the first picture where that is asked for; an engine that cannot be
// had fails the stream at once, and so does a policy of the page's that keeps media from it, because no engine is told of
// that. A moment is milliseconds since 1970 on the manifest's own clock.
import { inTime } from '../../internal/in-time.ts';
import type { SignError } from '../../protocol/sign-error.ts';
import { ownError } from '../../protocol/sign-error.ts';
import { PaintedFrame } from '../painted-frame.ts';
import { signerVideo } from '../signer-video.ts';
import { loadEngine, type StreamFormat } from './choose-engine.ts';
import type { Engine } from './engine.ts';
import { Recovery } from './recovery.ts';
import { Standstill } from './standstill.ts';

/** A stream to be shown, and who hears how it fares. */
export interface Stream {
  /** Address of the manifest, http(s). */
  readonly url: string;
  readonly format: StreamFormat;
  /** Plays from its first picture; else from the live edge. */
  readonly fromStart: boolean;
  /** Seconds behind live at which it begins; null, or absent, as the manifest advises. */
  readonly targetLatency?: number | null;
  /** Its address was refused: true when its owner goes on with another one, in another slot. */
  readonly renew?: (signal: AbortSignal) => Promise<boolean>;
  /** Its first picture is on screen. */
  painted(): void;
  /** The last picture of a stream that has an end has been shown. */
  ended(): void;
  /** The engine is being helped (true), or new media has come (false). */
  recovering?(on: boolean): void;
  /** Its manifest was read, the first time or again. */
  read?(): void;
  /** It will not be shown any further: `media_refused` or `media_error`. */
  failed(error: SignError): void;
}

export class StreamSlot {
  readonly video = signerVideo();
  readonly painted = new PaintedFrame(this.video);
  readonly stream: Stream;
  readonly #ending = new AbortController();
  #engine: Engine | null = null;
  #firstEdge: number | null = null;
  #targetLatency: number | null;

  constructor(stream: Stream) {
    this.stream = stream;
    this.#targetLatency = stream.targetLatency ?? null;
    const { signal } = this.#ending;
    this.video.addEventListener('loadedmetadata', () => (this.#firstEdge ??= this.edge), { signal });
    void this.#open(signal).catch((cause: unknown) => {
      if (!signal.aborted) stream.failed(ownError('media_error', 'the player did not load', { cause }));
    });
  }

  async #open(signal: AbortSignal): Promise<void> {
    const { stream, video } = this;
    this.painted.reset();
    // Built only then: nobody is to keep hold of a video that has gone meanwhile, or give it a source.
    const openEngine = await inTime(loadEngine(stream.format), signal);
    if (signal.aborted) return;
    if (!openEngine) return stream.failed(ownError('media_error', 'this browser plays no such streams'));
    let recovery: Recovery | null = null;
    const engine = openEngine({
      video,
      fromStart: stream.fromStart,
      targetLatency: this.#targetLatency,
      events: {
        read: () => stream.read?.(),
        fed: () => recovery?.fed(),
        broken: (fault) => recovery?.broken(fault),
      },
    });
    const { renew, recovering } = stream;
    recovery = new Recovery(
      {
        engine,
        ...(renew && { renew }),
        ...(recovering && { recovering }),
        failed: (error) => stream.failed(error),
      },
      signal,
    );
    this.#engine = engine;
    new Standstill({ engine, video, failed: (error) => stream.failed(error) }, signal);
    const forbidden = ({
      effectiveDirective,
      blockedURI,
      disposition,
    }: SecurityPolicyViolationEvent): void => {
      const isOfBlobs = effectiveDirective === 'media-src' && blockedURI.startsWith('blob');
      if (!isOfBlobs || disposition !== 'enforce' || video.src.startsWith('http')) return;
      stream.failed(ownError('media_error', 'the policy of the page has no media-src blob:'));
    };
    document.addEventListener('securitypolicyviolation', forbidden, { signal });
    engine.load(stream.url);
  }

  /** True once a picture can be shown without a wait. */
  get showable(): boolean {
    return this.video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA && !this.video.seeking;
  }

  /** False for a stream that has an end; null before its manifest was read. */
  get isLive(): boolean | null {
    return this.#engine?.isLive ?? null;
  }

  /** Seconds at which the manifest ends now; null before there is one. */
  get edge(): number | null {
    return this.#engine?.edge ?? null;
  }

  /** The edge when the stream was first seen. */
  get firstEdge(): number | null {
    return this.#firstEdge;
  }

  /** Where live is now, in seconds; null when that cannot be told, or for a stream with an end. */
  get liveEdge(): number | null {
    return this.#engine?.liveEdge ?? null;
  }

  /** Seconds behind live at which playback is to be; null while that is not known. */
  get targetLatency(): number | null {
    return this.#targetLatency ?? this.#engine?.holdBack ?? null;
  }
  /** Null follows the manifest. */
  set targetLatency(latency: number | null) {
    this.#targetLatency = latency;
    this.#engine?.aimAt(latency);
  }

  /**
   * Where playback that is up to date is, in seconds; null when that cannot be told, or for a stream with an end. A target
   * nearer to live than the manifest advises is not jumped to: it is approached by speed, as far as what comes allows.
   */
  get livePosition(): number | null {
    const { liveEdge, edge, targetLatency } = this;
    if (liveEdge === null || edge === null || targetLatency === null) return null;
    const distance = Math.max(targetLatency, this.#engine?.holdBack ?? 0);
    return Math.min(liveEdge - distance, edge);
  }

  /** The second of the video that shows this moment; null when the manifest has no dates. */
  timeOf(moment: number): number | null {
    return this.#engine?.timeOf(moment) ?? null;
  }

  /** The moment that this second of the video shows; null when the manifest has no dates. */
  momentOf(time: number): number | null {
    return this.#engine?.momentOf(time) ?? null;
  }

  /** Ends the download, the playback and the picture. */
  destroy(): void {
    this.#ending.abort();
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

  /** Stops the download; the picture stays. */
  freeze(): void {
    this.video.pause();
    this.#engine?.stop();
  }

  /** Goes on with the download after `freeze`. */
  thaw(): void {
    this.#engine?.start();
  }
}
