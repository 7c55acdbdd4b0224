// A video that a person has made, as a file that every page can play.
// - H.264 with 8 bits and 4:2:0 only: HEVC, AV1 and 10 bits, which phones also record, do not play in every browser.
// - Only the picture is written, with its index in front (ISO 14496-12, 8.1), because a phone's file also holds the place, the
//   device and the sound of the room. The frames are copied, so no quality is lost.
// - At most 10 minutes: a sentence is signed in seconds, and a visitor loads the whole file.
import { beginReading } from '../../src/playback/mp4/boxes.ts';
import {
  openTrack,
  sampleRangeOf,
  type Mp4Track,
  type SampleRange,
} from '../../src/playback/mp4/mp4-track.ts';
import {
  box,
  bytesOf,
  concatFields,
  IDENTITY_MATRIX,
  NO_LANGUAGE,
  remux,
} from '../../src/playback/mp4/remux.ts';

const MOST_SECONDS = 600;
const EXPORT = 'export it again as MP4 with H.264';

/** Why a video cannot be used, and what to do. */
export class VideoError extends Error {}

/** The profiles that play everywhere, as the codec string names them (ISO 14496-10, A.2). */
const PLAYS = ['42', '4d', '58', '64'];

function checkCodec(codec: string): void {
  const [kind = '', profile = ''] = codec.split('.');
  if (/^(hvc1|hev1)$/.test(kind))
    throw new VideoError(`its video is HEVC, which many browsers do not play: ${EXPORT}`);
  if (!kind.startsWith('avc'))
    throw new VideoError(`its video is ${kind}, which not every browser plays: ${EXPORT}`);
  if (!PLAYS.includes(profile.slice(0, 2).toLowerCase()))
    throw new VideoError(`its H.264 has 10 bits or 4:2:2, which browsers do not play: ${EXPORT} of 8 bits`);
}

/** What MP4 and QuickTime files begin with. */
const isMp4 = (file: Uint8Array): boolean =>
  /^(ftyp|moov|mdat|wide|free|skip|pnot)$/.test(String.fromCharCode(...file.subarray(4, 8)));

/** @throws VideoError */
export function personVideo(file: Uint8Array): Uint8Array {
  if (!isMp4(file)) throw new VideoError('it is no MP4 or QuickTime video');
  let whole: { readonly seconds: number; readonly write: () => Uint8Array };
  let codec: string;
  try {
    // Reads the whole file, and reports one that is cut off.
    const { durationSeconds } = remux(file);
    beginReading();
    const track = openTrack(file);
    const range = sampleRangeOf(track);
    codec = track.codec;
    whole = { seconds: durationSeconds, write: () => progressive(file, track, range) };
  } catch (error) {
    throw new VideoError(wordsFor(error as Error));
  }
  checkCodec(codec);
  if (whole.seconds > MOST_SECONDS)
    throw new VideoError(`it lasts ${Math.round(whole.seconds / 60)} minutes, and a clip at most 10`);
  beginReading();
  return whole.write();
}

function wordsFor(error: Error & { readonly kind?: string }): string {
  const codec = /^codec (.+)$/.exec(error.message)?.[1];
  if (codec) return `its video is ${codec}, which not every browser plays: ${EXPORT}`;
  if (/^(too many (frames|rows)|above 2\^3\d|two gigabytes)/.test(error.message))
    return `it is too long (${error.message}): a clip has at most 10 minutes`;
  if (error.message === 'no video track') return 'there is no video in it';
  return error.kind === 'malformed'
    ? `it is cut off or damaged (${error.message})`
    : `of such a file not every browser shows the same (${error.message}): ${EXPORT}`;
}

/** Runs of equal values, each as its count and the value. */
class RunLengths {
  readonly #words: number[] = [];

  add(value: number): void {
    const at = this.#words.length - 2;
    if (at >= 0 && this.#words[at + 1] === value) this.#words[at]! += 1;
    else this.#words.push(1, value);
  }

  get fields(): readonly number[] {
    return [this.#words.length / 2, ...this.#words];
  }
}

/** Joins the words of a table; not by spreading them, because a call takes a limited number of arguments. */
function table(words: readonly number[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(words.length * 4));
  words.forEach((word, i) => bytes.setUint32(i * 4, word));
  return new Uint8Array(bytes.buffer);
}

const BOX_HEADER = 8;

/** What the index says of each sample, in their order, and their bytes. */
interface SampleTables {
  readonly durations: RunLengths;
  /** The time from the decoding of a sample to its presentation, less `least`. */
  readonly offsets: RunLengths;
  /** The least time from the decoding of a sample to its presentation. */
  readonly least: number;
  readonly sizes: readonly number[];
  /** The numbers of the key frames, from 1. */
  readonly syncs: readonly number[];
  readonly parts: readonly Uint8Array[];
}

/** The samples of the range in one chunk after their index. */
function progressive(file: Uint8Array, track: Mp4Track, range: SampleRange): Uint8Array {
  const tables = tablesOf(file, track, range);
  // The length of the index does not depend on the position of the frames that it holds, so 0 will do here.
  const dataAt = indexOf(tables, track, range, 0).length + BOX_HEADER;
  const bytes = tables.parts.reduce((sum, { length }) => sum + length, 0);
  return Buffer.concat([
    indexOf(tables, track, range, dataAt),
    concatFields(BOX_HEADER + bytes, 'mdat'),
    ...tables.parts,
  ]);
}

function tablesOf(file: Uint8Array, track: Mp4Track, { count }: SampleRange): SampleTables {
  const durations = new RunLengths();
  const offsets = new RunLengths();
  const [sizes, syncs]: [number[], number[]] = [[], []];
  const parts: Uint8Array[] = [];
  let least = Infinity;
  const eachSample = (visit: Parameters<Mp4Track['eachSample']>[0]): void => {
    let left = count;
    track.eachSample((sample) => {
      if (left-- > 0) visit(sample);
    });
  };
  eachSample(({ presentationTime, decodeTime }) => {
    least = Math.min(least, presentationTime - decodeTime);
  });
  beginReading();
  eachSample(({ presentationTime, decodeTime, duration, size, offset, sync }) => {
    durations.add(duration);
    offsets.add(presentationTime - decodeTime - least);
    sizes.push(size);
    if (sync) syncs.push(sizes.length);
    parts.push(file.subarray(offset, offset + size));
  });
  return { durations, offsets, least, sizes, syncs, parts };
}

/** @param dataAt where the first sample is in the file */
function indexOf(
  { durations, offsets, least, sizes, syncs }: SampleTables,
  { timescale, presentation, stsd }: Mp4Track,
  range: SampleRange,
  dataAt: number,
): Uint8Array {
  const ticks = range.end - range.start;
  const mediaStart = range.start - range.decodeStart - least;
  const samples = box(
    'stbl',
    box('stsd', bytesOf(stsd)),
    box('stts', 0, table(durations.fields)),
    ...(range.reordered ? [box('ctts', 0, table(offsets.fields))] : []),
    ...(range.allSync ? [] : [box('stss', 0, syncs.length, table(syncs))]),
    box('stsc', 0, 1, 1, range.count, 1),
    box('stsz', 0, 0, range.count, table(sizes)),
    box('stco', 0, 1, dataAt),
  );
  const media = box(
    'mdia',
    box('mdhd', 0, 0, 0, timescale, range.ticks, NO_LANGUAGE),
    box('hdlr', 0, 0, 'vide', 0, 0, 0, new Uint8Array(1)),
    box('minf', box('vmhd', 1, 0, 0), box('dinf', box('dref', 0, 1, box('url ', 1))), samples),
  );
  const edit = box('edts', box('elst', 0, 1, ticks, mediaStart, 0x10000));
  const header = box('tkhd', 3, 0, 0, 1, 0, ticks, 0, 0, 0, 0, bytesOf(presentation));
  const movie = [0x10000, 0x1000000, 0, 0, ...IDENTITY_MATRIX];
  return concatFields(
    box('ftyp', 'isom', 0x200, 'isom', 'iso2', 'avc1', 'mp41'),
    box(
      'moov',
      box('mvhd', 0, 0, 0, timescale, ticks, ...movie, new Uint8Array(24), 2),
      box('trak', header, ...(mediaStart > 0 ? [edit] : []), media),
    ),
  );
}
