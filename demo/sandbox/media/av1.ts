// AV1 by SVT-AV1. Policy: its fastest preset in low delay, one thread; constant quantiser 35 where no rate is asked for.
// The sequence header stands in the description; temporal delimiters, which files do not hold, are cut off.
import { AV_PIX_FMT_YUV420P, FF_ENCODER_LIBSVTAV1 } from 'node-av/constants';
import { averageRate, type Coding, type SampleDescription } from './coding.ts';

const SEQUENCE_HEADER = 1;
const TEMPORAL_DELIMITER = 2;

const kindOf = (unit: Uint8Array): number => (unit[0]! >> 3) & 0xf;

/**
 * `av1C` and the codec string.
 * @param extradata the sequence header as an open bitstream unit with its size
 * @throws Error when it is none, or says more than this encoder does
 */
function describeAv1(extradata: Uint8Array): SampleDescription {
  // One byte of header, one of size; then profile, five flags and one operating point before the level (AV1, 5.5.1).
  const [, , first, second, third, fourth] = extradata;
  const isPlain = fourth !== undefined && (first! & 0x1f) === 0 && second === 0 && third === 0;
  if (!isPlain || kindOf(extradata) !== SEQUENCE_HEADER)
    throw new Error('the encoder gave no sequence header');
  const [profile, level] = [first! >> 5, fourth >> 3];
  // The tier is told for higher levels than 3.3 only.
  const tier = level > 7 ? (fourth >> 2) & 1 : 0;
  // 8 bits, 4:2:0 with chroma between rows.
  const facts = [0x81, (profile << 5) | level, (tier << 7) | 0x0d, 0];
  const parts = [profile, `${String(level).padStart(2, '0')}${tier ? 'H' : 'M'}`, '08'];
  return { codec: `av01.${parts.join('.')}`, description: Uint8Array.from([...facts, ...extradata]) };
}

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
  describe: describeAv1,
  // A delimiter is two bytes: its header and a size of 0.
  toSample: (packet) => Uint8Array.from(kindOf(packet) === TEMPORAL_DELIMITER ? packet.subarray(2) : packet),
};
