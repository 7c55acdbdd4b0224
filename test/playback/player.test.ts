// Common parts of all players: their settings and our own TimeRanges behave as the platform's do.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Player, timeRanges } from '../../src/playback/player.ts';

test('ranges are returned in their order, and those without length are left out', () => {
  const ranges = timeRanges([0, 2], [3, 3], [4, 6.5], [8, NaN]);
  assert.equal(ranges.length, 2);
  assert.deepEqual([ranges.start(0), ranges.end(0)], [0, 2]);
  assert.deepEqual([ranges.start(1), ranges.end(1)], [4, 6.5]);
});

test('asking for a range that is not there throws IndexSizeError', () => {
  assert.throws(() => timeRanges([0, 1]).start(1), { name: 'IndexSizeError' });
  assert.throws(() => timeRanges().end(0), { name: 'IndexSizeError' });
});

test('a speed or volume may also be a string, because templates of frameworks set properties, and a value that is no speed is ignored', () => {
  const player = new Player();
  Object.assign(player, { playbackRate: '1.5', volume: '0.5' });
  assert.deepEqual([player.playbackRate, player.volume], [1.5, 0.5]);
  for (const junk of ['fast', '', null, undefined, NaN]) Object.assign(player, { playbackRate: junk });
  assert.equal(player.playbackRate, 1.5);
});
