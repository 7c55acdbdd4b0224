// The samples of a cut as one movie fragment, `moof` and `mdat` (ISO 14496-12, 8.8). Policy: what all samples have in common
// is said once; times of decoding begin at 0 and follow each other, times of showing are shifted from them, backwards too
// (version 1), as CMAF has it, so that the fragments of two clips join in both. It is the only large thing that is
// allocated, when all of the file has been read and found right: the bytes of the samples and some 16 for each.
import { box, join } from './box-bytes.ts';
import type { Cut } from './cut.ts';
import type { Film } from './film.ts';
import { TRACK_ID } from './init-segment.ts';
import { support } from './remux-error.ts';
import type { Sample } from './sample.ts';

const BASE_IS_MOOF = 0x20000;
const DEFAULT_DURATION = 0x8;
const DEFAULT_FLAGS = 0x20;

const VERSION_1 = 0x1000000;
const DATA_OFFSET = 0x1;
const DURATION = 0x100;
const SIZE = 0x200;
const FLAGS = 0x400;
const SHIFT = 0x800;

/** Flags of a sample that depends on no other, and of one that does. */
const SYNC = 0x2000000;
const NOT_SYNC = 0x1010000;

/** Bytes of the size and type of a box. */
const HEADER = 8;
/** A data offset is a signed word. */
const MAX_LENGTH = 2 ** 31;

/** One word of a sample's row: the flag that tells of it, and its value. */
type Column = readonly [flag: number, value: (sample: Sample) => number];

/** Only what differs from sample to sample, in the order of the standard. */
function columnsOf(cut: Cut): readonly Column[] {
  const columns: Column[] = [[SIZE, ({ size }) => size]];
  if (cut.duration === null) columns.unshift([DURATION, ({ duration }) => duration]);
  if (!cut.allSync) columns.push([FLAGS, ({ sync }) => (sync ? SYNC : NOT_SYNC)]);
  if (cut.shifted) {
    const shiftOfAll = cut.start - cut.decode;
    columns.push([SHIFT, ({ present, decode }) => present - decode - shiftOfAll]);
  }
  return columns;
}

/**
 * @param cut of this film
 * @throws RemuxError
 */
export function mediaSegment(file: Uint8Array, { eachSample }: Film, cut: Cut): Uint8Array<ArrayBuffer> {
  const columns = columnsOf(cut);
  const head = headOf(cut, columns);
  const data = head.length + HEADER;
  support(data + cut.bytes < MAX_LENGTH, 'two gigabytes');

  const segment = new Uint8Array(data + cut.bytes);
  segment.set(head);
  segment.set(join(HEADER + cut.bytes, 'mdat'), head.length);
  const words = new DataView(segment.buffer);
  let row = head.length - cut.count * columns.length * 4;
  // The word in front of the rows tells where the data are, counted from the `moof`.
  words.setUint32(row - 4, data);
  let [left, at] = [cut.count, data];
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

/** The `moof` with its rows still empty. */
function headOf(cut: Cut, columns: readonly Column[]): Uint8Array {
  const inRows = columns.reduce((flags, [flag]) => flags | flag, VERSION_1 | DATA_OFFSET);
  const even = cut.duration === null ? [] : [cut.duration];
  const inAll = BASE_IS_MOOF | DEFAULT_FLAGS | (even.length && DEFAULT_DURATION);
  return box(
    'moof',
    box('mfhd', 0, 1),
    box(
      'traf',
      box('tfhd', inAll, TRACK_ID, ...even, SYNC),
      box('tfdt', 0, 0),
      box('trun', inRows, cut.count, 0, new Uint8Array(cut.count * columns.length * 4)),
    ),
  );
}
