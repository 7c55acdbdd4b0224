// When the pictures of a source are shown, on a manual clock.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SourceClock } from '../../../../demo/sandbox/live/media/source-clock.ts';
import { eachCase } from '../../each-case.ts';

const NOW = Date.UTC(2030, 0, 1);

test('a picture of a pushed source is shown 0.2 s after it arrived', () => {
  const clock = new SourceClock('pushed');
  clock.arrived(100, NOW);
  clock.arrived(100.04, NOW + 40);
  assert.equal(clock.dueOf(100), NOW + 200);
  assert.equal(clock.dueOf(101), NOW + 1200);
});

test('the picture with the shortest delay sets the clock of a pushed source', () => {
  const clock = new SourceClock('pushed');
  clock.arrived(0, NOW);
  // These pictures were delayed by the probe of the stream, or by a busy machine.
  clock.arrived(1, NOW + 100);
  assert.equal(clock.dueOf(1), NOW + 300);
  clock.arrived(8, NOW + 3200);
  assert.equal(clock.dueOf(8), NOW + 3400);
});

test('after a pushed picture that is two seconds late, the delay of the next ones is short', () => {
  const clock = new SourceClock('pushed');
  clock.arrived(0, NOW);
  clock.arrived(0.04, NOW + 2040);
  assert.equal(clock.dueOf(0.04), NOW + 260);
});

test('when a sender stays a second late, the clock follows within half a minute', () => {
  const clock = new SourceClock('pushed');
  clock.arrived(0, NOW);
  for (let frame = 1; frame <= 25 * 30; frame++) clock.arrived(frame / 25, NOW + frame * 40 + 1000);
  const late = NOW + 31_000 + 200 - clock.dueOf(30);
  assert.ok(late >= 0 && late < 10, `${late} ms are left of it`);
});

test('the clock follows just as fast when only a key frame every two seconds is decoded', () => {
  const clock = new SourceClock('pushed');
  clock.arrived(0, NOW);
  for (let seconds = 2; seconds <= 20; seconds += 2) clock.arrived(seconds, NOW + seconds * 1000 + 1000);
  const late = NOW + 21_000 + 200 - clock.dueOf(20);
  assert.ok(late >= 0 && late < 10, `${late} ms are left of it`);
});

test('a pulled source that is late continues where it was', () => {
  const clock = new SourceClock('pulled');
  clock.arrived(0, NOW);
  assert.equal(clock.dueOf(0), NOW + 500);
  clock.arrived(2, NOW + 2700);
  assert.equal(clock.dueOf(2), NOW + 2500);
  clock.arrived(2.04, NOW + 4000);
  assert.equal(clock.dueOf(2.04), NOW + 4500);
});

test('a clock restarts at a jump of more than two seconds back or ten seconds ahead', () =>
  eachCase(
    [
      ['a second back', 99, false],
      ['three seconds back', 97, true],
      ['nine seconds ahead', 109, false],
      ['eleven seconds ahead', 111, true],
    ] as const,
    ([, seconds, jumps]) => {
      const clock = new SourceClock('pushed');
      assert.equal(clock.arrived(100, NOW), false);
      assert.equal(clock.arrived(seconds, NOW + 5000), jumps);
      if (jumps) assert.equal(clock.dueOf(seconds), NOW + 5200);
    },
  ));
