// H.264 by x264. Policy: ultrafast and zerolatency, which is Constrained Baseline; constant quantiser 22 where no rate is
// asked for: a quarter faster than crf 23, which estimates every frame first, and a smaller file.
import { AV_PIX_FMT_YUV420P, FF_ENCODER_LIBX264 } from 'node-av/constants';
import { lengthOf, lengthPrefixed, unitsOf } from './annex-b.ts';
import { averageRate, type Coding, type SampleDescription } from './coding.ts';

const SLICE = 1;
const IDR_SLICE = 5;
const SPS = 7;
const PPS = 8;

const kindOf = (unit: Uint8Array): number => unit[0]! & 0x1f;

/**
 * `avcC` and the codec string.
 * @param extradata parameter sets in Annex B, as an encoder with global headers gives them
 * @throws Error when there is no SPS or no PPS in it
 */
function describeAvc(extradata: Uint8Array): SampleDescription {
  const units = [...unitsOf(extradata)];
  const sps = units.find((unit) => kindOf(unit) === SPS);
  const pps = units.find((unit) => kindOf(unit) === PPS);
  if (!sps || !pps) throw new Error('the encoder gave no parameter sets');
  const [profile, constraints, level] = [sps[1]!, sps[2]!, sps[3]!];
  const head = [1, profile, constraints, level, 0xff, 0xe1, ...lengthOf(sps)];
  const description = Uint8Array.from([...head, ...sps, 1, ...lengthOf(pps), ...pps]);
  const hex = [profile, constraints, level].map((value) => value.toString(16).padStart(2, '0')).join('');
  return { description, codec: `avc1.${hex}` };
}

export const avc: Coding = {
  encoder: FF_ENCODER_LIBX264,
  pixelFormat: AV_PIX_FMT_YUV420P,
  options: ({ bitsPerSecond }) => ({
    preset: 'ultrafast',
    tune: 'zerolatency',
    ...(bitsPerSecond === null ? { qp: '22' } : averageRate(bitsPerSecond)),
  }),
  describe: describeAvc,
  toSample: (packet) => lengthPrefixed(packet, (unit) => [SLICE, IDR_SLICE].includes(kindOf(unit))),
};
