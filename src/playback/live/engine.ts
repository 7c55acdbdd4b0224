// What plays one manifest in one `<video>`: hls.js, Shaka or the browser itself, all behind this. Policy: an engine loads,
// reads the manifest and fills the buffer, and retries a request by its own means; once those are spent it says so and
// waits to be told what to do. Latency, catch-up, stalls, recovery and visibility are none of its business, so that they
// are the same for all three. Seconds are those of the video's timeline; a moment is milliseconds since 1970 on the
// manifest's own clock, which is never compared with the visitor's.

/** Why an engine cannot go on by itself. */
export interface EngineFault {
  readonly cause: 'network' | 'media';
  /** HTTP status of the answer; 0 when there was none, or it is not known. */
  readonly status: number;
  /** In the engine's words, for developers. */
  readonly message: string;
}

export interface EngineEvents {
  /** The manifest was read, the first time or again. */
  read(): void;
  /** New media is in the buffer: the only proof that loading works. */
  fed(): void;
  /** It has stopped; `start` after a network fault, `repair` after one of the media makes it go on. */
  broken(fault: EngineFault): void;
}

export interface Engine {
  /** Loads this manifest, http(s), instead of the one before. */
  load(url: string): void;
  /** False for a stream that has an end; null before its manifest was read. */
  readonly isLive: boolean | null;
  /** Second at which the manifest ended when it was last read; null before that. */
  readonly edge: number | null;
  /** Where live is now: the edge and what has passed since it was told, in seconds. */
  readonly liveEdge: number | null;
  /** Seconds behind live that playback is to be, by the manifest; null while that is not known. */
  readonly holdBack: number | null;
  /** Bytes of the piece that is being loaded, so far; changes as long as any come. */
  readonly received: number;
  /** Seconds behind live at which playback begins, unless the manifest advises more; null follows `holdBack`. */
  aimAt(latency: number | null): void;
  /** The second that shows this moment; null when the manifest has no dates. */
  timeOf(moment: number): number | null;
  /** The moment that is shown at this second; null when the manifest has no dates. */
  momentOf(time: number): number | null;
  /** Asks for no more media, as far as the engine lets itself be told; the picture stays. */
  stop(): void;
  /** Downloads again, from where the video is. */
  start(): void;
  /** Builds what decodes anew, after the media could not be played. */
  repair(): void;
  /** Lets everything go; the video can be thrown away, once that is settled where there is something to wait for. */
  destroy(): void | Promise<void>;
}

/** What every engine is opened with. */
export interface EngineOptions {
  readonly video: HTMLVideoElement;
  /** Plays from its first picture; else from the live edge. */
  readonly fromStart: boolean;
  readonly targetLatency: number | null;
  readonly events: EngineEvents;
}

/** What an engine's code is loaded as: makes one for one video. */
export type OpenEngine = (options: EngineOptions) => Engine;
