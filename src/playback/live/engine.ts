// The choice of a stream's manifest, and the interface of the engines that play one in a `<video>`: hls.js, Shaka, the browser.
// - HLS is chosen before DASH: it has the lower latency and the smaller player.
// - An engine loads, parses the manifest, fills the buffer and retries requests by its own means. Then it reports an error and
//   waits for `start` or `repair`.
// - Latency, stalls, errors and page visibility are handled outside, so that they are the same for all engines.
// - Seconds are those of the video. A moment is milliseconds since 1970 on the clock of the manifest, which is never compared
//   with the visitor's clock.

/** Why an engine has stopped, or tries again. */
export interface EngineError {
  readonly cause: 'network' | 'media';
  /** HTTP status of the answer; 0 when there was none, or when it is not known. */
  readonly status: number;
  /** The engine's own message, for developers. */
  readonly message: string;
  /** The engine goes on by itself. */
  readonly isRetried?: boolean;
}

export interface EngineEvents {
  /** The manifest was read, for the first time or again. */
  onPlaylist(): void;
  /** New media is in the buffer, this number of bytes: the only proof that loading works. */
  onBuffered(bytes: number): void;
  /** It has stopped, unless `isRetried`: `start` after a network error, `repair` after a media error. */
  onError(error: EngineError): void;
  /** Code of the engine did not load, and is tried again. */
  readonly retrying?: ((cause: unknown) => void) | undefined;
}

export interface Engine {
  /** Loads this manifest (http or https) in place of the one before. */
  load(url: string): void;
  /** False for a stream that has an end; null before its manifest was read. */
  readonly isLive: boolean | null;
  /** True when the manifest says that it has sound and no picture; absent where that is not known. */
  readonly isSoundAlone?: boolean;
  /** The second at which the manifest begins, where the video may name earlier ones as seekable; absent where it does not. */
  readonly windowStart?: number;
  /** The second before which the stream had nothing; absent or -Infinity where that is not known. */
  readonly begin?: number;
  /** The second at which the manifest ended when it was last read; null before that. */
  readonly edge: number | null;
  /** The live edge now, in seconds: `edge` and the time since the manifest was read. */
  readonly liveEdge: number | null;
  /** Seconds behind live that the manifest advises; null while that is not known. */
  readonly holdBack: number | null;
  /** True while the engine may still seek to the second where playback starts. */
  readonly isStarting: boolean;
  /** Bytes of the current download so far; changes as long as any are received. */
  readonly received: number;
  /** Seconds behind live at which playback starts, unless the manifest advises more; null follows `holdBack`. */
  setTargetLatency(latency: number | null): void;
  /** The second of the video for this moment; null when the manifest has no dates. */
  timeOf(moment: number): number | null;
  /** The moment of this second of the video; null when the manifest has no dates. */
  momentOf(time: number): number | null;
  /** Stops the download, as far as the engine allows; the picture stays. */
  stop(): void;
  /** Starts the download again, from the current time of the video. */
  start(): void;
  /** Rebuilds the media source, after the media could not be decoded. */
  repair(): void;
  /** Releases everything; when it returns a promise, the video is in use until that settles. */
  destroy(): void | Promise<void>;
}

/** Options of every engine. */
export interface EngineOptions {
  readonly video: HTMLVideoElement;
  /** True for the stream of one text, which plays from its first frame and has an end; else it plays from the live edge. */
  readonly fromStart: boolean;
  readonly targetLatency: number | null;
  /** True once nothing more comes after what its server has, even if the manifest never says so. */
  hasEnd(): boolean;
  readonly events: EngineEvents;
}

/** Makes an engine for one video. */
export type OpenEngine = (options: EngineOptions) => Engine;

/** Resolves with null when this browser cannot run the engine. */
type LoadEngine = () => Promise<OpenEngine | null>;

let dash: LoadEngine | null = null;

/** The engine of DASH, which is part of the page only where it is wanted (`sign-elements/dash`); null without it. */
export const dashLoader = (): LoadEngine | null => dash;

export function provideDash(load: LoadEngine): void {
  dash = load;
}

/** Addresses of one stream, http or https; null where it has none. */
export interface StreamAddresses {
  readonly hls: string | null;
  readonly dash: string | null;
}

/** `auto` prefers HLS. */
export type LiveProtocol = 'auto' | 'hls' | 'dash';

export type StreamFormat = 'hls' | 'dash';

/** The manifest to play. */
interface ChosenStream {
  readonly url: string;
  readonly format: StreamFormat;
}

/** The preferred manifest, else the other one; null when there is none. */
export function chooseStream({ hls, dash }: StreamAddresses, protocol: LiveProtocol): ChosenStream | null {
  const hlsStream: ChosenStream | null = hls === null ? null : { url: hls, format: 'hls' };
  const dashStream: ChosenStream | null = dash === null ? null : { url: dash, format: 'dash' };
  return protocol === 'dash' ? (dashStream ?? hlsStream) : (hlsStream ?? dashStream);
}
