// Valid clips that FFmpeg does not write, made by hand from one that it writes: wide boxes, odd tables, other versions, edits.
import { allOf, newBox, theBox, wordsOf, type Box } from './box-tree.ts';
import { FIRST, NORMAL, edits, replace, video, wordAt, type Change } from './clip-changes.ts';

const sizesOf = (stsz: Box): number[] =>
  [...Array(wordAt(stsz, 8)).keys()].map((i) => wordAt(stsz, 12 + i * 4));

/** `stz2` of the video track with fields of that many bits; frames are shortened so that their sizes fit. */
const narrow =
  (bits: 4 | 8 | 16): Change =>
  (boxes) => {
    const sizes = sizesOf(theBox([video(boxes)], 'stsz')).map((size) => Math.min(size, 2 ** bits - 1));
    if (sizes.length % 2 && bits === 4) sizes.push(0);
    const hex = sizes.map((size) => size.toString(16).padStart(bits / 4, '0')).join('');
    const inner = video(boxes).inner!;
    const at = inner.findIndex(({ type }) => type === 'stsz');
    const count = wordAt(inner[at]!, 8);
    const content = Buffer.concat([wordsOf(0, bits, count), Buffer.from(hex, 'hex')]);
    inner[at] = newBox('stz2', new Uint8Array(content));
  };

/** Writes the two dates of a header, and the length at `lengthAt`, in 64 bits. */
function widen(header: Box, lengthAt: number): void {
  const old = header.content;
  const words = (from: number, to?: number): Uint8Array => old.slice(from, to);
  header.content = new Uint8Array(
    Buffer.concat([
      wordsOf(0x1000000 + (wordAt(header, 0) & 0xffffff), 0, wordAt(header, 4), 0, wordAt(header, 8)),
      words(12, lengthAt),
      wordsOf(0, wordAt(header, lengthAt)),
      words(lengthAt + 4),
    ]),
  );
}

const TOP = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl']);

export const valid: Readonly<Record<string, Change>> = {
  'offsets in 64 bits': (boxes) =>
    replace(boxes, 'stco', (stco) => {
      const rows = [...Array(wordAt(stco, 4)).keys()].flatMap((i) => [0, wordAt(stco, 8 + i * 4)]);
      return newBox('co64', wordsOf(0, rows.length / 2, ...rows));
    }),
  'data in a box of 64 bits': (boxes) => {
    theBox(boxes, 'mdat').header = 'wide';
  },
  'data to the end of the file': (boxes) => {
    const mdat = theBox(boxes, 'mdat');
    mdat.header = 'open';
    boxes.splice(boxes.indexOf(mdat), 1);
    boxes.push(mdat);
  },
  'data in two boxes': (boxes) => {
    const mdat = theBox(boxes, 'mdat');
    const stco = theBox([video(boxes)], 'stco');
    const middle = wordAt(stco, 8 + 4 * (wordAt(stco, 4) >> 1)) - mdat.from;
    const rest = { ...mdat, content: mdat.content.slice(middle), from: mdat.from + middle };
    mdat.content = mdat.content.slice(0, middle);
    boxes.push(newBox('skip', wordsOf(1, 2, 3)), rest);
  },
  'unknown boxes everywhere': (boxes) => {
    const unknown = () =>
      ['free', 'uuid', 'what', 'wide'].map((type) => newBox(type, wordsOf(1, 2, 3, 4, 5)));
    for (const { inner } of [...TOP].flatMap((type) => allOf(boxes, type))) inner!.unshift(...unknown());
    boxes.splice(1, 0, ...unknown());
  },
  'headers of version 1': (boxes) => {
    for (const box of allOf(boxes, 'mvhd')) widen(box, 16);
    for (const box of allOf(boxes, 'mdhd')) widen(box, 16);
    for (const box of allOf(boxes, 'tkhd')) widen(box, 20);
  },
  'an edit list of version 1': (boxes) => {
    theBox(boxes, 'elst').content = wordsOf(0x1000000, 1, 0, 1000, 0, FIRST, NORMAL);
  },
  'sizes of 16 bits': narrow(16),
  'sizes of 8 bits': narrow(8),
  'sizes of 4 bits': narrow(4),
  'one size for all': (boxes) => {
    theBox([video(boxes)], 'stsz').content = wordsOf(0, 100, 25);
  },
  'no list of key frames': (boxes) => {
    const inner = video(boxes).inner!;
    inner.splice(inner.indexOf(theBox(inner, 'stss')), 1);
  },
  'an edit that ends before the last group': edits([960, FIRST, NORMAL]),
  'two empty edits in front': edits([300, -1, NORMAL], [200, -1, NORMAL], [1000, FIRST, NORMAL]),
  'sets in band': (boxes) => {
    theBox(boxes, 'stsd').content.set(Buffer.from('avc3'), 12);
  },
};

/** Changes after which the clip is shown as before. */
export const same: Readonly<Record<string, Change>> = {
  'an edit that begins within the first frame': edits([990, FIRST + 128, NORMAL]),
  'an edit without a length': edits([0, FIRST, NORMAL]),
  'an empty edit behind': edits([1000, FIRST, NORMAL], [500, -1, NORMAL]),
  'a list that ends with a zero': (boxes) => {
    const { inner } = theBox(boxes, 'moov');
    inner!.push({ ...newBox('udta', new Uint8Array()), header: 'open' });
  },
};
