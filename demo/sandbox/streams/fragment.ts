// One movie fragment, `moof` and `mdat`: the coded frames of a part (ISO 14496-12, 8.8). A segment is its parts in a row.
// Policy: every frame lasts the same and is shown in the order in which it is coded, so no times stand in it but the first.
import { box, fullBox, join, u32, u64 } from './box.ts';
import { FRAME_TICKS } from './init-segment.ts';
import type { Sample } from '../media/video-encoder.ts';

const DEFAULT_BASE_IS_MOOF = 0x020000;
const DEFAULT_DURATION = 0x000008;
const DATA_OFFSET = 0x000001;
const SAMPLE_SIZE = 0x000200;
const SAMPLE_FLAGS = 0x000400;

/** Of a sample that depends on no other, and of one that does. */
const KEY = 0x02000000;
const DELTA = 0x01010000;

/**
 * @param sequence from 1, rising by one
 * @param from first frame on the timeline
 */
export function fragment(
  sequence: number,
  from: number,
  samples: readonly Sample[],
): Uint8Array<ArrayBuffer> {
  const rows = join(...samples.flatMap(({ data, key }) => [u32(data.length), u32(key ? KEY : DELTA)]));
  const moof = (dataOffset: number): Uint8Array =>
    box(
      'moof',
      fullBox('mfhd', 0, 0, u32(sequence)),
      box(
        'traf',
        fullBox('tfhd', 0, DEFAULT_BASE_IS_MOOF | DEFAULT_DURATION, u32(1), u32(FRAME_TICKS)),
        fullBox('tfdt', 1, 0, u64(from * FRAME_TICKS)),
        fullBox(
          'trun',
          0,
          DATA_OFFSET | SAMPLE_SIZE | SAMPLE_FLAGS,
          u32(samples.length),
          u32(dataOffset),
          rows,
        ),
      ),
    );
  // The data begin behind the `mdat`'s own 8 bytes; the size of `moof` does not depend on the number in it.
  const data = samples.map((sample) => sample.data);
  return join(moof(moof(0).length + 8), box('mdat', ...data));
}
