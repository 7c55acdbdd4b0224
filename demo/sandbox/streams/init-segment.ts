// The initialisation segment of a stream: one video track, no sample in it (ISO 14496-12, 14496-15, CMAF).
// Policy: a clock of 90 kHz, because MPEG-TS has that too, so that both kinds of segments of one stream agree to the tick;
// colours are told (BT.709, video range), since browsers otherwise guess by height.
import { box, fullBox, join, u16, u32, zeros } from './box.ts';
import { FRAMES_PER_SECOND } from '../painter/script.ts';

/** Ticks a second, and of one frame. */
export const TIMESCALE = 90_000;
export const FRAME_TICKS = TIMESCALE / FRAMES_PER_SECOND;

const matrix = join(u32(0x10000), zeros(12), u32(0x10000), zeros(12), u32(0x40000000));
const language = u16(0x55c4); // `und`

/** The box beside the sample entry that holds the encoder's description, by the sample entry's name. */
const descriptionBox: Readonly<Record<string, string>> = {
  avc1: 'avcC',
  hvc1: 'hvcC',
  vp09: 'vpcC',
  av01: 'av1C',
};

export interface VideoTrack {
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
