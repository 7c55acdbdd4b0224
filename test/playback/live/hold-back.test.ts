// The hold-back of a playlist.
import assert from 'node:assert/strict';
import test from 'node:test';
import { holdBackOf } from '../../../src/playback/live/hls-engine.ts';

test('the hold-back of parts overrides the hold-back of segments; the default is three target durations', () => {
  assert.equal(holdBackOf({ partHoldBack: 0.6, holdBack: 6, targetduration: 2 }), 0.6);
  assert.equal(holdBackOf({ partHoldBack: 0, holdBack: 7, targetduration: 2 }), 7);
  assert.equal(holdBackOf({ partHoldBack: 0, holdBack: 0, targetduration: 2 }), 6);
});

test('a hold-back that is not above 0 does not count', () => {
  for (const junk of [-5, NaN]) {
    assert.equal(holdBackOf({ partHoldBack: junk, holdBack: junk, targetduration: 4 }), 12);
  }
});
