// What a clip is asked for by, and what comes of it; the words that pool, worker and store share.
import type { SignerName } from '../painter/signer-look.ts';

export type Resolution = '480p' | '720p' | '1080p';

/** Pixels of each resolution (document 3, session.start config). */
export const frameSizes: Readonly<Record<Resolution, { readonly width: number; readonly height: number }>> = {
  '480p': { width: 854, height: 480 },
  '720p': { width: 1280, height: 720 },
  '1080p': { width: 1920, height: 1080 },
};

/** Everything that decides how a clip looks. */
export interface ClipSpec {
  readonly text: string;
  readonly signer: SignerName;
  readonly resolution: Resolution;
}

/** Stages of the pipeline in their order (document 3, Errors). */
export type Stage = 'text_to_gloss' | 'gloss_translation' | 'stream_generator';

/** Called as a stage completes, with what it took in milliseconds. */
export type OnStage = (stage: Stage, durationMs: number) => void;

/** A finished MP4; stages in milliseconds. */
export interface EncodedClip {
  readonly bytes: Uint8Array;
  readonly durationSeconds: number;
  readonly stages: Readonly<Record<Stage, number>>;
}

/** A clip that could not be made: the encoder failed, its worker died, too many wait, or the pool was closed. */
export class EncodeError extends Error {
  override readonly name = 'EncodeError';
}
