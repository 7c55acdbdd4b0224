// Clips that are not remuxed, each a valid clip that is changed by hand: it breaks one rule, or it is valid and cannot be
// written as one fragment that starts at 0.
import { allOf, newBox, theBox, wordsOf, type Box } from './box-tree.ts';
import { FIRST, NORMAL, edits, put, replace, video, wordAt, type Change } from './clip-changes.ts';

export const unsupported: Readonly<Record<string, Change>> = {
  'two edits': edits([400, FIRST, NORMAL], [400, FIRST + 6144, NORMAL]),
  'an edit at twice the speed': edits([500, FIRST, 2 * NORMAL]),
  'an edit that begins at the second key frame': edits([500, FIRST + 12 * 512, NORMAL]),
  'an edit that ends between frames that need each other': edits([80, FIRST, NORMAL]),
  'an edit that begins within a frame that is held': (boxes) => {
    theBox([video(boxes)], 'stts').content = wordsOf(0, 2, 1, 16 * 512, 24, 512);
    theBox([video(boxes)], 'ctts').content = wordsOf(0, 1, 25, 0);
    edits([1000, 12 * 512, NORMAL])(boxes);
  },
  'an edit that ends within a last frame that is held': (boxes) => {
    theBox([video(boxes)], 'stts').content = wordsOf(0, 2, 24, 512, 1, 16 * 512);
    theBox([video(boxes)], 'ctts').content = wordsOf(0, 1, 25, 0);
    edits([1300, 0, NORMAL])(boxes);
  },
  'an edit that ends within a frame that is held, which only the time of the next one tells': (boxes) => {
    theBox([video(boxes)], 'ctts').content = wordsOf(0, 2, 10, 0, 15, 16 * 512);
    edits([700, 0, NORMAL])(boxes);
  },
  'an encrypted track': (boxes) => theBox(boxes, 'stsd').content.set(Buffer.from('encv'), 12),
  'a coding that shadows a name of the language': (boxes) =>
    theBox(boxes, 'stsd').content.set(Buffer.from('toString').subarray(0, 4), 12),
  'two sample descriptions': (boxes) => put(theBox(boxes, 'stsd'), 4, 2),
  'a first frame that needs others': (boxes) => {
    theBox(boxes, 'stss').content = wordsOf(0, 1, 13);
  },
  'a shift above 2^30 ticks': (boxes) => {
    theBox(boxes, 'ctts').content = wordsOf(0, 2, 1, 0x7fffffff, 24, 0x80000000);
    edits()(boxes);
  },
  'frames above 2^30 ticks': (boxes) => {
    theBox(boxes, 'stts').content = wordsOf(0, 1, 25, 0x10000000);
  },
  'a chunk above 2^32': (boxes) =>
    replace(boxes, 'stco', () => newBox('co64', wordsOf(0, 1, 0xffffffff, 0xffffffff))),
  'a key frame with a set that the sample entry does not have': (boxes) => {
    // The NAL unit behind its length becomes a sequence parameter set.
    theBox(boxes, 'mdat').content[4] = 0x67;
  },
  'a frame without bytes': (boxes) => put(theBox(boxes, 'stsz'), 12 + 4 * 7, 0),
  'more frames than any clip has': (boxes) => {
    const tables = video(boxes);
    theBox([tables], 'stsz').content = wordsOf(0, 1, 300_000);
    theBox([tables], 'stsc').content = wordsOf(0, 1, 1, 300_000, 1);
    theBox([tables], 'stco').content = wordsOf(0, 1, 0);
    for (const type of ['stts', 'ctts']) theBox([tables], type).content = wordsOf(0, 1, 300_000, 512);
    boxes.push(newBox('free', new Uint8Array(300_000)));
  },
  'more boxes than any clip has': (boxes) => {
    for (let i = 0; i < 20_000; i++) boxes.unshift(newBox('free', new Uint8Array()));
  },
};

export const malformed: Readonly<Record<string, Change>> = {
  'no moov': (boxes) => void boxes.splice(boxes.indexOf(theBox(boxes, 'moov')), 1),
  'a clock that stands still': (boxes) => put(theBox(boxes, 'mdhd'), 12, 0),
  "a clip's clock that stands still": (boxes) => put(theBox(boxes, 'mvhd'), 12, 0),
  'frames without number': (boxes) => {
    const tables = video(boxes);
    theBox([tables], 'stsz').content = wordsOf(0, 0, 0xffffffff);
    theBox([tables], 'stsc').content = wordsOf(0, 1, 1, 0xffffffff, 1);
    theBox([tables], 'stts').content = wordsOf(0, 1, 0xffffffff, 512);
  },
  'more sizes than the table holds': (boxes) => put(theBox(boxes, 'stsz'), 8, 0xffffffff),
  'more sizes than chunks have room for': (boxes) => {
    theBox(boxes, 'stsz').content = wordsOf(0, 1, 0xffffffff);
  },
  'fewer sizes than the chunks have frames': (boxes) => put(theBox(boxes, 'stsz'), 8, 20),
  'frames larger than the file': (boxes) => put(theBox(boxes, 'stsz'), 12, 0x7fffffff),
  'frames that share their bytes': (boxes) => {
    theBox(boxes, 'stsz').content = wordsOf(0, 20_000, 25);
    theBox(boxes, 'stsc').content = wordsOf(0, 1, 1, 1, 1);
    theBox(boxes, 'stco').content = wordsOf(0, 25, ...Array<number>(25).fill(40));
  },
  'a chunk outside the file': (boxes) => put(theBox(boxes, 'stco'), 8, 0xfffffff0),
  'more chunks than the table holds': (boxes) => put(theBox(boxes, 'stco'), 4, 0xffffffff),
  'chunks of no run': (boxes) => {
    theBox(boxes, 'stsc').content = wordsOf(0, 1, 2, 25, 1);
  },
  'times for too few frames': (boxes) => {
    theBox(boxes, 'stts').content = wordsOf(0, 1, 24, 512);
  },
  'times of runs without frames': (boxes) => {
    theBox(boxes, 'stts').content = wordsOf(0, 0xffffffff, ...Array<number>(5000).fill(0));
  },
  'shifts for too few frames': (boxes) => {
    theBox(boxes, 'ctts').content = wordsOf(0, 1, 1, 1024);
  },
  'key frames out of order': (boxes) => {
    theBox(boxes, 'stss').content = wordsOf(0, 3, 1, 24, 13);
  },
  'more edits than the list holds': (boxes) => put(theBox(boxes, 'elst'), 4, 0xffffffff),
  'a track without a description': (boxes) => {
    theBox(boxes, 'stsd').content = wordsOf(0, 1);
  },
  'a description without a coding': (boxes) => {
    const stsd = theBox(boxes, 'stsd');
    stsd.content = stsd.content.slice(0, 8 + 86);
    put(stsd, 8, 86);
  },
  'a track that is not all there': (boxes) => {
    const { inner } = theBox(boxes, 'minf');
    inner!.splice(inner!.indexOf(theBox(inner!, 'stbl')), 1);
  },
};

/** Flags of a `tfhd`: data offsets count from its fragment; the duration and size of samples follow the track's id. */
const BASE_IS_MOOF = 0x20000;
const LENGTH_AND_SIZE = 0x18;
const nth = (boxes: readonly Box[], type: string, at: number): Box => allOf(boxes, type)[at]!;
const setFlags = (box: Box, flags: number): void => put(box, 0, flags);

/**
 * What becomes of a fragmented clip after each change. Its data offsets count from their fragment, and each fragment has a `traf`
 * of video and one of sound.
 */
export const fragments: Readonly<
  Record<'remuxed' | 'unsupported' | 'malformed', Readonly<Record<string, Change>>>
> = {
  remuxed: {
    'no times of fragments': (boxes) => {
      for (const { inner } of allOf(boxes, 'traf')) inner!.splice(inner!.indexOf(theBox(inner!, 'tfdt')), 1);
    },
    'a beginning that is not 0': (boxes) => {
      for (const { content } of allOf(boxes, 'tfdt')) content[9] = 1;
    },
    'a beginning above 2^32 ticks, as of a recorder that writes the date': (boxes) => {
      for (const { content } of allOf(boxes, 'tfdt')) content[6] = 1;
    },
  },
  unsupported: {
    'a beginning above 2^53 ticks': (boxes) => {
      for (const { content } of allOf(boxes, 'tfdt')) content[4] = 1;
    },
    'a gap between fragments': (boxes) => put(nth(boxes, 'tfdt', 2), 8, 999_999),
    'data counted from those of another track': (boxes) => {
      for (const { inner } of allOf(boxes, 'moof')) inner!.reverse();
      for (const tfhd of allOf(boxes, 'tfhd')) setFlags(tfhd, wordAt(tfhd, 0) & ~BASE_IS_MOOF);
    },
    'frames without length': (boxes) => {
      const trun = theBox(boxes, 'trun');
      trun.content = wordsOf(0, 0xffffffff);
      theBox(boxes, 'tfhd').content = wordsOf(BASE_IS_MOOF | LENGTH_AND_SIZE, 1, 0, 1);
    },
  },
  malformed: {
    'more frames than the run holds': (boxes) => put(theBox(boxes, 'trun'), 4, 0xffffffff),
    'more frames than the file has bytes': (boxes) => {
      theBox(boxes, 'trun').content = wordsOf(0, 0xffffffff);
      theBox(boxes, 'tfhd').content = wordsOf(BASE_IS_MOOF | LENGTH_AND_SIZE, 1, 512, 1);
    },
    'data in front of the file': (boxes) => put(theBox(boxes, 'trun'), 8, 0x80000000),
    'no defaults': (boxes) => {
      const { inner } = theBox(boxes, 'mvex');
      inner!.length = 0;
    },
    'a fragment without a header': (boxes) => {
      const { inner } = theBox(boxes, 'traf');
      inner!.splice(inner!.indexOf(theBox(inner!, 'tfhd')), 1);
    },
  },
};
