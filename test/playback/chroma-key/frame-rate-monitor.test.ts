// When a machine is too slow for chroma keying, from times and frame counts alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FrameRateMonitor } from '../../../src/playback/chroma-key/chroma-key-canvas.ts';

/** Draws for this many seconds. Returns the second in which the machine was reported as too slow, or null. */
function draw(
  pace: FrameRateMonitor,
  { from = 0, seconds, drawn, source }: { from?: number; seconds: number; drawn: number; source: number },
): number | null {
  for (let n = 0; n <= seconds * drawn; n++) {
    const at = from + n / drawn;
    if (pace.frameDrawn(at * 1000, Math.floor(at * source))) return at - from;
  }
  return null;
}

test('10 drawn frames of 25 a second are too slow after three seconds, not before', () => {
  const after = draw(new FrameRateMonitor(), { seconds: 10, drawn: 10, source: 25 });
  assert.ok(after !== null && after >= 2.5 && after <= 4, `after ${after} s`);
});

test('15 drawn frames a second are enough', () => {
  assert.equal(draw(new FrameRateMonitor(), { seconds: 30, drawn: 16, source: 25 }), null);
});

test('a video of 10 frames a second is no sign of a slow machine', () => {
  assert.equal(draw(new FrameRateMonitor(), { seconds: 30, drawn: 10, source: 10 }), null);
});

test('two slow seconds change nothing', () => {
  const pace = new FrameRateMonitor();
  for (let from = 0; from < 30; from += 5.1) {
    assert.equal(draw(pace, { from, seconds: 2.05, drawn: 8, source: 25 }), null, 'slow for two seconds');
    assert.equal(draw(pace, { from: from + 2.1, seconds: 2.95, drawn: 24, source: 25 }), null, 'then fast');
  }
});

test('frames before a reset do not count', () => {
  const pace = new FrameRateMonitor();
  for (let from = 0; from < 30; from += 2.5) {
    assert.equal(draw(pace, { from, seconds: 2.4, drawn: 8, source: 25 }), null, 'slow until a seek');
    pace.reset();
  }
});
