// H.264 and H.265 as encoders give them (Annex B: start codes) into what MP4 wants (lengths before units). Policy: only
// what a decoder needs is kept: slices go into the samples, parameter sets into the description; SEI and access unit
// delimiters are dropped.

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

/** The units that `isSlice` says yes to, each behind its length in four bytes; a copy. */
export function lengthPrefixed(packet: Uint8Array, isSlice: (unit: Uint8Array) => boolean): Uint8Array {
  const slices = [...unitsOf(packet)].filter(isSlice);
  const sample = new Uint8Array(slices.reduce((sum, slice) => sum + 4 + slice.length, 0));
  const view = new DataView(sample.buffer);
  let at = 0;
  for (const slice of slices) {
    view.setUint32(at, slice.length);
    sample.set(slice, at + 4);
    at += 4 + slice.length;
  }
  return sample;
}

/** Two bytes of length, as descriptions have them before a parameter set. */
export const lengthOf = (unit: Uint8Array): readonly [number, number] => [
  unit.length >> 8,
  unit.length & 0xff,
];
