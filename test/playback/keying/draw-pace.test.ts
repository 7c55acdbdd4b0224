// When a machine is too slow to key: told from times and counts alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DrawPace } from '../../../src/playback/keying/draw-pace.ts';

/** Draws for that many seconds; returns after how many it was told too slow, null when never. */
function draw(
  pace: DrawPace,
  { from = 0, seconds, drawn, film }: { from?: number; seconds: number; drawn: number; film: number },
): number | null {
  for (let n = 0; n <= seconds * drawn; n++) {
    const at = from + n / drawn;
    if (pace.drawn(at * 1000, Math.floor(at * film))) return at - from;
  }
  return null;
}

test('a film of 25 of which 10 a second are drawn is too slow after some seconds, not before', () => {
  const after = draw(new DrawPace(), { seconds: 10, drawn: 10, film: 25 });
  assert.ok(after !== null && after >= 2.5 && after <= 4, `after ${after} s`);
});

test('15 a second are enough', () => {
  assert.equal(draw(new DrawPace(), { seconds: 30, drawn: 16, film: 25 }), null);
});

test('a film of 10 a second is not the machine’s fault', () => {
  assert.equal(draw(new DrawPace(), { seconds: 30, drawn: 10, film: 10 }), null);
});

test('a hiccup of two seconds is forgiven', () => {
  const pace = new DrawPace();
  for (let from = 0; from < 30; from += 5.1) {
    assert.equal(draw(pace, { from, seconds: 2.05, drawn: 8, film: 25 }), null, 'slow for two seconds');
    assert.equal(draw(pace, { from: from + 2.1, seconds: 2.95, drawn: 24, film: 25 }), null, 'then fast');
  }
});

test('what was not drawn before a reset does not count', () => {
  const pace = new DrawPace();
  for (let from = 0; from < 30; from += 2.5) {
    assert.equal(draw(pace, { from, seconds: 2.4, drawn: 8, film: 25 }), null, 'slow until a seek');
    pace.reset();
  }
});
