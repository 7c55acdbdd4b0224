// How fast a live picture plays, told by numbers alone: it arrives, does not swing, and does not run dry.
import assert from 'node:assert/strict';
import test from 'node:test';
import { CatchUp } from '../../../src/playback/live/catch-up.ts';

const FRAME_MS = 40;

/** Plays for so many seconds a stream that grows at life's speed; `ahead` is what is loaded at a time. */
function played(
  seconds: number,
  begin: number,
  target: number,
  ahead: (latency: number, ms: number) => number,
) {
  const catchUp = new CatchUp();
  const rates: number[] = [];
  let latency = begin;
  for (let ms = 0; ms < seconds * 1000; ms += FRAME_MS) {
    const rate = catchUp.rate(latency, target, ahead(latency, ms), ms);
    rates.push(rate);
    latency -= ((rate - 1) * FRAME_MS) / 1000;
  }
  return { latency, rates };
}

/** Parts of 0.2 s, the last of which came a moment ago. */
const inParts = (latency: number, ms: number): number => latency - ((ms % 200) + 20) / 1000;

const changes = (rates: readonly number[]): number =>
  rates.filter((rate, i) => i > 0 && rate !== rates[i - 1]).length;

test('a picture that is behind catches up at 1.1 at most, and then plays at life’s speed', () => {
  const { latency, rates } = played(20, 1.6, 0.6, inParts);
  assert.equal(Math.max(...rates), 1.1);
  assert.equal(Math.min(...rates), 1);
  assert.ok(Math.abs(latency - 0.6) < 0.05, `it ended ${latency} s behind live`);
  assert.equal(rates.at(-1), 1);
  assert.equal(changes(rates), 2, 'from fast to gently fast to life’s speed, and never back');
});

test('a picture that is nearer to live than it is to be lets live go on ahead', () => {
  const { latency, rates } = played(20, 0.6, 1, inParts);
  assert.deepEqual([...new Set(rates)], [0.95, 1]);
  assert.ok(Math.abs(latency - 1) < 0.05, `it ended ${latency} s behind live`);
});

test('what is off by less than 0.12 s is left alone', () => {
  const { rates } = played(10, 0.7, 0.6, inParts);
  assert.deepEqual([...new Set(rates)], [1]);
});

test('where parts come late it keeps the distance that they need, and does not swing', () => {
  const late = (latency: number, ms: number): number => Math.max(0, latency - ((ms % 200) + 20) / 1000 - 0.4);
  const { latency, rates } = played(60, 0.6, 0.6, late);
  const least = latency - 0.22 - 0.4;
  assert.ok(least > 0.1, `${least} s were left ahead of the picture`);
  assert.ok(latency < 1, `it fell ${latency} s behind`);
  assert.ok(
    changes(rates.slice(-500)) === 0,
    `it changed its speed ${changes(rates.slice(-500))} times at the end`,
  );
});

test('a picture for which nothing comes is not slowed for ever', () => {
  const { latency } = played(120, 0.6, 0.6, () => 0);
  assert.ok(latency <= 0.6 + 1 + 0.01, `it was slowed until it was ${latency} s behind`);
});
