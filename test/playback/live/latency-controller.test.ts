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

test('playback without new media is slowed down until it is 0.8 s beyond the target, and no further', () => {
  const controller = new LatencyController();
  let latency = 0.6;
  for (let ms = 0; ms < 120_000; ms += 40) latency += (1 - controller.rate(latency, 0.6, 0, ms)) * 0.04;
  isAbout(latency, 0.6 + 0.8);
});

test('after a low buffer it is slower until 0.2 s are buffered', () => {
  const controller = new LatencyController();
  const rates = [0.3, 0.14, 0.16, 0.19, 0.21, 0.16].map((ahead) => controller.rate(0.6, 0.6, ahead, 0));
  assert.deepEqual(rates, [1, 0.5, 0.95, 0.95, 1, 1]);
});

test('the low buffer of the first second does not count', () => {
  /** The rates when nearly nothing is loaded until `ms`, and then everything up to live. */
  const ratesAfter = (ms: number): Set<number> => {
    const controller = new LatencyController();
    for (let now = 0; now <= ms; now += 40) controller.rate(1.2, 0.6, 0.1, now);
    return new Set(Array.from({ length: 100 }, (_, i) => controller.rate(1.2, 0.6, 1, ms + 40 + i * 40)));
  };
  assert.deepEqual([...ratesAfter(960)], [1.1]);
  assert.deepEqual([...ratesAfter(1400)], [0.95]);
});
