// Which codec may be in which container.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canHold, type Codec, type Container } from '../../../demo/sandbox/media/media-spec.ts';
import { eachCase } from '../each-case.ts';

const codecs: readonly Codec[] = ['h264', 'h265', 'vp9', 'av1', 'prores'];
const held: readonly (readonly [Container, opaque: readonly Codec[], transparent: readonly Codec[]])[] = [
  ['mp4', ['h264', 'h265', 'vp9', 'av1'], []],
  ['mov', ['h264', 'h265'], ['prores']],
  ['webm', ['vp9'], ['vp9']],
  ['ts', ['h264', 'h265'], []],
  ['segment', ['h264', 'h265', 'vp9', 'av1'], []],
];

test('each container holds its own codecs, with transparency and without', () =>
  eachCase(held, ([container, opaque, transparent]) => {
    assert.deepEqual(codecs.filter((codec) => canHold(container, codec)), opaque); // oxfmt-ignore
    assert.deepEqual(codecs.filter((codec) => canHold(container, codec, true)), transparent); // oxfmt-ignore
  }));
