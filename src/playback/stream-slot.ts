// One HLS manifest in one `<video>`, and what its playlist says of time. Policy: MSE by hls.js (the light build, loaded
// when the first stream plays) before the browser's own HLS, which starts low-latency streams some 10 s late or not at
// all; playback begins at the live edge; 40 s behind it stay in memory. A moment is milliseconds since 1970 on the
// playlist's clock (EXT-X-PROGRAM-DATE-TIME).
import type Hls from 'hls.js';
import { ownError } from '../protocol/own-errors.ts';
import type { SignError } from '../protocol/sign-error.ts';
import { PaintedFrame } from './painted-frame.ts';
import { signerVideo } from './signer-video.ts';
import { recoverStream } from './stream-recovery.ts';

const KEPT_SECONDS = 40;
const HLS_TYPE = 'application/vnd.apple.mpegurl';

/** A stream to be shown, and who hears how it fares. */
export interface Stream {
  /** Address of the HLS manifest, http(s). */
  readonly url: string;
  /** Plays from its first picture; else from the live edge. */
  readonly fromStart: boolean;
  /** Its first picture is on screen. */
  painted(): void;
  /** The last picture of a stream that has an end has been shown. */
  ended(): void;
  /** It will not be shown any further: `media_refused` or `media_error`. */
  failed(error: SignError): void;
}

/** Safari's way to tell the date of second 0; NaN when the playlist has none. */
type DatedVideo = HTMLVideoElement & { getStartDate?(): Date };

export class StreamSlot {
  readonly video = signerVideo();
  readonly painted = new PaintedFrame(this.video);
  readonly stream: Stream;
  readonly #ending = new AbortController();
  #hls: Hls | null = null;
  #firstEdge: number | null = null;

  constructor(stream: Stream) {
    this.stream = stream;
    const { signal } = this.#ending;
    this.video.addEventListener('loadedmetadata', () => (this.#firstEdge ??= this.edge), { signal });
    void this.#open(stream, signal).catch((cause: unknown) => {
      if (!signal.aborted) stream.failed(ownError('media_error', 'the player did not load', { cause }));
    });
  }

  /** True once a picture can be shown without a wait. */
  get showable(): boolean {
    return this.video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA && !this.video.seeking;
  }

  /** Seconds at which the playlist ends now; null before there is one. */
  get edge(): number | null {
    const details = this.#hls?.latestLevelDetails;
    if (details) return details.edge;
    const { seekable } = this.video;
    return seekable.length > 0 ? seekable.end(seekable.length - 1) : null;
  }

  /** The edge when the stream was first seen. */
  get firstEdge(): number | null {
    return this.#firstEdge;
  }

  /** Where playback that is up to date is, in seconds; null when that cannot be told, or for a stream with an end. */
  get livePosition(): number | null {
    return this.#hls?.latestLevelDetails?.live ? this.#hls.liveSyncPosition : null;
  }

  /** The second of the video that shows this moment; null when the playlist has no dates. */
  timeOf(moment: number): number | null {
    const details = this.#hls?.latestLevelDetails;
    if (!details) {
      const start = (this.video as DatedVideo).getStartDate?.().getTime() ?? NaN;
      return Number.isNaN(start) ? null : (moment - start) / 1000;
    }
    const { fragments, fragmentHint } = details;
    let time: number | null = null;
    for (const { programDateTime, start } of fragmentHint ? [...fragments, fragmentHint] : fragments) {
      if (programDateTime === null || (time !== null && programDateTime > moment)) continue;
      time = start + (moment - programDateTime) / 1000;
    }
    return time;
  }

  /** Ends the download, the playback and the picture. */
  destroy(): void {
    this.#ending.abort();
    this.#hls?.destroy();
    this.#hls = null;
    this.video.removeAttribute('src');
    this.video.load();
    this.video.remove();
  }

  /** Stops the download; the picture stays. */
  freeze(): void {
    this.video.pause();
    this.#hls?.stopLoad();
  }

  async #open(stream: Stream, signal: AbortSignal): Promise<void> {
    this.painted.reset();
    if ('MediaSource' in globalThis || 'ManagedMediaSource' in globalThis) {
      const { default: Player } = await import('hls.js/light');
      if (signal.aborted) return;
      if (Player.isSupported()) return this.#play(Player, stream, signal);
    }
    if (!this.video.canPlayType(HLS_TYPE)) {
      return this.stream.failed(ownError('media_error', 'this browser plays no streams'));
    }
    const broken = (): void =>
      this.stream.failed(ownError('media_error', this.video.error?.message || 'the stream does not play'));
    this.video.addEventListener('error', broken, { once: true, signal });
    this.video.src = stream.url;
  }

  #play(Player: typeof Hls, { url, fromStart }: Stream, signal: AbortSignal): void {
    const hls = (this.#hls = new Player({
      backBufferLength: KEPT_SECONDS,
      // A blob: worker would violate a strict policy, and fragmented MP4 needs no transmuxing.
      enableWorker: false,
      liveDurationInfinity: true,
      startPosition: fromStart ? 0 : -1,
    }));
    recoverStream(Player, hls, url, signal, (error) => this.stream.failed(error));
    hls.loadSource(url);
    hls.attachMedia(this.video);
  }
}
