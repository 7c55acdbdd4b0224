// H.264 and H.265 as MP4 has them (lengths, parameter sets apart) back into what MPEG-TS has: start codes, an access unit
// delimiter before every frame, the parameter sets before every key frame.
import { join, u32 } from './box.ts';

type Codec = 'avc1' | 'hvc1';

const startCode = u32(1);

/** Access unit delimiters that allow any slice type. */
const delimiters = { avc1: join(startCode, 9, 0xf0), hvc1: join(startCode, 0x46, 1, 0x50) } as const;

/** `count` units from `at`, each behind its length in two bytes; gives them and where they end. */
function unitsAt(bytes: Uint8Array, at: number, count: number): [units: Uint8Array[], end: number] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const units: Uint8Array[] = [];
  for (let i = 0; i < count; i++) {
    const length = view.getUint16(at);
    units.push(startCode, bytes.subarray(at + 2, at + 2 + length));
    at += 2 + length;
  }
  return [units, at];
}

/** Parameter sets of an `avcC` or `hvcC`, with start codes. */
export function parameterSets(codec: Codec, description: Uint8Array): Uint8Array {
  if (codec === 'avc1') {
    const [sequence, end] = unitsAt(description, 6, description[5]! & 31);
    const [picture] = unitsAt(description, end + 1, description[end]!);
    return join(...sequence, ...picture);
  }
  const all: Uint8Array[] = [];
  let at = 23;
  for (let array = 0; array < description[22]!; array++) {
    const count = (description[at + 1]! << 8) | description[at + 2]!;
    const [units, end] = unitsAt(description, at + 3, count);
    all.push(...units);
    at = end;
  }
  return join(...all);
}

/** One frame with start codes; `before` goes between delimiter and frame. */
export function startCoded(codec: Codec, sample: Uint8Array, before: Uint8Array | null): Uint8Array {
  const view = new DataView(sample.buffer, sample.byteOffset, sample.byteLength);
  const pieces: Uint8Array[] = [delimiters[codec], ...(before ? [before] : [])];
  for (let at = 0; at + 4 <= sample.length;) {
    const length = view.getUint32(at);
    pieces.push(startCode, sample.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return join(...pieces);
}
