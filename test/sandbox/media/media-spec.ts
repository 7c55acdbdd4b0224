// Specs for the tests of this folder: an MP4 of the plainest style, with the changes that a test needs.
import type { MediaSpec } from '../../../demo/sandbox/media/media-spec.ts';
import { ownBackplate } from '../../../demo/sandbox/painter/render-style.ts';
import { readStamp, stampHeight } from '../../../demo/sandbox/stamp.ts';
import type { Luma } from './decode-clip.ts';

/** H.264 in MP4 at 240p, signed by RAE. */
export const specOf = (text: string | null, changes: Partial<MediaSpec> = {}): MediaSpec => ({
  text,
  seconds: null,
  style: ownBackplate('RAE', { width: 426, height: 240 }),
  codec: 'h264',
  container: 'mp4',
  bitsPerSecond: null,
  segmentSeconds: null,
  ...changes,
});

/** Reads the stamp of a decoded picture. */
export const stampOf = ({ y, width, height }: Luma) =>
  readStamp(y.subarray(width * (stampHeight(height) >> 1)), width);
