// NAL units of H.264 and H.265 in both forms: with start codes (Annex B; encoders and MPEG-TS) and with lengths (MP4).
// - The caller chooses the units that are kept (codecs.ts); parameter sets are read from the description.

type SampleEntry = 'avc1' | 'hvc1';

const startCode = Uint8Array.of(0, 0, 0, 1);

/** Access unit delimiters that allow any slice type. */
const delimiters = {
  avc1: Uint8Array.of(0, 0, 0, 1, 9, 0xf0),
  hvc1: Uint8Array.of(0, 0, 0, 1, 0x46, 1, 0x50),
} as const;

/** The NAL units of an Annex B byte string. */
export function* unitsOf(bytes: Uint8Array): Generator<Uint8Array> {
  let start = -1;
  for (let at = 0; at + 2 < bytes.length; at++) {
    if (bytes[at] !== 0 || bytes[at + 1] !== 0 || bytes[at + 2] !== 1) continue;
    // A start code of four bytes has one more zero in front, which belongs to no unit.
    if (start >= 0) yield bytes.subarray(start, bytes[at - 1] === 0 ? at - 1 : at);
    start = at + 3;
    at += 2;
  }
  if (start >= 0) yield bytes.subarray(start);
}

/** The units for which `isKept` is true, each after its length in four bytes; a copy. */
export function lengthPrefixed(packet: Uint8Array, isKept: (unit: Uint8Array) => boolean): Uint8Array {
  const units = [...unitsOf(packet)].filter(isKept);
  const sample = new Uint8Array(units.reduce((sum, unit) => sum + 4 + unit.length, 0));
  const view = new DataView(sample.buffer);
  let at = 0;
  for (const unit of units) {
    view.setUint32(at, unit.length);
    sample.set(unit, at + 4);
    at += 4 + unit.length;
  }
  return sample;
}

/** One frame with start codes; `before` goes between delimiter and frame. */
export function startCoded(entry: SampleEntry, sample: Uint8Array, before: Uint8Array | null): Uint8Array {
  const view = new DataView(sample.buffer, sample.byteOffset, sample.byteLength);
  const pieces: Uint8Array[] = [delimiters[entry], ...(before ? [before] : [])];
  for (let at = 0; at + 4 <= sample.length;) {
    const length = view.getUint32(at);
    pieces.push(startCode, sample.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return Buffer.concat(pieces);
}

/** Reads `count` units from `at`, each after its length in two bytes; returns them with start codes, and their end. */
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
export function parameterSets(entry: SampleEntry, description: Uint8Array): Uint8Array {
  if (entry === 'avc1') {
    const [sequence, end] = unitsAt(description, 6, description[5]! & 31);
    const [picture] = unitsAt(description, end + 1, description[end]!);
    return Buffer.concat([...sequence, ...picture]);
  }
  const all: Uint8Array[] = [];
  let at = 23;
  for (let array = 0; array < description[22]!; array++) {
    const count = (description[at + 1]! << 8) | description[at + 2]!;
    const [units, end] = unitsAt(description, at + 3, count);
    all.push(...units);
    at = end;
  }
  return Buffer.concat(all);
}
