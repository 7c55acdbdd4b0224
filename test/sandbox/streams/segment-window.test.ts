// Which segments of a stream are kept, and which are listed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SegmentWindow } from '../../../demo/sandbox/streams/segment-window.ts';
import { partsOf, windowOf, specOf } from './stream-parts.ts';

test('parts of one segment are joined until it is whole', () => {
  const window = windowOf(specOf(), 13);
  assert.deepEqual(
    window.listed.map(({ number, from, frames, isComplete, parts }) => [
      number,
      from,
      frames,
      isComplete,
      parts.length,
    ]),
    [
      [0, 0, 50, true, 10],
      [1, 50, 15, false, 3],
    ],
  );
  assert.equal(window.newest, window.named(1));
  assert.equal(window.named(2), undefined);
});

test('an ongoing stream lists its newest 45 s and keeps twice that', () => {
  const window = windowOf(specOf(), 10 * 100);
  assert.equal(window.listed[0]?.number, 77);
  assert.equal(window.named(54), undefined);
  assert.equal(window.named(55)?.number, 55);
  assert.equal(window.bytes, 45 * 10 * 4);
});

test('the newest five segments of 10 s are listed', () => {
  const window = windowOf(specOf({ segmentSeconds: 10 }), 50 * 20);
  assert.deepEqual(
    window.listed.map(({ number }) => number),
    [15, 16, 17, 18, 19],
  );
});

test('a job keeps and lists all its segments', () => {
  const window = windowOf(specOf({ kind: 'job' }), 10 * 100);
  assert.equal(window.listed.length, 100);
});

test('an ongoing stream that is over its bytes keeps less, and a job says that it is full', () => {
  const ongoing = new SegmentWindow(specOf(), 1000);
  for (const part of partsOf(specOf(), 100, 15)) ongoing.add(part);
  assert.equal(ongoing.bytes, 900);
  assert.equal(ongoing.named(3), undefined);
  assert.equal(ongoing.isFull, false);
  const job = specOf({ kind: 'job' });
  const window = new SegmentWindow(job, 1000);
  for (const part of partsOf(job, 67, 15)) window.add(part);
  assert.equal(window.isFull, true);
});

test('four segments are kept however large they are', () => {
  const window = new SegmentWindow(specOf(), 1000);
  for (const part of partsOf(specOf(), 100, 1000)) window.add(part);
  assert.equal(window.listed.length, 4);
  assert.equal(window.bytes, 40_000);
});
