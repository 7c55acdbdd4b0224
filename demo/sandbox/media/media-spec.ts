// What a finished media file is asked for by, and what comes of it; the words that pool, worker and store share.
import type { Look } from '../painter/look.ts';

export type Codec = 'h264' | 'h265' | 'vp9' | 'av1' | 'prores';

/**
 * `ts` is a row of MPEG-TS segments, `segment` one self-contained fragmented MP4 (init and fragment in one file), the
 * others are one file each.
 */
export type Container = 'mp4' | 'mov' | 'webm' | 'ts' | 'segment';

/** Everything that decides the bytes of a file. A `transparent` look needs `webm` with vp9 or `mov` with prores. */
export interface MediaSpec {
  /** The text to sign; null for the signer at rest. */
  readonly text: string | null;
  /** Length in seconds that the signing is fitted to; null for its own pace. At rest it is the length, then never null. */
  readonly seconds: number | null;
  readonly look: Look;
  readonly codec: Codec;
  readonly container: Container;
  /** Average bits a second; null for the encoder's constant quality. */
  readonly bitsPerSecond: number | null;
  /** Length of each `ts` segment in seconds; null when there is one file. */
  readonly segmentSeconds: number | null;
}
