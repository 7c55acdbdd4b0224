// The one track of a file that is remuxed, and its samples. Policy: the first video track, wherever the index stands; what
// a `moov` lists and what fragments add is one row, in this order, whether a file has one of them or both.
import { findBox, needBox, nextBox, readType, within } from './boxes.ts';
import { codingOf, type Coding } from './codec.ts';
import { shownStretch, type Stretch } from './edit-list.ts';
import { defaultsOf, readFragment, type SampleDefaults } from './fragment-samples.ts';
import { RemuxError, expect } from './remux-error.ts';
import { SampleRow, type Visit } from './sample.ts';
import { readTable } from './sample-table.ts';

export interface Film extends Coding {
  /** Ticks a second of the track. */
  readonly timescale: number;
  /** As the file has it: the matrix that turns the picture, then the width and height of its showing. */
  readonly showing: DataView;
  /** As the file has it. */
  readonly stsd: DataView;
  readonly shown: Stretch;
  /** From the beginning, in the order of decoding; each call reads the file anew and throws a RemuxError as it goes. */
  readonly eachSample: (visit: Visit) => void;
}

/** Length of the matrix, width and height that end a `tkhd`. */
const SHOWING = 44;

const isWide = (header: DataView): boolean => header.getUint8(0) === 1;

/** What follows the two dates of a header: the clock of `mvhd` and `mdhd`, the id of `tkhd`. */
const behindDates = (header: DataView): number => header.getUint32(isWide(header) ? 20 : 12);

function clockOf(header: DataView): number {
  const timescale = behindDates(header);
  expect(timescale > 0, 'no timescale');
  return timescale;
}

function videoTrack(moov: DataView): DataView {
  for (let box = nextBox(moov, 'trak'); box; box = nextBox(moov, 'trak', box.end)) {
    if (readType(needBox(box.content, 'mdia', 'hdlr'), 8) === 'vide') return box.content;
  }
  throw new RemuxError('unsupported', 'no video track');
}

/** @throws RemuxError */
export function openFilm(file: Uint8Array): Film {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const moov = needBox(view, 'moov');
  const trak = videoTrack(moov);
  const tkhd = needBox(trak, 'tkhd');
  const stbl = needBox(trak, 'mdia', 'minf', 'stbl');
  const stsd = needBox(stbl, 'stsd');
  const timescale = clockOf(needBox(trak, 'mdia', 'mdhd'));
  const ticks = timescale / clockOf(needBox(moov, 'mvhd'));
  const showing = isWide(tkhd) ? 52 : 40;
  return {
    ...codingOf(stsd),
    timescale,
    showing: within(tkhd, showing, showing + SHOWING),
    stsd,
    shown: shownStretch(findBox(trak, 'edts', 'elst'), ticks),
    eachSample(visit) {
      const row = new SampleRow(file.length, visit);
      readTable(stbl, row);
      const track = behindDates(tkhd);
      let defaults: SampleDefaults | null = null;
      for (let box = nextBox(view, 'moof'); box; box = nextBox(view, 'moof', box.end)) {
        defaults ??= defaultsOf(needBox(moov, 'mvex'), track);
        readFragment(box, track, defaults, row);
      }
    },
  };
}
