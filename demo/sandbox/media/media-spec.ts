// The specification of a finished media file, and its result: the types that pool, worker and store share.
// - Only pairs of container and codec that players know are made: MPEG-TS and QuickTime have H.265 but not VP9, and only QuickTime
//   has ProRes. Transparent media are VP9 in WebM or ProRes 4444 in QuickTime.
import type { RenderStyle } from '../painter/render-style.ts';

export type Codec = 'h264' | 'h265' | 'vp9' | 'av1' | 'prores';

/**
 * `ts` is a list of MPEG-TS segments, `segment` one self-contained fragmented MP4 (init and fragment in one file), the
 * others are one file each.
 */
export type Container = 'mp4' | 'mov' | 'webm' | 'ts' | 'segment';

interface ContainerKind {
  /** Ending of the address. */
  readonly ending: string;
  /** MIME type. */
  readonly type: string;
  readonly codecs: readonly Codec[];
  /** Codecs with transparency that it can hold. */
  readonly transparent: readonly Codec[];
}

export const containers: Readonly<Record<Container, ContainerKind>> = {
  mp4: { ending: 'mp4', type: 'video/mp4', codecs: ['h264', 'h265', 'vp9', 'av1'], transparent: [] },
  mov: { ending: 'mov', type: 'video/quicktime', codecs: ['h264', 'h265'], transparent: ['prores'] },
  webm: { ending: 'webm', type: 'video/webm', codecs: ['vp9'], transparent: ['vp9'] },
  ts: { ending: 'ts', type: 'video/mp2t', codecs: ['h264', 'h265'], transparent: [] },
  segment: { ending: 'm4s', type: 'video/mp4', codecs: ['h264', 'h265', 'vp9', 'av1'], transparent: [] },
};

/**
 * Whether a file of this container can have this codec.
 * @param transparent whether the file's style is transparent; default false
 */
export function canHold(container: Container, codec: Codec, transparent = false): boolean {
  const kind = containers[container];
  return (transparent ? kind.transparent : kind.codecs).includes(codec);
}

export type Resolution = '480p' | '720p' | '1080p';

/** Pixels; both even. */
export interface FrameSize {
  readonly width: number;
  readonly height: number;
}

/** Pixels of each resolution (document 3, session.start config); 854 is the even number next to 16:9. */
export const frameSizes: Readonly<Record<Resolution, FrameSize>> = {
  '480p': { width: 854, height: 480 },
  '720p': { width: 1280, height: 720 },
  '1080p': { width: 1920, height: 1080 },
};

/**
 * The orders in which frames are coded.
 * - `as_shown`: no frame is coded before one that is shown earlier.
 * - `b_frames`: with B-frames. `b_pyramid`: with B-frames that other frames need too.
 * - `open_groups`: with B-frames, and the last ones of a group need the next key frame as well.
 * - `refresh`: as shown and without key frames: the picture is coded anew in columns, one after another. The file begins in the
 *   middle of such a refresh, as a file does that was cut without coding it again.
 */
export const frameOrders = ['as_shown', 'b_frames', 'b_pyramid', 'open_groups', 'refresh'] as const;
export type FrameOrder = (typeof frameOrders)[number];

/** Differences from the usual encoding, for H.264 in MP4 and QuickTime. A field that is not given is as usual. */
export interface Encoding {
  readonly order?: FrameOrder | undefined;
  /** Frames from one key frame to the next. */
  readonly key_every?: number | undefined;
  /** Only this number of frames is coded, counted from the first. */
  readonly frames?: number | undefined;
  /** The pace at which the frames are shown. */
  readonly frames_per_second?: number | undefined;
  /**
   * The frame that is shown longer than the others, and the seconds by which it is. When it is the last frame, it is also coded
   * last.
   */
  readonly hold?: { readonly frame: number; readonly seconds: number } | undefined;
  /** Degrees clockwise by which a player has to turn the picture. */
  readonly rotation?: 90 | 180 | 270 | undefined;
  /** Where the index is: behind the media data, or in two or more fragments. Usually it is in front. */
  readonly index?: 'behind' | 'fragments' | undefined;
  /** Ticks of a frame: 40,009 make a timescale of 1,000,225. Usually a frame has 1 tick, at 25 frames a second. */
  readonly ticks?: number | undefined;
  /**
   * The effect of the edit list. `delay`: it compensates the delay of the B-frames, as FFmpeg writes it. `empty`: it also begins
   * with an empty edit of 0.4 s. `trimmed`: it also leaves out the first five frames. Usually there is no edit list.
   */
  readonly edit?: 'delay' | 'empty' | 'trimmed' | undefined;
  /** Chunk offsets have 64 bits. */
  readonly offsets?: 'co64' | undefined;
  /** The name of the sample entry in place of `avc1`. With `hev1` the picture is H.265. */
  readonly entry?: 'avc3' | 'hev1' | undefined;
  /** Pixels are four wide and three high. */
  readonly pixels?: 'wide' | undefined;
  /** A silent AAC track before or after the picture's track, and the seconds by which it is longer; default 0. */
  readonly sound?:
    | { readonly track: 'first' | 'second'; readonly longer_seconds?: number | undefined }
    | undefined;
}

/** Everything that decides the bytes of a file. A `transparent` style needs `webm` with vp9 or `mov` with prores. */
export interface MediaSpec {
  /** The text to sign; null for the signer at rest. */
  readonly text: string | null;
  /**
   * Length in seconds that the signing is fitted to; null for its own pace. For the signer at rest it is the length, and never
   * null.
   */
  readonly seconds: number | null;
  readonly style: RenderStyle;
  readonly codec: Codec;
  readonly container: Container;
  /** Average bits a second; null for the encoder's constant quality. */
  readonly bitsPerSecond: number | null;
  /** Length of each `ts` segment in seconds, rounded to whole frames; null when there is one file. */
  readonly segmentSeconds: number | null;
  readonly encoding?: Encoding;
}

/** Stages of the pipeline, in order (document 3, Errors). */
export const stages = ['text_to_gloss', 'gloss_translation', 'stream_generator'] as const;
export type Stage = (typeof stages)[number];

/** Milliseconds that each stage took. */
export type Stages = Readonly<Record<Stage, number>>;

/** Called when a stage is complete, with the milliseconds that it took. */
export type OnStage = (stage: Stage, durationMs: number) => void;

/** What an encoder makes of a spec: one file, or all segments. */
export interface EncodedMedia {
  readonly files: readonly Uint8Array[];
  /** Duration of all files together. */
  readonly durationSeconds: number;
  readonly stages: Stages;
}

/** Media that could not be made: the encoder failed, its worker died, too many wait, or the pool was closed. */
export class EncodeError extends Error {
  override readonly name: string = 'EncodeError';
}

/** The logo of the style cannot be shown: it is another kind of file, damaged, or too large. */
export class LogoError extends EncodeError {
  override readonly name = 'LogoError';
}
