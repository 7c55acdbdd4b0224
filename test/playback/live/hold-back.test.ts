// How far behind live a playlist wants to be played.
import assert from 'node:assert/strict';
import test from 'node:test';
import { holdBackOf } from '../../../src/playback/live/hls-engine.ts';

test('that of parts goes before that of segments, and three target durations are what there is without either', () => {
  assert.equal(holdBackOf({ partHoldBack: 0.6, holdBack: 6, targetduration: 2 }), 0.6);
  assert.equal(holdBackOf({ partHoldBack: 0, holdBack: 7, targetduration: 2 }), 7);
  assert.equal(holdBackOf({ partHoldBack: 0, holdBack: 0, targetduration: 2 }), 6);
});

test('what is no distance counts as none', () => {
  for (const junk of [-5, NaN]) {
    assert.equal(holdBackOf({ partHoldBack: junk, holdBack: junk, targetduration: 4 }), 12);
  }
});
