// Converts one MPEG-TS segment to fragmented MP4, because Chromium does not play MPEG-TS by Media Source Extensions.
// - Frames are copied and never decoded. Delimiters and filler units are left out.
// - A segment has one sequence parameter set and at most 16 picture parameter sets; more are `unsupported`.
// - The last frame lasts as long as the one before it, because a transport stream gives no duration.
// - It costs 2.3 kB (Brotli) with what it imports; a player with the same conversion in it costs 65 kB.
import { assertValid, assertSupported } from '../mp4/boxes.ts';
import { type Mp4Track, frameTimesOf, sampleRangeOf } from '../mp4/mp4-track.ts';
import { type Remuxed, box, concatFields, IDENTITY_MATRIX, initSegment, mediaSegment } from '../mp4/remux.ts';
import { type Sample, SampleList } from '../mp4/samples.ts';
import { framesOf } from './silence-packets.ts';
import { readSequence, type Sequence } from './silence-sequence.ts';

const TICKS = 90_000;
const MAX_SETS = 16;
/** Bytes of a parameter set. */
const MAX_SET_BYTES = 1024;

/** Types of units (H.264, table 7-1). */
const SLICE = 1;
const KEY = 5;
const MESSAGE = 6;
const SEQUENCE = 7;
const PICTURE = 8;

/**
 * @param file one segment, from its first packet to its last
 * @throws RemuxError as `remux` does
 */
export function remuxSegment(file: Uint8Array<ArrayBuffer>): Remuxed {
  const frames = framesOf(file);
  assertSupported(frames.length > 1, 'a segment of less than two frames');
  const units = frames.map(({ bytes }) => [...unitsOf(bytes)]);
  const sets = units.flat().filter((unit) => typeOf(unit) === SEQUENCE || typeOf(unit) === PICTURE);
  assertSupported(
    sets.every(({ length }) => length <= MAX_SET_BYTES),
    'parameters above 1,024 bytes',
  );
  const ofType = (type: number): Uint8Array[] => distinct(sets.filter((unit) => typeOf(unit) === type));
  const [sequence, ...more] = ofType(SEQUENCE);
  assertValid(sequence !== undefined, 'no parameters');
  assertSupported(more.length === 0, 'parameters that change');
  const pictures = ofType(PICTURE);
  assertSupported(pictures.length <= MAX_SETS, 'more than 16 picture parameter sets');

  const content = new Uint8Array(units.flat().reduce((sum, { length }) => sum + 4 + length, 0));
  let end = 0;
  const places = units.map((all): Pick<Sample, 'offset' | 'size' | 'sync'> => {
    const offset = end;
    const kept = all.filter((unit) => typeOf(unit) >= SLICE && typeOf(unit) <= MESSAGE);
    for (const unit of kept) {
      new DataView(content.buffer).setUint32(end, unit.length);
      content.set(unit, end + 4);
      end += 4 + unit.length;
    }
    return { offset, size: end - offset, sync: kept.some((unit) => typeOf(unit) === KEY) };
  });

  const about = readSequence(sequence);
  const track: Mp4Track = {
    codec: about.codec,
    timescale: TICKS,
    presentation: viewOf(concatFields(...IDENTITY_MATRIX, about.width * 0x10000, about.height * 0x10000)),
    upright: true,
    hasSound: false,
    stsd: viewOf(concatFields(0, 1, description(about, sequence, pictures))),
    editedTicks: { start: -Infinity, end: Infinity },
    eachSample(visit) {
      const samples = new SampleList(content.length, visit);
      let duration = 0;
      places.forEach(({ offset, size, sync }, index) => {
        const [frame, next] = [frames[index], frames[index + 1]];
        if (!frame) return;
        if (next) duration = next.decode - frame.decode;
        samples.add(offset, size, duration, frame.present - frame.decode, sync);
      });
    },
  };
  const range = sampleRangeOf(track);
  return {
    mimeType: `video/mp4; codecs="${about.codec}"`,
    init: initSegment(track),
    media: mediaSegment(content, track, range),
    ...frameTimesOf(range, TICKS),
    upright: true,
    hasSound: false,
  };
}

const typeOf = (unit: Uint8Array): number => (unit[0] ?? 0) & 31;

const viewOf = (bytes: Uint8Array<ArrayBuffer>): DataView => new DataView(bytes.buffer);

/** The units between start codes of three bytes. Zeros in front of a start code are not content. */
function* unitsOf(bytes: Uint8Array): Generator<Uint8Array> {
  let begin = -1;
  for (let at = 0; at <= bytes.length; at++) {
    const starts = bytes[at] === 0 && bytes[at + 1] === 0 && bytes[at + 2] === 1;
    if (!starts && at < bytes.length) continue;
    let end = at;
    while (begin >= 0 && end > begin && bytes[end - 1] === 0) end--;
    if (begin >= 0 && end > begin) yield bytes.subarray(begin, end);
    begin = at + 3;
    at += 2;
  }
}

function distinct(units: readonly Uint8Array[]): Uint8Array[] {
  const kept = new Map(units.map((unit) => [String(unit), unit]));
  return [...kept.values()];
}

/** The sample entry of an MP4 (ISO 14496-12, 12.1.3; 14496-15, 5.3.3). */
function description(
  { width, height }: Sequence,
  sequence: Uint8Array,
  pictures: readonly Uint8Array[],
): Uint8Array {
  const sized = (unit: Uint8Array): Uint8Array =>
    concatFields(Uint8Array.of(unit.length >> 8, unit.length & 255), unit);
  const sets = box(
    'avcC',
    concatFields(Uint8Array.of(1), sequence.subarray(1, 4), Uint8Array.of(0xff, 0xe1)),
    sized(sequence),
    Uint8Array.of(pictures.length),
    ...pictures.map(sized),
  );
  const inches = 0x480000;
  const fields = [
    0,
    1,
    0,
    0,
    0,
    0,
    width * 0x10000 + height,
    inches,
    inches,
    0,
    0x10000,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
  ];
  return box('avc1', ...fields, 0x18, Uint8Array.of(0xff, 0xff), sets);
}
