// VP9 by libvpx. Policy: realtime at the fastest speed that still looks well (8), no frame that is not shown, one thread;
// constant quality 30 where no rate is asked for. With transparency the alpha plane is coded beside the picture, as WebM
// has it.
import { AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVA420P, FF_ENCODER_LIBVPX_VP9 } from 'node-av/constants';
import { averageRate, type Coding, type CodingFormat, type SampleDescription } from './coding.ts';

/** Levels by the most pixels of a picture and the most of either side (VP9 levels; their rates all allow 25 pictures). */
const levels = [
  [10, 36_864, 512],
  [11, 73_728, 768],
  [20, 122_880, 960],
  [21, 245_760, 1344],
  [30, 552_960, 2048],
  [31, 983_040, 2752],
  [40, 2_228_224, 4160],
  [50, 8_912_896, 8384],
  [60, 35_651_584, 16_832],
] as const;

/** `vpcC`, with its version and flags, and the codec string. @throws Error when no level has room for the size */
function describeVp9({ width, height }: Pick<CodingFormat, 'width' | 'height'>): SampleDescription {
  const fitting = levels.find(
    ([, pixels, side]) => width * height <= pixels && Math.max(width, height) <= side,
  );
  if (!fitting) throw new Error('too large for VP9');
  const [level] = fitting;
  // Version 1; profile 0; 8 bits, 4:2:0 with chroma between rows, video range; BT.709 three times; no further data.
  const description = Uint8Array.from([1, 0, 0, 0, 0, level, 0x80, 1, 1, 1, 0, 0]);
  return { codec: `vp09.00.${level}.08`, description };
}

/** Held to from both sides: libvpx stays 30 % below an average rate in real time. */
const constantRate = (bitsPerSecond: number): Readonly<Record<string, string>> => ({
  ...averageRate(bitsPerSecond),
  minrate: String(bitsPerSecond),
});

export const vp9: Coding = {
  encoder: FF_ENCODER_LIBVPX_VP9,
  pixelFormat: AV_PIX_FMT_YUV420P,
  options: ({ keyEvery, bitsPerSecond }) => ({
    deadline: 'realtime',
    'cpu-used': '8',
    'lag-in-frames': '0',
    'auto-alt-ref': '0',
    keyint_min: String(keyEvery),
    ...(bitsPerSecond === null ? { crf: '30', b: '0' } : constantRate(bitsPerSecond)),
  }),
  describe: (_extradata, format) => describeVp9(format),
  toSample: (packet) => Uint8Array.from(packet),
};

export const vp9Alpha: Coding = { ...vp9, pixelFormat: AV_PIX_FMT_YUVA420P };
