// H.264 as x264 gives it (Annex B: start codes) into H.264 as MP4 wants it (AVCC: lengths, parameter sets in front).
// Policy: only what a decoder needs is kept: parameter sets go into the description, slices into the samples; SEI and
// access unit delimiters are dropped.

const SLICE = 1;
const IDR_SLICE = 5;
const SPS = 7;
const PPS = 8;

/** The NAL units of an Annex B byte string. */
function* unitsOf(bytes: Uint8Array): Generator<Uint8Array> {
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

const kindOf = (unit: Uint8Array): number => unit[0]! & 0x1f;

/** What a decoder must know before the first sample: `avcC` bytes and the codec string (RFC 6381). */
export interface AvcDescription {
  readonly description: Uint8Array;
  readonly codec: string;
}

/**
 * @param extradata parameter sets in Annex B, as an encoder with global headers gives them
 * @throws Error when there is no SPS or no PPS in it
 */
export function describeAvc(extradata: Uint8Array): AvcDescription {
  const units = [...unitsOf(extradata)];
  const sps = units.find((unit) => kindOf(unit) === SPS);
  const pps = units.find((unit) => kindOf(unit) === PPS);
  if (!sps || !pps) throw new Error('the encoder gave no parameter sets');
  const [profile, constraints, level] = [sps[1]!, sps[2]!, sps[3]!];
  const length = (unit: Uint8Array): number[] => [unit.length >> 8, unit.length & 0xff];
  const head = [1, profile, constraints, level, 0xff, 0xe1, ...length(sps)];
  const description = Uint8Array.from([...head, ...sps, 1, ...length(pps), ...pps]);
  const hex = [profile, constraints, level].map((value) => value.toString(16).padStart(2, '0')).join('');
  return { description, codec: `avc1.${hex}` };
}

/** One packet's slices, each behind its length in four bytes; a copy. */
export function toSample(packet: Uint8Array): Uint8Array {
  const slices: Uint8Array[] = [];
  for (const unit of unitsOf(packet)) {
    if (kindOf(unit) === SLICE || kindOf(unit) === IDR_SLICE) slices.push(unit);
  }
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
