// Writes fragmented MP4 of one video track: the initialisation segment, and one fragment for each part. A segment is the
// sequence of its parts (ISO 14496-12 8.8, 14496-15, CMAF).
// - Written here because parts are a few frames long: mediabunny 1.61 begins a fragment at key frames only and writes the
//   initialisation segment with the first one, and FFmpeg's muxer cannot write to memory synchronously (node-av 6.1).
// - The clock has 90 kHz, like that of MPEG-TS, so that both kinds of segments of one stream have exactly the same times.
// - The colour space is declared (BT.709, video range), because browsers otherwise guess it from the height.
// - Every frame lasts the same and is shown in the order in which it is coded, so a fragment states the time of its first frame
//   only.
import type { Sample } from '../media/video-encoder.ts';
import { FRAMES_PER_SECOND } from '../painter/script.ts';

type Piece = number | string | Uint8Array;

const bytesOf = (piece: Piece): Uint8Array =>
  typeof piece === 'number'
    ? Uint8Array.of(piece)
    : typeof piece === 'string'
      ? Uint8Array.from(piece, (letter) => letter.charCodeAt(0))
      : piece;

/** Joins all pieces: a number is one byte, a string is one byte for each letter. */
export function join(...pieces: readonly Piece[]): Uint8Array<ArrayBuffer> {
  const parts = pieces.map(bytesOf);
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

export const u16 = (value: number): Uint8Array => Uint8Array.of(value >>> 8, value);

export const u32 = (value: number): Uint8Array =>
  Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);

const u64 = (value: number): Uint8Array => join(u32(Math.floor(value / 2 ** 32)), u32(value % 2 ** 32));

export const zeros = (count: number): Uint8Array => new Uint8Array(count);

function box(type: string, ...pieces: readonly Piece[]): Uint8Array<ArrayBuffer> {
  const content = join(...pieces);
  return join(u32(8 + content.length), type, content);
}

/** A box with a version and 24 bits of flags. */
const fullBox = (
  type: string,
  version: number,
  flags: number,
  ...pieces: readonly Piece[]
): Uint8Array<ArrayBuffer> => box(type, u32(((version << 24) | flags) >>> 0), ...pieces);

/** Ticks a second, and of one frame. */
export const TIMESCALE = 90_000;
export const FRAME_TICKS = TIMESCALE / FRAMES_PER_SECOND;

const matrix = join(u32(0x10000), zeros(12), u32(0x10000), zeros(12), u32(0x40000000));
const language = u16(0x55c4); // `und`

/** The box in a sample entry that holds the encoder's description, by the name of the entry. */
const descriptionBox: Readonly<Record<string, string>> = {
  avc1: 'avcC',
  hvc1: 'hvcC',
  vp09: 'vpcC',
  av01: 'av1C',
};

interface VideoTrack {
  /** RFC 6381; its first four letters name the sample entry. */
  readonly codec: string;
  /** Content of the description box. */
  readonly description: Uint8Array;
  readonly width: number;
  readonly height: number;
}

function sampleEntry({ codec, description, width, height }: VideoTrack): Uint8Array {
  const name = codec.slice(0, 4);
  const inside = descriptionBox[name];
  if (inside === undefined) throw new Error(`no sample entry is known for ${codec}`);
  return box(
    name,
    zeros(6),
    u16(1),
    zeros(16),
    u16(width),
    u16(height),
    u32(72 << 16),
    u32(72 << 16),
    u32(0),
    u16(1),
    zeros(32),
    u16(24),
    u16(0xffff),
    box(inside, description),
    box('colr', 'nclx', u16(1), u16(1), u16(1), 0),
  );
}

export function initSegment(track: VideoTrack): Uint8Array<ArrayBuffer> {
  const { width, height } = track;
  const tables = ['stts', 'stsc', 'stco'].map((type) => fullBox(type, 0, 0, u32(0)));
  const samples = box(
    'stbl',
    fullBox('stsd', 0, 0, u32(1), sampleEntry(track)),
    ...tables,
    fullBox('stsz', 0, 0, zeros(8)),
  );
  const media = box(
    'mdia',
    fullBox('mdhd', 0, 0, zeros(8), u32(TIMESCALE), u32(0), language, u16(0)),
    fullBox('hdlr', 0, 0, u32(0), 'vide', zeros(12), 'signer', 0),
    box(
      'minf',
      fullBox('vmhd', 0, 1, zeros(8)),
      box('dinf', fullBox('dref', 0, 0, u32(1), fullBox('url ', 0, 1))),
      samples,
    ),
  );
  const header = fullBox(
    'tkhd',
    0,
    3,
    zeros(8),
    u32(1),
    zeros(4),
    u32(0),
    zeros(16),
    matrix,
    u32(width * 0x10000),
    u32(height * 0x10000),
  );
  return join(
    box('ftyp', 'iso6', u32(0), 'iso6', 'cmfc', 'mp41'),
    box(
      'moov',
      fullBox(
        'mvhd',
        0,
        0,
        zeros(8),
        u32(TIMESCALE),
        u32(0),
        u32(0x10000),
        u16(0x100),
        zeros(10),
        matrix,
        zeros(24),
        u32(2),
      ),
      box('trak', header, media),
      box('mvex', fullBox('trex', 0, 0, u32(1), u32(1), u32(FRAME_TICKS), u32(0), u32(0))),
    ),
  );
}

const DEFAULT_BASE_IS_MOOF = 0x020000;
const DEFAULT_DURATION = 0x000008;
const DATA_OFFSET = 0x000001;
const SAMPLE_SIZE = 0x000200;
const SAMPLE_FLAGS = 0x000400;

/** Flags of a sample that depends on no other, and of one that does. */
const KEY = 0x02000000;
const DELTA = 0x01010000;

/**
 * @param sequence from 1, rising by one
 * @param from first frame on the timeline
 */
export function fragment(
  sequence: number,
  from: number,
  samples: readonly Sample[],
): Uint8Array<ArrayBuffer> {
  const rows = join(...samples.flatMap(({ data, key }) => [u32(data.length), u32(key ? KEY : DELTA)]));
  const moof = (dataOffset: number): Uint8Array =>
    box(
      'moof',
      fullBox('mfhd', 0, 0, u32(sequence)),
      box(
        'traf',
        fullBox('tfhd', 0, DEFAULT_BASE_IS_MOOF | DEFAULT_DURATION, u32(1), u32(FRAME_TICKS)),
        fullBox('tfdt', 1, 0, u64(from * FRAME_TICKS)),
        fullBox(
          'trun',
          0,
          DATA_OFFSET | SAMPLE_SIZE | SAMPLE_FLAGS,
          u32(samples.length),
          u32(dataOffset),
          rows,
        ),
      ),
    );
  // The data begin after the 8 bytes of the `mdat` header; the size of `moof` does not depend on the offset in it.
  const data = samples.map((sample) => sample.data);
  return join(moof(moof(0).length + 8), box('mdat', ...data));
}
