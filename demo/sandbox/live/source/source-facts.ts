// What is known of a pulled source after looking at it: the facts that the HLS source contract of document 2 speaks of.
// Policy: measured from the media where they can be, not read from what a playlist claims of them.

export interface VideoFacts {
  /** `h264`, `hevc`, `vp9`, `av1`, `mpeg2`, or `unknown`. */
  readonly codec: string;
  /** H.264: its profile's name, `Main` for example; null for other codecs. */
  readonly profile: string | null;
  /** H.264: 4.2 for example; null for other codecs. */
  readonly level: number | null;
  readonly width: number;
  readonly height: number;
  /** Frames a second, on the average; null when there are too few to tell. */
  readonly frameRate: number | null;
  /** Whether all frames last the same. */
  readonly isConstantRate: boolean;
  /** Longest time from one point of access to the next, seconds; up to the end of what was looked at. */
  readonly gopSeconds: number;
  /** The same for IDR pictures alone: a source may be accessible at others. */
  readonly idrSeconds: number;
  /** Whether every segment begins with a key frame. */
  readonly isAligned: boolean;
}

export interface AudioFacts {
  /** `aac`, `mp3`, `ac3`, … */
  readonly codec: string;
  /** AAC: `AAC-LC`, `HE-AAC`, `HE-AAC v2`; null for others. */
  readonly profile: string | null;
  readonly bitsPerSecond: number;
}

export interface SourceFacts {
  readonly container: 'mpeg-ts' | 'fmp4' | 'unknown';
  readonly hlsVersion: number;
  readonly isEncrypted: boolean;
  /** Null when there is none. */
  readonly video: VideoFacts | null;
  readonly audio: AudioFacts | null;
}
