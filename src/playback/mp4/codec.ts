// The codec string of a track (RFC 6381) from its sample entry (ISO 14496-12, 8.5.2; 14496-15, annex E; AV1 and VP9 bindings).
// - Only codecs whose string follows from the file itself: H.264, H.265, VP9 and AV1.
// - Encrypted tracks and tracks with several sample descriptions are unsupported.
import { requireBox, readType, RemuxError, assertSupported, within } from './boxes.ts';

export interface CodecInfo {
  /** `avc1.42c01f`, say. */
  readonly codec: string;
  /** Pixels, as coded. */
  readonly width: number;
  readonly height: number;
}

/** Length of the fields of a visual sample entry; the boxes that describe the codec follow. */
const ENTRY_FIELDS = 78;
const AT_SIZE = 24;

const hex = (value: number): string => value.toString(16).padStart(2, '0');
const two = (value: number): string => String(value).padStart(2, '0');

const avc = (avcC: DataView): string => [1, 2, 3].map((at) => hex(avcC.getUint8(at))).join('');

function hevc(hvcC: DataView): string {
  const profile = hvcC.getUint8(1);
  // The codec string has the compatibility flags in reverse order.
  let compatible = 0;
  for (let bit = 0; bit < 32; bit++) compatible = compatible * 2 + ((hvcC.getUint32(2) >>> bit) & 1);
  const constraints = [6, 7, 8, 9, 10, 11].map((at) => hvcC.getUint8(at));
  while (constraints.at(-1) === 0) constraints.pop();
  return [
    `${['', 'A', 'B', 'C'][profile >> 6]}${profile & 31}`,
    compatible.toString(16),
    `${profile & 32 ? 'H' : 'L'}${hvcC.getUint8(12)}`,
    ...constraints.map((byte) => byte.toString(16)),
  ].join('.');
}

const vp9 = (vpcC: DataView): string =>
  [vpcC.getUint8(4), vpcC.getUint8(5), vpcC.getUint8(6) >> 4].map(two).join('.');

function av1(av1C: DataView): string {
  const [profile, depth] = [av1C.getUint8(1), av1C.getUint8(2)];
  const bits = depth & 64 ? (depth & 32 ? 12 : 10) : 8;
  return `${profile >> 5}.${two(profile & 31)}${depth & 128 ? 'H' : 'M'}.${two(bits)}`;
}

/** By the type of the sample entry: the box that describes the codec, and its codec string. */
const codecs: Readonly<Record<string, readonly [box: string, toString: (box: DataView) => string]>> = {
  avc1: ['avcC', avc],
  avc3: ['avcC', avc],
  hvc1: ['hvcC', hevc],
  hev1: ['hvcC', hevc],
  vp09: ['vpcC', vp9],
  av01: ['av1C', av1],
};

/** @throws RemuxError */
export function codecInfoOf(stsd: DataView): CodecInfo {
  assertSupported(stsd.getUint32(4) === 1, 'several sample descriptions');
  const size = stsd.getUint32(8);
  const type = readType(stsd, 12);
  const found = Object.hasOwn(codecs, type) ? codecs[type] : undefined;
  if (!found) throw new RemuxError('unsupported', `codec ${type}`);
  const [box, toString] = found;
  const entry = within(stsd, 16, 8 + size);
  return {
    codec: `${type}.${toString(requireBox(within(entry, ENTRY_FIELDS), box))}`,
    width: entry.getUint16(AT_SIZE),
    height: entry.getUint16(AT_SIZE + 2),
  };
}
