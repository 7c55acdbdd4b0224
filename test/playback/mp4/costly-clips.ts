// Clips that are made to be expensive to read: nothing but headers, lists within lists, long tables.
// - Each of them is refused, most of them as late as possible.
// - They are about as large as a real clip.

const words = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, i) => bytes.writeUInt32BE(value, i * 4));
  return bytes;
};

/** The same words again and again. */
const rows = (count: number, ...values: readonly number[]): Buffer =>
  Buffer.alloc(count * values.length * 4, words(...values));

const box = (type: string, ...contents: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(contents);
  return Buffer.concat([words(8 + content.length), Buffer.from(type, 'latin1'), content]);
};

const many = (count: number, one: Buffer): Buffer => Buffer.alloc(count * one.length, one);
const free = (count: number): Buffer => many(count, box('free'));

const handler = (kind: string): Buffer => box('hdlr', words(0, 0), Buffer.from(kind), words(0, 0, 0));
const coding = Buffer.concat([Buffer.alloc(78), box('avcC', Buffer.of(1, 66, 0, 30))]);
const description = box('stsd', words(0, 1, 8 + coding.length), Buffer.from('avc1'), coding);

interface Parts {
  readonly tables: readonly Buffer[];
  /** Empty boxes in front of every list on the path. */
  readonly ballast?: number;
  readonly edits?: Buffer;
  readonly behind?: Buffer;
}

function clip({ tables, ballast = 0, edits = Buffer.alloc(0), behind = Buffer.alloc(0) }: Parts): Buffer {
  const front = free(ballast);
  const stbl = box('stbl', front, description, ...tables);
  const mdhd = box('mdhd', words(0, 0, 0, 1000, 0, 0));
  const mdia = box('mdia', front, mdhd, handler('vide'), box('minf', front, stbl));
  const trak = box('trak', front, box('tkhd', words(0, 0, 0, 1), Buffer.alloc(80)), edits, mdia);
  const mvex = box('mvex', box('trex', words(0, 1, 1, 1000, 1, 0)));
  const moov = box('moov', front, box('mvhd', words(0, 0, 0, 1000, 0)), mvex, trak);
  return Buffer.concat([front, moov, behind]);
}

const FRAMES = 65_000;
const chunks = (count: number, size = 1): Buffer[] => [
  box('stsz', words(0, size, count)),
  box('stsc', words(0, 1, 1, count, 1)),
  box('stco', words(0, 1, 0)),
];
const none = [box('stsz', words(0, 0, 0))];
const fragment = (start: number): Buffer => {
  const traf = [
    box('tfhd', words(0x20018, 1, 1000, 1)),
    box('tfdt', words(0, start)),
    box('trun', words(0, 1)),
  ];
  return box('moof', box('mfhd', words(0, 1)), box('traf', ...traf));
};
/** Consecutive fragments, of which the last is out of order. */
const fragments = (count: number): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, at) => fragment(at === count - 1 ? 0 : at * 1000)));

export const costlyClips: Readonly<Record<string, Buffer>> = {
  'nothing but headers': free(40_000),
  'nothing but headers of 64 bits': many(
    20_000,
    Buffer.concat([words(1), Buffer.from('free'), words(0, 16)]),
  ),
  'headers in front of every list': clip({ tables: chunks(10), ballast: 4000 }),
  'fewer headers, of which each list is found': clip({ tables: chunks(10), ballast: 1000 }),
  'tracks of sound': box('moov', many(4000, box('trak', box('mdia', handler('soun'))))),
  'fragments of another track': clip({
    tables: none,
    behind: box('moof', many(4000, box('traf', box('tfhd', words(0x20000, 7))))),
  }),
  'fragments, all but the last in order': clip({ tables: none, behind: fragments(400) }),
  'more fragments than are read': clip({ tables: none, behind: fragments(3000) }),
  'frames, one too few in the last table': clip({
    tables: [
      ...chunks(FRAMES),
      box('stts', words(0, FRAMES), rows(FRAMES, 1, 16_000)),
      box('ctts', words(0, FRAMES - 1), rows(FRAMES - 1, 1, 20_000)),
    ],
    behind: Buffer.alloc(FRAMES),
  }),
  'one frame too many': clip({
    tables: [...chunks(65_537), box('stts', words(0, 1, 65_537, 16_000))],
    behind: Buffer.alloc(65_537),
  }),
  'frames whose times are large': clip({
    tables: [...chunks(FRAMES), box('stts', words(0, 1, FRAMES, 0xfffffff0))],
    behind: Buffer.alloc(FRAMES),
  }),
  'frames in chunks of their own, one outside the file': clip({
    tables: [
      box('stsz', words(0, 1, FRAMES)),
      box('stsc', words(0, 1, 1, 1, 1)),
      box('co64', words(0, FRAMES), rows(FRAMES - 1, 0, 8), words(0, 0x7fffffff)),
      box('stts', words(0, 1, FRAMES, 16_000)),
    ],
    behind: Buffer.alloc(FRAMES),
  }),
  'chunks without frames': clip({
    tables: [
      box('stsz', words(0, 1, 1)),
      box('stsc', words(0, 1, 1, 0, 1)),
      box('stco', words(0, 200_000), rows(200_000, 0)),
      box('stts', words(0, 1, 1, 16_000)),
    ],
  }),
  'times of runs without frames': clip({
    tables: [...chunks(10), box('stts', words(0, 100_000), rows(100_000, 0, 0))],
  }),
  'edits of nothing': clip({
    tables: chunks(10),
    edits: box('edts', box('elst', words(0, 100_000), rows(100_000, 1, 0xffffffff, 0x10000))),
  }),
};
