// Parameter sets of H.264 that are in the samples (ISO 14496-15, 5.3.3.1), as in a file that was put together from two.
// - In an `avc1` track the sample entry must have them all. Where the samples bring others, Firefox 153 decodes the next clip by
//   these, if its sample entry is that of this clip: nothing of it can be seen.
// - Only key frames are read, up to their first slice.
import { findBox, within } from './boxes.ts';
import type { Mp4Track } from './mp4-track.ts';

/** Bytes of a `stsd` before the boxes of its one entry. */
const BEFORE_BOXES = 94;
/** Types of a NAL unit (ISO 14496-10, table 7-1): the slices of a picture, and the two kinds of parameter sets. */
const LAST_SLICE = 5;
const SETS = [7, 8];

const textOf = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

/** True when a key frame brings a parameter set that the sample entry does not have. @throws RemuxError */
export function bringsOtherSets(file: Uint8Array, { codec, stsd, eachSample }: Mp4Track): boolean {
  const avcC = codec.startsWith('avc') && findBox(within(stsd, BEFORE_BOXES), 'avcC');
  if (!avcC) return false;
  const known = textOf(new Uint8Array(avcC.buffer, avcC.byteOffset, avcC.byteLength));
  const lengthBytes = (avcC.getUint8(4) & 3) + 1;
  let found = false;
  eachSample(({ sync, offset, size }) => {
    for (let at = offset; sync && !found && at + lengthBytes < offset + size;) {
      let length = 0;
      for (let byte = 0; byte < lengthBytes; byte++) length = length * 256 + file[at++]!;
      const type = file[at]! & 31;
      if (type > 0 && type <= LAST_SLICE) return;
      const isSet = SETS.includes(type);
      found = isSet && (length > known.length || !known.includes(textOf(file.subarray(at, at + length))));
      at += length;
    }
  });
  return found;
}
