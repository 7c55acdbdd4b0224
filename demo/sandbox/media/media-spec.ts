// What a finished media file is asked for by, and what comes of it; the words that pool, worker and store share.
import type { RenderStyle } from '../painter/render-style.ts';

export type Codec = 'h264' | 'h265' | 'vp9' | 'av1' | 'prores';

/**
 * `ts` is a row of MPEG-TS segments, `segment` one self-contained fragmented MP4 (init and fragment in one file), the
 * others are one file each.
 */
export type Container = 'mp4' | 'mov' | 'webm' | 'ts' | 'segment';

/** Everything that decides the bytes of a file. A `transparent` style needs `webm` with vp9 or `mov` with prores. */
export interface MediaSpec {
  /** The text to sign; null for the signer at rest. */
  readonly text: string | null;
  /** Length in seconds that the signing is fitted to; null for its own pace. At rest it is the length, then never null. */
  readonly seconds: number | null;
  readonly style: RenderStyle;
  readonly codec: Codec;
  readonly container: Container;
  /** Average bits a second; null for the encoder's constant quality. */
  readonly bitsPerSecond: number | null;
  /** Length of each `ts` segment in seconds, of which whole frames are made; null when there is one file. */
  readonly segmentSeconds: number | null;
}

/** Stages of the pipeline in their order (document 3, Errors). */
export const stages = ['text_to_gloss', 'gloss_translation', 'stream_generator'] as const;
export type Stage = (typeof stages)[number];

/** Milliseconds that each stage took. */
export type Stages = Readonly<Record<Stage, number>>;

/** Called as a stage completes, with what it took in milliseconds. */
export type OnStage = (stage: Stage, durationMs: number) => void;

/** What an encoder makes of a spec: one file, or the row of segments. */
export interface EncodedMedia {
  readonly files: readonly Uint8Array[];
  /** Of the whole row. */
  readonly durationSeconds: number;
  readonly stages: Stages;
}

/** Media that could not be made: the encoder failed, its worker died, too many wait, or the pool was closed. */
export class EncodeError extends Error {
  override readonly name: string = 'EncodeError';
}

/** The logo of the style is no picture that can be shown: of another kind, broken, or too large. */
export class LogoError extends EncodeError {
  override readonly name = 'LogoError';
}
