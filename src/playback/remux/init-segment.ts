// The initialisation segment of a film: one video track, no sample in it (ISO 14496-12, 8.2 to 8.8; section 3 of MSE's ISO
// BMFF byte stream format). Policy: how the picture is coded and turned stays byte for byte as the file has it; dates, names
// and lengths are left out, so that clips of one encoder have one and the same segment.
import { box, join } from './box-bytes.ts';
import type { Film } from './film.ts';

/** Of the one track, in fragments too. */
export const TRACK_ID = 1;

const UPRIGHT = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000];
const NO_LANGUAGE = 0x55c40000;
const FULL_SPEED = 0x10000;
const FULL_VOLUME = 0x1000000;
const ENABLED_IN_MOVIE = 3;
const IN_THIS_FILE = 1;

const bytes = ({ buffer, byteOffset, byteLength }: DataView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** Numbers that open a box are its version and flags. */
export function initSegment({ timescale, showing, stsd }: Film): Uint8Array<ArrayBuffer> {
  const samples = box(
    'stbl',
    box('stsd', bytes(stsd)),
    box('stts', 0, 0),
    box('stsc', 0, 0),
    box('stsz', 0, 0, 0),
    box('stco', 0, 0),
  );
  const media = box(
    'mdia',
    box('mdhd', 0, 0, 0, timescale, 0, NO_LANGUAGE),
    box('hdlr', 0, 0, 'vide', 0, 0, 0, new Uint8Array(1)),
    box('minf', box('vmhd', 1, 0, 0), box('dinf', box('dref', 0, 1, box('url ', IN_THIS_FILE))), samples),
  );
  const header = box('tkhd', ENABLED_IN_MOVIE, 0, 0, TRACK_ID, 0, 0, 0, 0, 0, 0, bytes(showing));
  const film = [
    0,
    0,
    0,
    timescale,
    0,
    FULL_SPEED,
    FULL_VOLUME,
    0,
    0,
    ...UPRIGHT,
    0,
    0,
    0,
    0,
    0,
    0,
    TRACK_ID + 1,
  ];
  return join(
    box('ftyp', 'iso6', 0, 'iso6', 'mp41'),
    box(
      'moov',
      box('mvhd', ...film),
      box('trak', header, media),
      box('mvex', box('trex', 0, TRACK_ID, 1, 0, 0, 0)),
    ),
  );
}
