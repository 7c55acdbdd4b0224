// Clips broken at random.
// - Most changes are in the index, where each byte has a meaning: sizes and types of boxes, counts and table rows.
// - The others are anywhere.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readBoxes, type Box } from './box-tree.ts';
import { valid } from './changed-clips.ts';
import { clipsOf } from './clip-changes.ts';
import { makeClips } from './clip-files.ts';

interface Target {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Offsets of words of the index: box headers and their first fields. */
  readonly words: readonly number[];
}

/** The clips that are broken: one for each way to write an index. */
const made = [
  'index behind, with sound.mp4',
  'index in front, with sound.mp4',
  'fragments.mp4',
  'fragments behind an index.mp4',
  'H.265.mp4',
  'AV1.mp4',
];
const byHand = [
  'offsets in 64 bits',
  'headers of version 1',
  'an edit list of version 1',
  'sizes of 16 bits',
];

const MAX_WORDS_OF_A_BOX = 16;

/** Offsets of the words of each box; of long tables only the beginning. */
function wordsOfIndex(boxes: readonly Box[]): number[] {
  return boxes.flatMap(({ type, from, content, inner }) => {
    if (type === 'mdat') return [from - 8, from - 4];
    const words = Math.min(MAX_WORDS_OF_A_BOX, content.length >> 2);
    const own = [...Array(words + 2).keys()].map((i) => from - 8 + i * 4);
    return [...own, ...wordsOfIndex(inner ?? [])];
  });
}

export async function targets(): Promise<readonly Target[]> {
  const clips = await makeClips();
  const base = clips.find(({ name }) => name === made[0])!.bytes;
  const all = [...clips, ...clipsOf(base, valid)].filter(({ name }) => [...made, ...byHand].includes(name));
  assert.equal(all.length, made.length + byHand.length);
  return all.map(({ name, bytes }) => ({ name, bytes, words: wordsOfIndex(readBoxes(bytes)) }));
}

const edgeValues = [
  0, 1, 2, 7, 8, 15, 16, 0xff, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff,
];

const word = fc.oneof(fc.constantFrom(...edgeValues), fc.nat(0xffffffff), fc.nat(4096));
const place = fc.nat(0xffffffff);

type Mutation = (bytes: Uint8Array, words: readonly number[]) => Uint8Array;

const setWord = (bytes: Uint8Array, at: number, value: number): Uint8Array => {
  if (at >= 0 && at + 4 <= bytes.length) new DataView(bytes.buffer).setUint32(at, value);
  return bytes;
};

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(place, word).map(
      ([at, value]): Mutation =>
        (bytes, words) =>
          setWord(bytes, words[at % words.length]!, value),
    ),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(place, fc.integer({ min: -40, max: 40 }))
      .map(([at, by]): Mutation => (bytes, words) => {
        const target = words[at % words.length]!;
        if (target + 4 > bytes.length) return bytes;
        return setWord(bytes, target, new DataView(bytes.buffer).getUint32(target) + by);
      }),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(place, fc.nat(31)).map(([at, bit]): Mutation => (bytes, words) => {
      const target = words[at % words.length]! + (bit >> 3);
      if (target < bytes.length) bytes[target]! ^= 1 << (bit & 7);
      return bytes;
    }),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(place, fc.nat(255)).map(([at, value]): Mutation => (bytes) => {
      if (bytes.length > 0) bytes[at % bytes.length] = value;
      return bytes;
    }),
  },
  {
    weight: 1,
    arbitrary: place.map(
      (at): Mutation =>
        (bytes) =>
          bytes.slice(0, at % (bytes.length + 1)),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(place, fc.nat(64)).map(([at, length]): Mutation => (bytes) => {
      const from = at % (bytes.length + 1);
      return new Uint8Array(Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + length)]));
    }),
  },
);

interface Broken {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A clip with one to six changes. */
export const brokenClip = (clips: readonly Target[]): fc.Arbitrary<Broken> =>
  fc
    .tuple(fc.constantFrom(...clips), fc.array(mutation, { minLength: 1, maxLength: 6 }))
    .map(([clip, mutations]) => ({
      name: clip.name,
      bytes: mutations.reduce<Uint8Array>((bytes, apply) => apply(bytes, clip.words), clip.bytes.slice()),
    }));
