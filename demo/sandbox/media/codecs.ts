// Defines for each codec the options of its encoder, its description for the muxers, and the form of its packets in a file.
// - An encoder has one thread, because several jobs run in the pool. Groups of pictures are closed and have a fixed length,
//   because segments begin with them. Quality is constant unless a rate is asked for.
// - An encoder returns each frame at once, because streams cannot wait. Only H.264 in files can have B-frames.
// - Codec strings (RFC 6381) are FFmpeg's, except that of H.265, because FFmpeg 8.1 does not reverse the compatibility flags.
import {
  AV_PIX_FMT_YUV420P,
  AV_PIX_FMT_YUVA420P,
  FF_ENCODER_LIBSVTAV1,
  FF_ENCODER_LIBVPX_VP9,
  FF_ENCODER_LIBX264,
  FF_ENCODER_LIBX265,
  type AVPixelFormat,
  type FFVideoEncoder,
} from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import type { Picture } from '../painter/picture.ts';
import type { FrameOrder } from './media-spec.ts';
import { lengthPrefixed, unitsOf } from './nal-units.ts';

export interface CodingFormat {
  /** Pixels; both even. */
  readonly width: number;
  readonly height: number;
  /** Frames from one key frame to the next. */
  readonly keyEvery: number;
  /** Average bits a second; null for constant quality. */
  readonly bitsPerSecond: number | null;
  /** Only H.264 can have an order other than `as_shown`. With B-frames its profile is High. */
  readonly order: FrameOrder;
}

/** What a decoder must know before the first sample. */
export interface SampleDescription {
  /** RFC 6381. */
  readonly codec: string;
  /** Content of `avcC`, `hvcC`, `vpcC` or `av1C` in the sample entry; empty for ProRes, which has none. */
  readonly description: Uint8Array;
}

/** One codec: its encoder in FFmpeg, and how its packets become samples. */
export interface Coding {
  readonly encoder: FFVideoEncoder;
  readonly pixelFormat: AVPixelFormat;
  /** Options of the encoder by FFmpeg's names. */
  options(format: CodingFormat): Readonly<Record<string, string>>;
  /**
   * @param extradata the encoder's data before its first packet; may be empty
   * @param codec FFmpeg's codec string
   */
  describe(extradata: Uint8Array, codec: string): SampleDescription;
  /** A packet as a file holds it; a copy. */
  toSample(packet: Uint8Array): Uint8Array;
  /** Fills the encoder's frame from a picture, for an encoder with another pixel format than the painters'. */
  fill?(frame: Frame, picture: Picture): void;
}

/** FFmpeg's options for an average rate in a buffer of 1 s. The rate is lower where a picture needs less. */
const averageRate = (bitsPerSecond: number): Readonly<Record<string, string>> => {
  const bits = String(bitsPerSecond);
  return { b: bits, maxrate: bits, bufsize: bits };
};

/** The length of a parameter set in two bytes, as descriptions have it. */
const lengthOf = (unit: Uint8Array): readonly [number, number] => [unit.length >> 8, unit.length & 0xff];

/** The parameter sets of these kinds. @throws Error when one is not there */
function parameterSetsOf(
  extradata: Uint8Array,
  kindOf: (unit: Uint8Array) => number,
  kinds: readonly number[],
) {
  const units = [...unitsOf(extradata)];
  return kinds.map((kind) => {
    const unit = units.find((each) => kindOf(each) === kind);
    if (!unit) throw new Error('the encoder gave no parameter sets');
    return unit;
  });
}

const avcKind = (unit: Uint8Array): number => unit[0]! & 0x1f;
const AVC = { slice: 1, idr: 5, sei: 6, sps: 7, pps: 8, filler: 12 };
const AVC_IN_SAMPLES = [AVC.slice, AVC.idr, AVC.filler];
/**
 * True for the message that tells a decoder where it can begin without a key frame (ISO 14496-10, D.2.8). The encoder's other
 * messages are left out.
 */
const isRecoveryPoint = (unit: Uint8Array): boolean => avcKind(unit) === AVC.sei && unit[1] === 6;

const reordered = { bf: '3', b_strategy: '0', coder: 'ac', '8x8dct': '1' };
const orderOptions: Readonly<Record<FrameOrder, Readonly<Record<string, string>>>> = {
  as_shown: { tune: 'zerolatency' },
  refresh: { tune: 'zerolatency' },
  b_frames: reordered,
  b_pyramid: { ...reordered, 'b-pyramid': 'normal', refs: '4' },
  open_groups: reordered,
};

/** Options of x264: with a rate, filler data make up for pictures that need less (ISO 14496-10, 7.3.2.7). */
function x264Params({ bitsPerSecond, order }: CodingFormat): Readonly<Record<string, string>> {
  const params = [
    ...(order === 'open_groups' ? ['open-gop=1'] : []),
    ...(order === 'refresh' ? ['intra-refresh=1'] : []),
    ...(bitsPerSecond === null ? [] : ['nal-hrd=cbr', 'filler=1']),
  ];
  return params.length > 0 ? { 'x264-params': params.join(':') } : {};
}

/**
 * H.264 by x264: ultrafast and zerolatency (Constrained Baseline), or ultrafast with B-frames, CABAC and 8x8 transform (High).
 * Constant quantiser 22 is a quarter faster than crf 23, which estimates every frame first, and makes a smaller file.
 */
export const avc: Coding = {
  encoder: FF_ENCODER_LIBX264,
  pixelFormat: AV_PIX_FMT_YUV420P,
  options: (format) => ({
    preset: 'ultrafast',
    ...orderOptions[format.order],
    ...(format.bitsPerSecond === null ? { qp: '22' } : averageRate(format.bitsPerSecond)),
    ...x264Params(format),
  }),
  describe(extradata, codec) {
    const [sps, pps] = parameterSetsOf(extradata, avcKind, [AVC.sps, AVC.pps]);
    const head = [1, sps![1]!, sps![2]!, sps![3]!, 0xff, 0xe1, ...lengthOf(sps!)];
    // The High profile repeats chroma format and depths: 4:2:0, 8 bits twice (ISO 14496-15, 5.3.3.1.2).
    const high = sps![1] === 100 ? [0xfd, 0xf8, 0xf8, 0] : [];
    return {
      codec,
      description: Uint8Array.from([...head, ...sps!, 1, ...lengthOf(pps!), ...pps!, ...high]),
    };
  },
  toSample: (packet) =>
    lengthPrefixed(packet, (unit) => AVC_IN_SAMPLES.includes(avcKind(unit)) || isRecoveryPoint(unit)),
};

const hevcKind = (unit: Uint8Array): number => (unit[0]! >> 1) & 0x3f;
/** Slices of all kinds have lower numbers than `firstNotSlice`. */
const HEVC = { firstNotSlice: 32, vps: 32, sps: 33, pps: 34 };

/**
 * A unit's content without emulation prevention: the bytes of 3 that stand after two zeros only to prevent a start code are
 * removed.
 */
const unescaped = (unit: Uint8Array): Uint8Array =>
  unit.filter((byte, at) => !(byte === 3 && at >= 2 && unit[at - 1] === 0 && unit[at - 2] === 0));

/** The bits of a 32-bit number in reverse order, as codec strings have the compatibility flags. */
const reversed = (flags: number): number => {
  let result = 0;
  for (let bit = 0; bit < 32; bit++) result = ((result << 1) | ((flags >>> bit) & 1)) >>> 0;
  return result;
};

/** The codec string of the 12 bytes of profile, tier and level (ISO 14496-15, annex E). */
function hevcCodec(profileTierLevel: Uint8Array): string {
  const hex = (value: number): string => value.toString(16).toUpperCase();
  const view = new DataView(profileTierLevel.buffer, profileTierLevel.byteOffset);
  const first = view.getUint8(0);
  const profile = `${['', 'A', 'B', 'C'][first >> 6]!}${first & 0x1f}`;
  const level = `${first & 0x20 ? 'H' : 'L'}${view.getUint8(11)}`;
  const constraints = [...profileTierLevel.subarray(5, 11)];
  while (constraints.at(-1) === 0) constraints.pop();
  return ['hvc1', profile, hex(reversed(view.getUint32(1))), level, ...constraints.map(hex)].join('.');
}

/** H.265 by x265: ultrafast and zerolatency, Main profile, constant quantiser 24; parameter sets in the description only. */
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
  describe(extradata) {
    const kinds = [HEVC.vps, HEVC.sps, HEVC.pps];
    const units = parameterSetsOf(extradata, hevcKind, kinds);
    const sets = units.flatMap((unit, i) => [0x80 | kinds[i]!, 0, 1, ...lengthOf(unit), ...unit]);
    // Two bytes of unit header, one of ids and layers.
    const profileTierLevel = unescaped(units[1]!).subarray(3, 15);
    // No spatial segmentation, parallelism unknown, 4:2:0, 8 bits twice, frame rate not given, one nested layer, lengths of 4.
    const facts = [0xf0, 0, 0xfc, 0xfd, 0xf8, 0xf8, 0, 0, 0x0f];
    const description = Uint8Array.from([1, ...profileTierLevel, ...facts, kinds.length, ...sets]);
    return { description, codec: hevcCodec(profileTierLevel) };
  },
  toSample: (packet) => lengthPrefixed(packet, (unit) => hevcKind(unit) < HEVC.firstNotSlice),
};

/** VP9 by libvpx: realtime, speed 8 (the fastest that has no blocks in the face), every frame is shown, constant quality 30. */
export const vp9: Coding = {
  encoder: FF_ENCODER_LIBVPX_VP9,
  pixelFormat: AV_PIX_FMT_YUV420P,
  options: ({ keyEvery, bitsPerSecond }) => ({
    deadline: 'realtime',
    'cpu-used': '8',
    'lag-in-frames': '0',
    'auto-alt-ref': '0',
    keyint_min: String(keyEvery),
    ...(bitsPerSecond === null
      ? { crf: '30', b: '0' }
      : // Minimum and maximum are both set, because otherwise libvpx stays 30 % below the average rate in real time.
        { ...averageRate(bitsPerSecond), minrate: String(bitsPerSecond) }),
  }),
  describe(_extradata, codec) {
    const level = Number(codec.split('.')[2]);
    // Version 1; profile 0; 8 bits, 4:2:0 with chroma between rows, video range; BT.709 three times; no further data.
    return { codec, description: Uint8Array.from([1, 0, 0, 0, 0, level, 0x80, 1, 1, 1, 0, 0]) };
  },
  toSample: (packet) => Uint8Array.from(packet),
};

/** VP9 with the alpha plane coded beside the picture, as WebM has it. */
export const vp9Alpha: Coding = { ...vp9, pixelFormat: AV_PIX_FMT_YUVA420P };

const TEMPORAL_DELIMITER = 2;

/** AV1 by SVT-AV1: low delay, constant quantiser 35; temporal delimiters, which files do not hold, are cut off. */
export const av1: Coding = {
  encoder: FF_ENCODER_LIBSVTAV1,
  pixelFormat: AV_PIX_FMT_YUV420P,
  options({ bitsPerSecond }) {
    const rate = bitsPerSecond === null ? 'rc=0:qp=35' : 'rc=2';
    return {
      preset: '10',
      'svtav1-params': `pred-struct=1:lp=1:scd=0:${rate}`,
      ...(bitsPerSecond !== null && averageRate(bitsPerSecond)),
    };
  },
  describe(extradata, codec) {
    const [, profile, levelAndTier] = codec.split('.');
    const tier = levelAndTier!.endsWith('H') ? 0x80 : 0;
    // 8 bits, 4:2:0 with chroma between rows; then the sequence header.
    const facts = [0x81, (Number(profile) << 5) | parseInt(levelAndTier!, 10), tier | 0x0d, 0];
    return { codec, description: Uint8Array.from([...facts, ...extradata]) };
  },
  // A delimiter is two bytes: its header and a size of 0.
  toSample: (packet) =>
    Uint8Array.from(((packet[0]! >> 3) & 0xf) === TEMPORAL_DELIMITER ? packet.subarray(2) : packet),
};
