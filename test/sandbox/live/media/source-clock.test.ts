// When the pictures of a source are shown, by a clock that is moved by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SourceClock } from '../../../../demo/sandbox/live/media/source-clock.ts';
import { eachCase } from '../../each-case.ts';

const NOW = Date.UTC(2030, 0, 1);

test('a picture of a pushed source is shown 0.2 s after it came', () => {
  const clock = new SourceClock('pushed');
  clock.came(100, NOW);
  clock.came(100.04, NOW + 40);
  assert.equal(clock.dueOf(100), NOW + 200);
  assert.equal(clock.dueOf(101), NOW + 1200);
});

test('of a pushed source the picture that came soonest sets the clock', () => {
  const clock = new SourceClock('pushed');
  clock.came(0, NOW);
  // What was held up while the stream was looked at, or while the machine was busy.
  clock.came(1, NOW + 100);
  assert.equal(clock.dueOf(1), NOW + 300);
  clock.came(8, NOW + 3200);
  assert.equal(clock.dueOf(8), NOW + 3400);
});

test('a pushed picture that comes two seconds late makes the next ones hardly late', () => {
  const clock = new SourceClock('pushed');
  clock.came(0, NOW);
  clock.came(0.04, NOW + 2040);
  assert.equal(clock.dueOf(0.04), NOW + 260);
});

test('a sender that has lost a second for good is followed within half a minute', () => {
  const clock = new SourceClock('pushed');
  clock.came(0, NOW);
  for (let frame = 1; frame <= 25 * 30; frame++) clock.came(frame / 25, NOW + frame * 40 + 1000);
  const late = NOW + 31_000 + 200 - clock.dueOf(30);
  assert.ok(late >= 0 && late < 10, `${late} ms are left of it`);
});

test('it is followed as soon when a key frame every two seconds is all that is decoded', () => {
  const clock = new SourceClock('pushed');
  clock.came(0, NOW);
  for (let seconds = 2; seconds <= 20; seconds += 2) clock.came(seconds, NOW + seconds * 1000 + 1000);
  const late = NOW + 21_000 + 200 - clock.dueOf(20);
  assert.ok(late >= 0 && late < 10, `${late} ms are left of it`);
});

test('a pulled source goes on where it was when it was not there in time', () => {
  const clock = new SourceClock('pulled');
  clock.came(0, NOW);
  assert.equal(clock.dueOf(0), NOW + 500);
  clock.came(2, NOW + 2700);
  assert.equal(clock.dueOf(2), NOW + 2500);
  clock.came(2.04, NOW + 4000);
  assert.equal(clock.dueOf(2.04), NOW + 4500);
});

test('a clock begins anew when it is over two seconds back or over ten seconds ahead', () =>
  eachCase(
    [
      ['a second back', 99, false],
      ['three seconds back', 97, true],
      ['nine seconds ahead', 109, false],
      ['eleven seconds ahead', 111, true],
    ] as const,
    ([, seconds, jumps]) => {
      const clock = new SourceClock('pushed');
      assert.equal(clock.came(100, NOW), false);
      assert.equal(clock.came(seconds, NOW + 5000), jumps);
      if (jumps) assert.equal(clock.dueOf(seconds), NOW + 5200);
    },
  ));
