// Remuxes an MP4 file for Media Source Extensions: an initialisation segment and one movie fragment (ISO 14496-12, 8.2 to 8.8;
// MSE ISO BMFF byte stream format, 3).
// - Only the first video track; its samples are copied and never decoded.
// - A file may be damaged or hostile: the whole index is checked before anything is allocated. The media segment is the only
//   large allocation: the bytes of the samples and about 16 bytes for each.
// - A file that is not fully understood is refused with its reason; the caller then plays the file as it is.
// - Sample description, matrix and size stay byte for byte as in the file, except that `avc3` becomes `avc1` where the entry has
//   all parameter sets, because GStreamer 1.22 does not decode `avc3`. Dates, names and durations are left out, so that clips of
//   one encoder have equal initialisation segments.
// - Values that all samples share are written once. No composition offset is negative, because GStreamer 1.22 shows all frames of
//   an append later by the most negative one. Decode times start at 1 s, because WebKitGTK 2.50 lets a first frame that is
//   decoded at 0 and shown at 0.08 s begin at 0, where it takes the place of the last frames of the clip before.
import { beginReading, RemuxError, assertSupported } from './boxes.ts';
import { joinBytes } from './join-bytes.ts';
import {
  DECODE_START,
  frameTimesOf,
  openTrack,
  sampleRangeOf,
  type FrameTimes,
  type Mp4Track,
  type SampleRange,
} from './mp4-track.ts';
import { bringsOtherSets } from './parameter-sets.ts';
import type { Sample } from './samples.ts';

export interface Remuxed extends FrameTimes {
  /** For `addSourceBuffer` and `isTypeSupported`: `video/mp4; codecs="avc1.42c01f"`. */
  readonly mimeType: string;
  /** `ftyp` and `moov`; equal for clips that one encoder made with the same settings. */
  readonly init: Uint8Array<ArrayBuffer>;
  /** `moof` and `mdat`; the first presentation time is `firstFrameAt`. */
  readonly media: Uint8Array<ArrayBuffer>;
  /** Neither turned nor mirrored. */
  readonly upright: boolean;
  /** The file has a sound track, which is left out. */
  readonly hasSound: boolean;
}

/**
 * Remuxes an MP4 or QuickTime file: its index before or after the media, fragmented or not, H.264, H.265, VP9 or AV1.
 * @param file the whole file; neither kept nor changed
 * @throws RemuxError `unsupported` for a valid file that one fragment cannot hold (no video, encrypted, another codec, several
 *   edits, frames that are decoded and not shown, gaps between fragments, parameter sets that change); `malformed` for a file
 *   that is cut off or broken
 */
export function remux(file: Uint8Array): Remuxed {
  try {
    beginReading();
    let track = openTrack(file);
    const range = sampleRangeOf(track);
    const parts = partsOfTick(track.timescale);
    const ticks = Math.max(range.ticks, range.delay + range.end - range.start);
    assertSupported(ticks * parts < MAX_OFFSET, 'above 2^31 ticks');
    // The whole file was checked. Each further reading counts its boxes from 0.
    beginReading();
    if (!bringsOtherSets(file, track)) track = asAvc1(track);
    else assertSupported(track.codec.startsWith('avc3'), 'parameter sets');
    beginReading();
    return {
      mimeType: `video/mp4; codecs="${track.codec}"`,
      init: initSegment(track),
      media: mediaSegment(file, track, range),
      ...frameTimesOf(range, track.timescale),
      upright: track.upright,
      hasSound: track.hasSound,
    };
  } catch (error) {
    // Each box is read through a view of its own, so this is a read past the end of a box.
    if (error instanceof RangeError) throw new RemuxError('malformed', 'a box ends early', { cause: error });
    throw error;
  }
}

/** Where the name of the one sample entry of a `stsd` ends. */
const LAST_LETTER = 15;

/** Gives a track with the name `avc3` the name `avc1` when its sample entry has all parameter sets. */
function asAvc1(track: Mp4Track): Mp4Track {
  if (!track.codec.startsWith('avc3')) return track;
  const stsd = bytesOf(track.stsd).slice();
  stsd[LAST_LETTER] = '1'.charCodeAt(0);
  return { ...track, codec: track.codec.replace('avc3', 'avc1'), stsd: new DataView(stsd.buffer) };
}

/**
 * The fewest ticks a second; longer ticks are divided. Firefox 153 rounds the second at which a clip begins down to a tick of the
 * clip, which with 25 ticks a second is up to a frame too early.
 */
const TICKS_A_SECOND = 90_000;

/** The number of parts into which a tick is divided. */
const partsOfTick = (timescale: number): number => Math.ceil(TICKS_A_SECOND / timescale);

/** A number is written as 32 bits, a string as one byte a letter. */
type BoxField = number | string | Uint8Array;

function fieldBytes(field: BoxField): Uint8Array {
  if (field instanceof Uint8Array) return field;
  if (typeof field === 'string') return Uint8Array.from(field, (letter) => letter.charCodeAt(0));
  return Uint8Array.of(field >>> 24, field >>> 16, field >>> 8, field);
}

/** All fields in one array. */
export const concatFields = (...fields: readonly BoxField[]): Uint8Array<ArrayBuffer> =>
  joinBytes(fields.map(fieldBytes));

export function box(type: string, ...fields: readonly BoxField[]): Uint8Array<ArrayBuffer> {
  const content = concatFields(...fields);
  return concatFields(8 + content.length, type, content);
}

/** Id of the one track. */
const TRACK_ID = 1;

/** Neither turned nor mirrored (8.2.2). */
export const IDENTITY_MATRIX = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000];
export const NO_LANGUAGE = 0x55c40000;
const FULL_SPEED = 0x10000;
const FULL_VOLUME = 0x1000000;
const ENABLED_IN_MOVIE = 3;
const IN_THIS_FILE = 1;

export const bytesOf = ({ buffer, byteOffset, byteLength }: DataView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** The `ftyp` and `moov` of a track without samples. The first number of a full box is its version and flags. */
export function initSegment({ timescale, presentation, stsd }: Mp4Track): Uint8Array<ArrayBuffer> {
  const ticks = timescale * partsOfTick(timescale);
  const samples = box(
    'stbl',
    box('stsd', bytesOf(stsd)),
    box('stts', 0, 0),
    box('stsc', 0, 0),
    box('stsz', 0, 0, 0),
    box('stco', 0, 0),
  );
  const media = box(
    'mdia',
    box('mdhd', 0, 0, 0, ticks, 0, NO_LANGUAGE),
    box('hdlr', 0, 0, 'vide', 0, 0, 0, new Uint8Array(1)),
    box('minf', box('vmhd', 1, 0, 0), box('dinf', box('dref', 0, 1, box('url ', IN_THIS_FILE))), samples),
  );
  const header = box('tkhd', ENABLED_IN_MOVIE, 0, 0, TRACK_ID, 0, 0, 0, 0, 0, 0, bytesOf(presentation));
  const rateAndVolume = [FULL_SPEED, FULL_VOLUME, 0, 0];
  const predefined = new Uint8Array(24);
  return concatFields(
    box('ftyp', 'iso6', 0, 'iso6', 'mp41'),
    box(
      'moov',
      box('mvhd', 0, 0, 0, ticks, 0, ...rateAndVolume, ...IDENTITY_MATRIX, predefined, TRACK_ID + 1),
      box('trak', header, media),
      box('mvex', box('trex', 0, TRACK_ID, 1, 0, 0, 0)),
    ),
  );
}

const BASE_IS_MOOF = 0x20000;
const DEFAULT_DURATION = 0x8;
const DEFAULT_FLAGS = 0x20;

const DATA_OFFSET = 0x1;
const DURATION = 0x100;
const SIZE = 0x200;
const FLAGS = 0x400;
const COMPOSITION_OFFSET = 0x800;

/** Flags of a sync sample, and of a sample that depends on others. */
const SYNC = 0x2000000;
const NOT_SYNC = 0x1010000;

/** Bytes of size and type of a box. */
const BOX_HEADER = 8;
/** Offsets of a `trun`, of data and of time, are signed numbers of 32 bits. */
const MAX_OFFSET = 2 ** 31;

/** One column of the `trun` table: its flag, and its value for a sample. */
type Column = readonly [flag: number, value: (sample: Sample) => number];

/** The columns that differ between samples, in the order of the standard. */
function columnsOf(range: SampleRange, parts: number): readonly Column[] {
  const columns: Column[] = [[SIZE, ({ size }) => size]];
  if (range.duration === null) columns.unshift([DURATION, ({ duration }) => duration * parts]);
  if (!range.allSync) columns.push([FLAGS, ({ sync }) => (sync ? SYNC : NOT_SYNC)]);
  if (range.reordered) {
    const leastOffset = range.start - range.decodeStart - range.delay;
    columns.push([
      COMPOSITION_OFFSET,
      ({ presentationTime, decodeTime }) => (presentationTime - decodeTime - leastOffset) * parts,
    ]);
  }
  return columns;
}

/**
 * The `moof` and `mdat` of these samples.
 * @param file holds the bytes of the samples
 * @throws RemuxError `unsupported` at 2 GiB and more
 */
export function mediaSegment(
  file: Uint8Array,
  { eachSample, timescale }: Mp4Track,
  range: SampleRange,
): Uint8Array<ArrayBuffer> {
  const parts = partsOfTick(timescale);
  const columns = columnsOf(range, parts);
  const moof = moofFor(range, columns, timescale);
  const data = moof.length + BOX_HEADER;
  assertSupported(data + range.bytes < MAX_OFFSET, '2 GB');

  const segment = new Uint8Array(data + range.bytes);
  segment.set(moof);
  segment.set(concatFields(BOX_HEADER + range.bytes, 'mdat'), moof.length);
  const words = new DataView(segment.buffer);
  let row = moof.length - range.count * columns.length * 4;
  // The number in front of the table is the offset of the data from the `moof`.
  words.setUint32(row - 4, data);
  let [left, at] = [range.count, data];
  eachSample((sample) => {
    if (left-- <= 0) return;
    for (const [, value] of columns) {
      words.setUint32(row, value(sample));
      row += 4;
    }
    segment.set(file.subarray(sample.offset, sample.offset + sample.size), at);
    at += sample.size;
  });
  return segment;
}

/** The `moof`; the rows of its `trun` are filled in later. */
function moofFor(range: SampleRange, columns: readonly Column[], timescale: number): Uint8Array {
  const parts = partsOfTick(timescale);
  const trunFlags = columns.reduce((flags, [flag]) => flags | flag, DATA_OFFSET);
  const defaultDuration = range.duration === null ? [] : [range.duration * parts];
  const tfhdFlags = BASE_IS_MOOF | DEFAULT_FLAGS | (defaultDuration.length && DEFAULT_DURATION);
  return box(
    'moof',
    box('mfhd', 0, 1),
    box(
      'traf',
      box('tfhd', tfhdFlags, TRACK_ID, ...defaultDuration, SYNC),
      box('tfdt', 0, DECODE_START * timescale * parts),
      box('trun', trunFlags, range.count, 0, new Uint8Array(range.count * columns.length * 4)),
    ),
  );
}
