// RFC 8216bis, 6.2.5.2: which blocking requests are answered, which wait, and which are refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isListed, isTooFar, reloadRequest } from '../../../demo/sandbox/streams/hls-playlist.ts';
import { windowOf, specOf } from './stream-parts.ts';
import { eachCase } from '../each-case.ts';

type Answer = 'listed' | 'waits' | 'too far';

// Segments 0 and 1 are whole, and of segment 2 there are parts 0 to 2.
const newest = windowOf(specOf(), 23).newest;

const requests: readonly (readonly [segment: number, part: number | null, answer: Answer])[] = [
  [0, null, 'listed'],
  [1, null, 'listed'],
  [1, 9, 'listed'],
  // Part 10 of a segment of 10 parts is part 0 of the next.
  [1, 10, 'listed'],
  [2, 0, 'listed'],
  [2, 2, 'listed'],
  [2, 3, 'waits'],
  [2, null, 'waits'],
  [2, 17, 'waits'],
  [2, 18, 'too far'],
  [3, 0, 'waits'],
  [3, null, 'waits'],
  [3, 14, 'waits'],
  [3, 15, 'too far'],
  [4, null, 'too far'],
  [400, 0, 'too far'],
];

test('a request for a segment or part is answered, waits, or is refused as too far ahead', () =>
  eachCase(requests, ([segment, part, answer]) => {
    const request = { segment, part };
    const found = isTooFar(newest, request) ? 'too far' : isListed(newest, request) ? 'listed' : 'waits';
    assert.equal(found, answer);
  }));

test('before the first part, requests for the first two segments wait', () => {
  const answers = [0, 1, 2].map((segment) => isTooFar(undefined, { segment, part: 0 }));
  assert.deepEqual(answers, [false, false, true]);
  assert.equal(isListed(undefined, { segment: 0, part: 0 }), false);
});

test('after a whole segment a request for the part after its last one waits', () => {
  const whole = windowOf(specOf(), 20).newest;
  assert.equal(isListed(whole, { segment: 1, part: 9 }), true);
  assert.equal(isListed(whole, { segment: 1, part: 10 }), false);
});

test('a query asks for a segment and a part, for nothing, or is wrong', () =>
  eachCase(
    [
      ['', null],
      ['_HLS_skip=YES', null],
      ['_HLS_msn=7', { segment: 7, part: null }],
      ['_HLS_msn=7&_HLS_part=0', { segment: 7, part: 0 }],
      ['_HLS_part=0', 'wrong'],
      ['_HLS_msn=', 'wrong'],
      ['_HLS_msn=-1', 'wrong'],
      ['_HLS_msn=1.5', 'wrong'],
      ['_HLS_msn=1e3', 'wrong'],
      ['_HLS_msn=7&_HLS_part=x', 'wrong'],
      ['_HLS_msn=99999999999999999999', 'wrong'],
    ] as const,
    ([query, read]) => {
      assert.deepEqual(reloadRequest(new URLSearchParams(query)), read);
    },
  ));
