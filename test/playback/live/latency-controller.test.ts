// The playback rate of a live stream, by numbers alone: it reaches its target, does not oscillate, and does not stall.
import assert from 'node:assert/strict';
import test from 'node:test';
import { LatencyController } from '../../../src/playback/live/latency-controller.ts';
import { changes, played } from './part-by-part.ts';

const isAbout = (latency: number, wanted: number): void =>
  assert.ok(Math.abs(latency - wanted) < 0.07, `it ended ${latency} s behind live, not ${wanted}`);

/** Half a minute, in parts. */
const HALF_A_MINUTE = 150;

test('playback that is behind catches up at 1.1 at most, and then plays at rate 1', () => {
  const { latency, rates, stalls } = played({ seconds: 20, begin: 1.6, target: 0.6 });
  assert.deepEqual([Math.max(...rates), Math.min(...rates), rates.at(-1), stalls], [1.1, 1, 1, 0]);
  isAbout(latency, 0.6);
  assert.equal(changes(rates), 2, 'from 1.1 to a lower rate to 1, and never back');
});

test('playback that is too near to live is slowed down', () => {
  const { latency, rates, stalls } = played({ seconds: 20, begin: 0.6, target: 1 });
  assert.deepEqual([...new Set(rates)], [0.95, 1]);
  assert.equal(stalls, 0);
  isAbout(latency, 1);
});

test('a difference of less than 0.12 s changes nothing', () => {
  assert.deepEqual([...new Set(played({ seconds: 10, begin: 0.7, target: 0.6 }).rates)], [1]);
});

test('a target of 0.45 s is reached and kept, when every part is in time', () => {
  const { latency, rates, stalls } = played({ seconds: 90, begin: 0.62, target: 0.45 });
  assert.deepEqual([Math.max(...rates), rates.at(-1), stalls], [1.05, 1, 0]);
  isAbout(latency, 0.45);
});

test('a target that is too near for the parts is not reached: playback stays behind it without a stall', () => {
  for (const target of [0.05, 0.2, 0.3]) {
    const { latency, rates, stalls } = played({ seconds: 90, begin: 0.62, target });
    assert.equal(stalls, 0, `it stalled ${stalls} times at ${target} s`);
    isAbout(latency, 0.42);
    assert.equal(changes(rates.slice(-HALF_A_MINUTE)), 0, `it oscillates at ${target} s`);
  }
});

test('with late parts it keeps the distance that they need, and does not oscillate', () => {
  const late = (part: number): number => (part % 5 === 0 ? 0.35 : 0.05);
  const { latency, rates, stalls } = played({ seconds: 90, begin: 0.62, target: 0.45, late });
  assert.ok(stalls <= 1, `it stalled ${stalls} times`);
  // The length of a part, the delay of the late parts, and the buffer that must always remain.
  assert.ok(latency > 0.22 + 0.35 + 0.1 && latency < 1, `it ended ${latency} s behind live`);
  assert.equal(changes(rates.slice(-HALF_A_MINUTE)), 0, 'it oscillates');
});

test('a late part counts for 30 s at least, and for 60 s at most', () => {
  const late = (part: number): number => (part === HALF_A_MINUTE ? 0.4 : 0);
  const after = (seconds: number): number =>
    played({ seconds: 30 + seconds, begin: 0.62, target: 0.45, late }).latency;
  assert.ok(after(25) > 0.65, `${after(25)} s behind live after 25 s`);
  isAbout(after(75), 0.45);
});

test('one part that is two seconds late does not keep it behind live', () => {
  const late = (part: number): number => (part === 20 ? 2 : 0);
  const { latency } = played({ seconds: 30, begin: 0.62, target: 0.6, late });
  assert.ok(latency < 1.5, `${latency} s behind live`);
});

test('with almost no buffer it plays at half speed instead of stalling', () => {
  const late = (part: number): number => (part === 40 ? 0.3 : 0);
  const { rates, stalls } = played({ seconds: 20, begin: 0.62, target: 0.6, late });
  assert.deepEqual([Math.min(...rates), stalls], [0.5, 0]);
  assert.ok(rates.filter((rate) => rate === 0.5).length < 10, 'for less than 0.4 s');
});

test('playback without new media is not slowed down for ever', () => {
  const controller = new LatencyController();
  let latency = 0.6;
  for (let ms = 0; ms < 120_000; ms += 40) latency += (1 - controller.rate(latency, 0.6, 0, ms)) * 0.04;
  assert.ok(latency <= 0.6 + 0.8 + 0.03, `it was slowed until it was ${latency} s behind`);
});

test('the low buffer of a start does not count', () => {
  const controller = new LatencyController();
  // For 0.8 s playback is 1.5 s behind live with nearly nothing loaded; then everything up to live is loaded.
  for (let ms = 0; ms < 800; ms += 40) controller.rate(1.5, 0.6, 0.2, ms);
  const rates = Array.from({ length: 100 }, (_, i) => controller.rate(1.5, 0.6, 1.3, 1100 + i * 40));
  assert.deepEqual([...new Set(rates)], [1.1]);
});
