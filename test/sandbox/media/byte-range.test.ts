// The Range header (RFC 9110, section 14) against a file of 100 bytes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byteRange } from '../../../demo/sandbox/media/media-origin.ts';
import { eachCase } from '../each-case.ts';

const cases: readonly (readonly [header: string | undefined, answer: ReturnType<typeof byteRange>])[] = [
  [undefined, null],
  ['bytes=0-', { from: 0, to: 99 }],
  ['bytes=10-19', { from: 10, to: 19 }],
  ['bytes=0-0', { from: 0, to: 0 }],
  ['bytes=90-500', { from: 90, to: 99 }],
  ['bytes=-10', { from: 90, to: 99 }],
  ['bytes=-500', { from: 0, to: 99 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=20-10', null],
  ['bytes=-', null],
  ['bytes=0-9,20-29', null],
  ['frames=0-9', null],
  ['bytes=a-b', null],
];

test('a Range header is satisfiable, not satisfiable or ignored, as RFC 9110 says', () =>
  eachCase(cases, ([header, answer]) => {
    assert.deepEqual(byteRange(header, 100), answer);
  }));
