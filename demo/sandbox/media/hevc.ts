// H.265 by x265. Policy: ultrafast and zerolatency, one thread, Main profile; constant quantiser 24 where no rate is asked
// for. Parameter sets stand in the description only (`hvc1`).
import { AV_PIX_FMT_YUV420P, FF_ENCODER_LIBX265 } from 'node-av/constants';
import { lengthOf, lengthPrefixed, unitsOf } from './annex-b.ts';
import { averageRate, type Coding, type SampleDescription } from './coding.ts';

const VPS = 32;
const SPS = 33;
const PPS = 34;
/** Slices of all kinds have lower numbers than this. */
const FIRST_NOT_SLICE = 32;

const kindOf = (unit: Uint8Array): number => (unit[0]! >> 1) & 0x3f;

/** A unit's content: a 3 that stands behind two zeros is there only so that no start code occurs. */
const unescaped = (unit: Uint8Array): Uint8Array =>
  unit.filter((byte, at) => !(byte === 3 && at >= 2 && unit[at - 1] === 0 && unit[at - 2] === 0));

/** The bits of a 32-bit number in reverse order, as codec strings have the compatibility flags. */
const reversed = (flags: number): number => {
  let result = 0;
  for (let bit = 0; bit < 32; bit++) result = ((result << 1) | ((flags >>> bit) & 1)) >>> 0;
  return result;
};

const hex = (value: number): string => value.toString(16).toUpperCase();

/** `hvc1.` and what ISO 14496-15 Annex E makes of the 12 bytes of profile, tier and level. */
function codecOf(profileTierLevel: Uint8Array): string {
  const view = new DataView(profileTierLevel.buffer, profileTierLevel.byteOffset);
  const first = view.getUint8(0);
  const profile = `${['', 'A', 'B', 'C'][first >> 6]!}${first & 0x1f}`;
  const level = `${first & 0x20 ? 'H' : 'L'}${view.getUint8(11)}`;
  const constraints = [...profileTierLevel.subarray(5, 11)];
  while (constraints.at(-1) === 0) constraints.pop();
  return ['hvc1', profile, hex(reversed(view.getUint32(1))), level, ...constraints.map(hex)].join('.');
}

/**
 * `hvcC` and the codec string.
 * @param extradata parameter sets in Annex B
 * @throws Error when one of VPS, SPS and PPS is not in it
 */
function describeHevc(extradata: Uint8Array): SampleDescription {
  const units = [...unitsOf(extradata)];
  const sets = [VPS, SPS, PPS].map((kind) => {
    const set = units.find((unit) => kindOf(unit) === kind);
    if (!set) throw new Error('the encoder gave no parameter sets');
    return [0x80 | kind, 0, 1, ...lengthOf(set), ...set];
  });
  const sps = units.find((unit) => kindOf(unit) === SPS)!;
  // Two bytes of unit header, one of ids and layers.
  const profileTierLevel = unescaped(sps).subarray(3, 15);
  // No spatial segmentation, parallelism unknown, 4:2:0, 8 bits twice, frame rate not told, one nested layer, lengths of 4.
  const facts = [0xf0, 0, 0xfc, 0xfd, 0xf8, 0xf8, 0, 0, 0x0f];
  const description = Uint8Array.from([1, ...profileTierLevel, ...facts, sets.length, ...sets.flat()]);
  return { description, codec: codecOf(profileTierLevel) };
}

export const hevc: Coding = {
  encoder: FF_ENCODER_LIBX265,
  pixelFormat: AV_PIX_FMT_YUV420P,
  options({ keyEvery, bitsPerSecond }) {
    const own = {
      'log-level': 'error',
      info: 0,
      pools: 'none',
      'frame-threads': 1,
      wpp: 0,
      scenecut: 0,
      'open-gop': 0,
      keyint: keyEvery,
      'min-keyint': keyEvery,
      ...(bitsPerSecond === null && { qp: 24 }),
    };
    const params = Object.entries(own).map(([name, value]) => `${name}=${value}`);
    return {
      preset: 'ultrafast',
      tune: 'zerolatency',
      ...(bitsPerSecond !== null && averageRate(bitsPerSecond)),
      'x265-params': params.join(':'),
    };
  },
  describe: describeHevc,
  toSample: (packet) => lengthPrefixed(packet, (unit) => kindOf(unit) < FIRST_NOT_SLICE),
};
