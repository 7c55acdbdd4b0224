// The streams of the sandbox: those that grow, and those that have ended and are still served.
// - At most `live_streams` grow at one time; one more is refused with StreamsFull. Streams that another process encodes do not
//   count, because the owner of that process limits them.
// - Each keeps at most 64 MB (SegmentWindow). An ongoing stream is served for 60 s after its end, a job as long as a media URL is
//   valid. Ended streams are removed earlier, the oldest first, when all streams together hold more than 512 MB or there are more
//   than 256.
// - An address is signed for 24 hours, which is longer than a stream lasts.
// - A stream that another process encodes is served `live_latency_seconds` later, and so is its end.
import { type SandboxClock, systemClock } from '../clock.ts';
import type { SandboxLimits } from '../settings.ts';
import type { MediaRoute } from '../media/media-origin.ts';
import { paintedSize, type RenderOptions } from '../painter/render-options.ts';
import { FRAMES_PER_SECOND, scriptOf } from '../painter/script.ts';
import { type AccessCookie, accessCookies } from '../media/signed-url.ts';
import { GrowingStream } from './growing-stream.ts';
import { MEDIA_PLAYLIST } from './hls-playlist.ts';
import { DASH_MANIFEST, prefixOf, streamRoute } from './stream-route.ts';
import type { StreamReport, StreamSpec } from './stream-spec.ts';
import { StreamThread } from './stream-thread.ts';

const SIGNATURE_MS = 24 * 3600 * 1000;
const ONGOING_KEPT_MS = 60_000;
const MOST_ENDED = 256;
const MOST_BYTES = 512 * 1024 * 1024;

/** The limit of growing streams is reached. */
export class StreamsFull extends Error {
  override readonly name = 'StreamsFull';
}

/** A growing stream, as its owner uses it. */
export interface LiveStream {
  readonly id: string;
  /** Signed address of the HLS media playlist. */
  readonly hlsUrl: string;
  /** Signed address of the DASH manifest. */
  readonly dashUrl: string;
  /** The signature as cookies. Every address contains it already, so a player need not send the cookies. */
  readonly cookies: readonly AccessCookie[];
  /**
   * Signs a text after the earlier ones. Does nothing once the stream has ended.
   * @param seconds length that its pace is fitted to; null for its own pace
   * @param begun called when its first frame is painted
   * @returns seconds of video that it makes
   */
  sign(text: string, seconds: number | null, begun?: () => void): number;
  /** Signs the queued texts, then ends. */
  end(): void;
  /** Ends at once, without the queued texts. */
  stop(): void;
  /** Resolves when the stream has ended, for any reason. */
  readonly ended: Promise<void>;
}

/** A stream that is encoded elsewhere and served here. Until it has begun its addresses answer 503. */
export interface HostedStream extends Pick<LiveStream, 'id' | 'hlsUrl' | 'dashUrl' | 'cookies'> {
  /** Called once, before anything is reported about the stream. */
  begin(spec: StreamSpec): void;
  /** Handles a report of the encoder. The end is the last report; a stream that never began may also report it. */
  hear(report: StreamReport): void;
}

interface StreamServiceDeps {
  readonly clock: SandboxClock;
  readonly render: RenderOptions;
  /** The limits now in force. */
  readonly limits: () => SandboxLimits;
  /** Makes a new string of 32 hex digits at each call. */
  readonly newId: () => string;
  /** Secret of the signatures. */
  readonly secret: string;
  /** `path` on the media origin, signed until `expires` (milliseconds since 1970). */
  readonly urlOf: (path: string, expires: number) => string;
  /** The thread's module; only given when it is not the usual one. */
  readonly threadUrl?: URL;
}

interface Owned {
  readonly stream: GrowingStream;
  /** Callbacks of the texts that have not begun, in their order. */
  readonly begun: (() => void)[];
}

interface Kept {
  readonly stream: GrowingStream;
  readonly cancel: () => void;
}

export class StreamService {
  /** Serves the streams on the media origin. */
  readonly route: MediaRoute;
  readonly #deps: StreamServiceDeps;
  readonly #thread: StreamThread;
  readonly #growing = new Map<string, Owned>();
  /** Streams that are encoded elsewhere; null until they begin. */
  readonly #hosted = new Map<string, GrowingStream | null>();
  /** In the order of their ends. */
  readonly #ended = new Map<string, Kept>();
  #closed = false;

  constructor(deps: StreamServiceDeps) {
    this.#deps = deps;
    this.#thread = new StreamThread((id, report) => this.#hear(id, report), deps.render, deps.threadUrl);
    const { clock, secret } = deps;
    const named = (id: string): GrowingStream | undefined =>
      this.#growing.get(id)?.stream ?? this.#hosted.get(id) ?? this.#ended.get(id)?.stream;
    const isAwaited = (id: string): boolean => this.#hosted.get(id) === null;
    this.route = streamRoute({ clock, secret, named, isAwaited });
  }

  /** Number of streams that grow now. */
  get growing(): number {
    return this.#growing.size;
  }

  /** Opens a stream. @throws StreamsFull, also when the service is closed */
  open(asked: StreamSpec): LiveStream {
    const { limits, newId, render } = this.#deps;
    const spec = { ...asked, style: paintedSize(asked.style, render) };
    if (this.#closed || this.#growing.size >= limits().live_streams) {
      throw new StreamsFull(`${this.#growing.size} streams grow, and no more may`);
    }
    const id = newId();
    const stream = this.#streamOf(spec);
    const owned: Owned = { stream, begun: [] };
    this.#growing.set(id, owned);
    this.#thread.tell({ kind: 'open', id, spec });
    return {
      ...this.#addressesOf(id),
      sign: (text, seconds, begun = () => {}) => {
        const script = scriptOf(text, seconds, render.framesPerWord);
        owned.begun.push(begun);
        this.#thread.tell({ kind: 'sign', id, script });
        return script.gloss.frames / FRAMES_PER_SECOND;
      },
      end: () => this.#thread.tell({ kind: 'end', id }),
      stop: () => this.#thread.tell({ kind: 'stop', id }),
      ended: stream.ended,
    };
  }

  /** Makes room for a stream that is encoded elsewhere. @throws StreamsFull when the service is closed */
  host(): HostedStream {
    if (this.#closed) throw new StreamsFull('no more streams grow');
    const id = this.#deps.newId();
    this.#hosted.set(id, null);
    const { live_latency_seconds: seconds } = this.#deps.limits();
    const later = this.#later(seconds);
    return {
      ...this.#addressesOf(id),
      begin: (spec) => later(() => void this.#hosted.set(id, this.#streamOf(spec, seconds))),
      hear: (report) => later(() => this.#hearHosted(id, report)),
    };
  }

  /** Returns a function that runs the given steps in order, each after this many seconds. */
  #later(seconds: number): (step: () => void) => void {
    const waiting: (() => void)[] = [];
    return (step) => {
      if (seconds === 0 || this.#closed) return step();
      waiting.push(step);
      this.#deps.clock.after(seconds * 1000, () => waiting.shift()!());
    };
  }

  /** Ends all streams and the thread. Nothing is served after it. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const id of this.#hosted.keys()) this.#hearHosted(id, { kind: 'ended', problem: null });
    for (const id of this.#growing.keys()) this.#hear(id, { kind: 'ended', problem: null });
    for (const id of this.#ended.keys()) this.#forget(id);
    await this.#thread.close();
  }

  #streamOf(spec: StreamSpec, heldSeconds = 0): GrowingStream {
    const { clock } = this.#deps;
    return new GrowingStream(spec, clock, clock.now() - systemClock.now(), heldSeconds);
  }

  #addressesOf(id: string): Pick<LiveStream, 'id' | 'hlsUrl' | 'dashUrl' | 'cookies'> {
    const { clock, urlOf } = this.#deps;
    const signed = urlOf(prefixOf(id), clock.now() + SIGNATURE_MS);
    return {
      id,
      hlsUrl: fileUnder(signed, MEDIA_PLAYLIST),
      dashUrl: fileUnder(signed, DASH_MANIFEST),
      cookies: accessCookies(signed),
    };
  }

  #hearHosted(id: string, report: StreamReport): void {
    const stream = this.#hosted.get(id);
    stream?.hear(report);
    if (report.kind !== 'ended') return;
    this.#hosted.delete(id);
    if (stream) this.#keep(id, stream);
  }

  #hear(id: string, report: StreamReport): void {
    const owned = this.#growing.get(id);
    if (!owned) return;
    const { stream, begun } = owned;
    stream.hear(report);
    if (report.kind === 'begun') begun.shift()?.();
    if (stream.segments.isFull && stream.spec.kind === 'job') this.#thread.tell({ kind: 'stop', id });
    if (report.kind !== 'ended') return;
    if (report.problem !== null && !this.#closed) console.error(`a stream ended: ${report.problem}`);
    this.#growing.delete(id);
    this.#keep(id, stream);
  }

  #keep(id: string, stream: GrowingStream): void {
    const { clock, limits } = this.#deps;
    const kept = stream.spec.kind === 'job' ? limits().url_lifetime_seconds * 1000 : ONGOING_KEPT_MS;
    this.#ended.set(id, { stream, cancel: clock.after(kept, () => this.#forget(id)) });
    let bytes = 0;
    for (const each of this.#streams()) bytes += each.segments.bytes;
    for (const [oldest, { stream: old }] of this.#ended) {
      if (bytes <= MOST_BYTES && this.#ended.size <= MOST_ENDED) return;
      bytes -= old.segments.bytes;
      this.#forget(oldest);
    }
  }

  *#streams(): Generator<GrowingStream> {
    for (const { stream } of this.#growing.values()) yield stream;
    for (const stream of this.#hosted.values()) if (stream) yield stream;
    for (const { stream } of this.#ended.values()) yield stream;
  }

  #forget(id: string): void {
    this.#ended.get(id)?.cancel();
    this.#ended.delete(id);
  }
}

/** The address of a file under a signed prefix. */
function fileUnder(signedPrefix: string, name: string): string {
  const url = new URL(signedPrefix);
  url.pathname += name;
  return url.href;
}
