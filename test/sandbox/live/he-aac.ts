// A source whose header declares HE-AAC. FFmpeg's own encoder makes no HE-AAC, so the header of an fMP4 source with AAC-LC of
// 24 kHz and one channel is changed by hand. A player plays it as HE-AAC without high frequencies.
import assert from 'node:assert/strict';
import type { SourceFiles } from './encoded-source.ts';

/** DecoderSpecificInfo of `esds` (ISO/IEC 14496-1, 7.2.6.7) with an AudioSpecificConfig (14496-3, 1.6.2.1). */
const descriptors = {
  /** As ffmpeg writes it: object type 2, and an extension that says that there is no SBR. */
  asLc: Buffer.from('0580808005130856e500', 'hex'),
  /** Object type 5 (SBR) of 48 kHz, on object type 2 of 24 kHz. */
  asHe: Buffer.from('05808080052b09880000', 'hex'),
};

/** FFmpeg's inputs for a tone of that format. */
export const tone24k = ['-f', 'lavfi', '-i', 'sine=sample_rate=24000'];

/** The same source with the other header. */
export function heAac(files: SourceFiles): SourceFiles {
  const init = Buffer.from(files.get('init.mp4')!);
  const at = init.indexOf(descriptors.asLc);
  assert.notEqual(at, -1, 'the header is as ffmpeg writes it');
  descriptors.asHe.copy(init, at);
  return new Map(files).set('init.mp4', init);
}
