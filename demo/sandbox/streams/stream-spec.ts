// The description of a growing stream, and the messages between the thread that encodes it and the service that serves it.
// - Times on a stream's timeline are whole frames (25 a second) since the stream began, so that addresses, playlists and boxes
//   never drift apart.
import { FRAMES_PER_SECOND, type Script } from '../painter/script.ts';
import type { RenderStyle } from '../painter/render-style.ts';

/** Everything that decides a stream. */
export interface StreamSpec {
  readonly style: RenderStyle;
  readonly codec: 'h264' | 'h265' | 'vp9' | 'av1';
  /** Average bits a second; null for the encoder's constant quality. */
  readonly bitsPerSecond: number | null;
  /** Length of a segment, 1 to 10 seconds (document 2, hlsSegmentDuration), rounded to whole frames. */
  readonly segmentSeconds: number;
  /** The format of HLS segments; DASH always has fragmented MP4. `ts` is for h264 and h265 and has no parts. */
  readonly segmentType: 'fmp4' | 'ts';
  readonly lowLatency: boolean;
  /**
   * `ongoing` shows the signer at rest between texts until it is ended, and keeps a sliding window. `job` shows its texts and
   * nothing else.
   */
  readonly kind: 'ongoing' | 'job';
}

/** Frames of a partial segment: 0.2 s. */
export const PART_FRAMES = 5;

/** Frames of a whole segment. */
export const segmentFrames = ({ segmentSeconds }: StreamSpec): number =>
  Math.round(segmentSeconds * FRAMES_PER_SECOND);

/** Whether the stream is cut into parts: MPEG-TS has none (document 2: `fmp4` is the low-latency type). */
export const hasParts = ({ lowLatency, segmentType }: StreamSpec): boolean =>
  lowLatency && segmentType === 'fmp4';

/** A piece of a segment, ready to be served. Where the stream has no parts, it is the only piece of its segment. */
export interface Part {
  /** Number of its segment, from 0. */
  readonly segment: number;
  /** Its first frame on the timeline. */
  readonly from: number;
  readonly frames: number;
  /** True when it begins with a key frame. */
  readonly independent: boolean;
  /** Fragmented MP4: `moof` and `mdat`. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The same as MPEG-TS, null where HLS has fragmented MP4. */
  readonly ts: Uint8Array<ArrayBuffer> | null;
  /** True for the last part of its segment. */
  readonly endsSegment: boolean;
  /** True when its segment does not begin where the previous one ended. */
  readonly discontinuity: boolean;
}

/** What is sent to the thread. */
export type StreamCommand =
  | { readonly kind: 'open'; readonly id: string; readonly spec: StreamSpec }
  | { readonly kind: 'sign'; readonly id: string; readonly script: Script }
  /** Signs the queued texts, then ends. */
  | { readonly kind: 'end'; readonly id: string }
  /** Ends with the next frame. */
  | { readonly kind: 'stop'; readonly id: string }
  /** Ends the thread itself. */
  | { readonly kind: 'close' };

/** The messages of the thread about a stream. */
export type StreamReport =
  | {
      readonly kind: 'opened';
      /** Initialisation segment. */
      readonly init: Uint8Array<ArrayBuffer>;
      /** RFC 6381. */
      readonly codec: string;
      /** When frame 0 is due, milliseconds since 1970. */
      readonly origin: number;
    }
  | {
      readonly kind: 'part';
      readonly part: Part;
      /**
       * True for the last part of the stream. It is reported with the part, so that no playlist announces a part that never comes.
       */
      readonly isLast: boolean;
    }
  /** The first frame of the oldest text that had not begun has been painted. */
  | { readonly kind: 'begun' }
  /** `problem` says in words why the stream ended without a command. */
  | { readonly kind: 'ended'; readonly problem: string | null };
