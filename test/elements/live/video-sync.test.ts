// How a signer is corrected that is not at the position of the page's video.
import assert from 'node:assert/strict';
import test from 'node:test';
import { stepFor } from '../../../src/elements/video-sync.ts';

const LONG_AGO = Infinity;

/** The lag after this many seconds in quarter seconds of steps, and how many seeks were made on the way. */
function after(seconds: number, lag: number): { lag: number; seeks: number } {
  let seeks = 0;
  let sinceSeek = LONG_AGO;
  for (let time = 0; time < seconds; time += 0.25) {
    const { rate, seek } = stepFor(lag, sinceSeek);
    if (seek) {
      seeks += 1;
      sinceSeek = 0;
      // A seek that lands 1.5 s beside its target.
      lag = 1.5;
    }
    sinceSeek += 250;
    lag -= (rate - 1) * 0.25;
  }
  return { lag, seeks };
}

test('the playback rate stays between 0.9 and 1.1, and is 1 when the difference is small', () => {
  for (let lag = -20; lag <= 20; lag += 0.01) {
    const { rate } = stepFor(lag, 0);
    assert.ok(rate >= 0.9 && rate <= 1.1, `${rate} at ${lag} s`);
    assert.ok(Math.abs(lag) > 0.08 || rate === 1, `${rate} at ${lag} s`);
  }
});

test('a difference of less than a second is corrected by playback rate alone, without oscillation', () => {
  for (const lag of [-0.99, -0.5, 0.2, 0.99]) {
    const later = after(15, lag);
    assert.equal(later.seeks, 0);
    assert.ok(Math.abs(later.lag) <= 0.1, `${later.lag} s`);
    assert.ok(Math.sign(later.lag) === Math.sign(lag), `${later.lag} s is beyond`);
  }
});

test('a larger difference is corrected by a seek, at most one in five seconds', () => {
  assert.deepEqual(stepFor(1.01, LONG_AGO), { rate: 1, seek: true });
  assert.deepEqual(stepFor(-30, LONG_AGO), { rate: 1, seek: true });
  assert.equal(stepFor(30, 4_999).seek, false);
  assert.equal(after(5, 30).seeks, 1);
});
