// The pause between sentences, on a mocked clock.
import assert from 'node:assert/strict';
import test from 'node:test';
import { SentencePause } from '../../../src/playback/clips/sentence-pause.ts';

for (const [rate, seconds] of [
  [0.5, 0],
  [1, 0],
  [1.5, 0.2],
  [2, 0.3],
] as const) {
  test(`at rate ${rate} the last frame is held ${seconds} s, so that a pause is as long as at rate 1, or longer`, () => {
    const beat = new SentencePause(() => {});
    assert.ok(Math.abs(beat.of(rate) - seconds) < 1e-9, String(beat.of(rate)));
    // The clips' own rest of 0.6 s at this rate, and the added pause.
    assert.ok(0.6 / rate + beat.of(rate) >= 0.6 - 1e-9, 'the pause is shorter than at rate 1');
  });
}

test('a pause lasts for its time and then reports its end once', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let over = 0;
  const beat = new SentencePause(() => (over += 1));
  beat.begin(2);
  t.mock.timers.tick(299);
  assert.deepEqual([beat.on, over], [true, 0]);
  t.mock.timers.tick(1);
  assert.deepEqual([beat.on, over], [false, 1]);
  t.mock.timers.tick(1000);
  assert.equal(over, 1);
});

test('at rate 1 there is no pause', () => {
  const beat = new SentencePause(() => {});
  beat.begin(1);
  assert.equal(beat.on, false);
});

test('a pause ends early and reports nothing when something else is shown', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let over = 0;
  const beat = new SentencePause(() => (over += 1));
  beat.begin(2);
  beat.end();
  t.mock.timers.tick(1000);
  assert.deepEqual([beat.on, over], [false, 0]);
});
