// What every player has: a TimeRanges of our own behaves as those of the platform.
import assert from 'node:assert/strict';
import test from 'node:test';
import { timeRange } from '../../src/playback/player.ts';

test('a span reaches from 0 to its end', () => {
  const span = timeRange(4.5);
  assert.equal(span.length, 1);
  assert.equal(span.start(0), 0);
  assert.equal(span.end(0), 4.5);
});

test('a span may begin later', () => {
  const span = timeRange(9, 2.5);
  assert.deepEqual([span.start(0), span.end(0)], [2.5, 9]);
  assert.equal(timeRange(2, 2.5).length, 0);
});

for (const end of [0, -1, NaN]) {
  test(`a span to ${end} is empty`, () => assert.equal(timeRange(end).length, 0));
}

test('asking for a range that is not there throws IndexSizeError', () => {
  assert.throws(() => timeRange(1).start(1), { name: 'IndexSizeError' });
  assert.throws(() => timeRange(0).end(0), { name: 'IndexSizeError' });
});
