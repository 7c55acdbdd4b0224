// What the remuxer promises beside the samples themselves, and what it refuses: each clip that is not to be remuxed gives a
// typed error, at the cost of reading it (which `judge` checks).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { remux } from '../../../src/playback/mp4/remux.ts';
import { allOf, changed, readBoxes, theBox, type Box } from './box-tree.ts';
import { same, valid } from './changed-clips.ts';
import { clipsOf, edits } from './clip-changes.ts';
import { fragments, malformed, unsupported } from './refused-clips.ts';
import { makeClips } from './clip-files.ts';
import { judge } from './judge.ts';

const made = new Map((await makeClips()).map(({ name, bytes }) => [name, bytes]));
const clip = (name: string): Uint8Array => made.get(name)!;
const base = clip('index behind, with sound.mp4');

/** A byte within the first parameter set, from the name of its box on. */
const SET_IN_AVCC = 16;

const outcome = (bytes: Uint8Array): string => judge(bytes).outcome;

for (const [name, codec] of [
  ['baseline.mp4', 'avc1.42c00b'],
  ['high, three B-frames.mp4', 'avc1.64000b'],
  ['ten bits.mp4', 'avc1.6e000b'],
  ['odd size in 4:4:4.mp4', 'avc1.f4000b'],
  ['H.265.mp4', 'hvc1.1.6.L30.90'],
  ['H.265 with sets in band.mp4', 'hev1.1.6.L30.90'],
  ['VP9.mp4', 'vp09.00.10.08'],
  ['AV1.mp4', 'av01.0.00M.08'],
] as const) {
  test(`${name} has the codec ${codec}`, () => {
    assert.equal(remux(clip(name)).mimeType, `video/mp4; codecs="${codec}"`);
  });
}

test('a file and the same file with sound, fragments or dates have equal initialisation segments', () => {
  const { init } = remux(clip('high, three B-frames.mp4'));
  const dated = changed(base, (boxes) => theBox(boxes, 'mvhd').content.fill(7, 4, 12));
  for (const other of [base, dated, clip('fragments.mp4')]) assert.deepEqual(remux(other).init, init);
});

test('a clip of type avc3 becomes avc1 when its sample entry has all parameter sets, and else stays avc3', () => {
  const named = (boxes: Box[]): void => theBox(boxes, 'stsd').content.set(Buffer.from('avc3'), 12);
  const setsInBoth = clip('sets in the samples too.mp4');
  for (const file of [base, setsInBoth]) assert.deepEqual(remux(changed(file, named)), remux(file));
  const others = changed(setsInBoth, (boxes) => {
    named(boxes);
    const { content } = theBox(boxes, 'stsd');
    content[Buffer.from(content).indexOf('avcC') + SET_IN_AVCC]! ^= 0xff;
  });
  assert.equal(remux(others).mimeType, 'video/mp4; codecs="avc3.64000b"');
});

test('values that all samples share are written once', () => {
  const { media } = remux(clip('baseline.mp4'));
  const moof = new DataView(media.buffer).getUint32(0);
  // Size and key flag of 25 frames, and what a fragment always has.
  assert.ok(moof < 25 * 8 + 120, `the moof has ${moof} bytes`);
});

test('a clip of 25 ticks a second is remuxed to 90,000 ticks a second, and one of a million ticks keeps them', () => {
  const ticks = (bytes: Uint8Array): number =>
    Buffer.from(theBox(readBoxes(remux(bytes).init), 'mdhd').content).readUInt32BE(12);
  const coarse = changed(base, (boxes) => {
    theBox(boxes, 'mdhd').content.set([0, 0, 0, 25], 12);
    edits()(boxes);
  });
  assert.deepEqual([ticks(coarse), ticks(clip('a clock of a million.mp4'))], [90_000, 1_000_000]);
});

test('a file inside a larger array is read from its own start', () => {
  const room = new Uint8Array(base.length + 20).fill(0xff);
  room.set(base, 13);
  assert.deepEqual(remux(room.subarray(13, 13 + base.length)), remux(base));
});

test('the file is not changed', () => {
  const before = base.slice();
  remux(base);
  assert.deepEqual(base, before);
});

test('of two video tracks the first one that is enabled is remuxed, and the first of all when none is', () => {
  const both = clip('two video tracks.mp4');
  const enabled = (...flags: readonly (0 | 1)[]) =>
    remux(
      changed(both, (boxes) => flags.forEach((flag, at) => (allOf(boxes, 'tkhd')[at]!.content[3] = flag))),
    );
  const onlySecond = changed(both, (boxes) => theBox(boxes, 'hdlr').content.set(Buffer.from('text'), 8));
  const [first, second] = [enabled(1, 1), remux(onlySecond)];
  assert.notDeepEqual(first.media, second.media);
  assert.deepEqual([enabled(1, 0), enabled(0, 1), enabled(0, 0)], [first, second, first]);
});

for (const { name, bytes } of clipsOf(base, same)) {
  test(`${name} changes nothing`, () => assert.deepEqual(remux(bytes), remux(base)));
}

for (const { name, bytes } of clipsOf(base, valid)) {
  test(`${name}: not refused`, () => assert.equal(outcome(bytes), 'remuxed'));
}

for (const name of ['MPEG-4 part 2.mp4', 'sound alone.mp4', 'cut between key frames.mp4']) {
  test(`${name} is unsupported`, () => assert.equal(outcome(clip(name)), 'unsupported'));
}
for (const { name, bytes } of clipsOf(base, unsupported)) {
  test(`${name}: unsupported`, () => assert.equal(outcome(bytes), 'unsupported'));
}
for (const { name, bytes } of clipsOf(base, malformed)) {
  test(`${name}: malformed`, () => assert.equal(outcome(bytes), 'malformed'));
}

for (const [expected, changes] of Object.entries(fragments)) {
  for (const { name, bytes } of clipsOf(clip('fragments counted from themselves.mp4'), changes)) {
    test(`fragments with ${name}: ${expected}`, () => assert.equal(outcome(bytes), expected));
  }
}

for (const [name, bytes] of [
  ['nothing', new Uint8Array()],
  ['seven bytes', new Uint8Array(7)],
  ['a page that says no', new TextEncoder().encode('<!doctype html><title>403</title>')],
  ['zeros', new Uint8Array(4096)],
  ['a box smaller than its own header', Uint8Array.of(0, 0, 0, 4, 109, 111, 111, 118)],
  ['a box of 64 bits that is cut off', Uint8Array.of(0, 0, 0, 1, 109, 111, 111, 118)],
] as const) {
  test(`${name}: malformed`, () => assert.equal(outcome(bytes), 'malformed'));
}

test('a file cut off anywhere in its data or its index is malformed', () => {
  for (const whole of [base, clip('index in front, with sound.mp4'), clip('fragments.mp4')]) {
    for (let length = 0; length < whole.length - 8; length += 97) {
      const kind = outcome(whole.slice(0, length));
      // A sequence of whole fragments is a valid, shorter clip.
      if (kind !== 'remuxed') assert.equal(kind, 'malformed', `at ${length} of ${whole.length} bytes`);
      else assert.equal(whole, clip('fragments.mp4'), `at ${length} of ${whole.length} bytes`);
    }
  }
});
