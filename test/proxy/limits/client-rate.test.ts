// How many messages pass, and when the next one may.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientRate } from '../../../proxy/limits/client-rate.ts';
import { manualClock } from '../manual-clock.ts';

test('a minute’s worth passes at once, then one at a time at the mean pace', () => {
  const clock = manualClock();
  const rate = clientRate(60, clock);
  for (let count = 0; count < 60; count += 1) assert.equal(rate('a'), 0);
  assert.equal(rate('a'), 1);
  clock.advance(999);
  assert.ok(rate('a') > 0);
  clock.advance(1);
  assert.equal(rate('a'), 0);
  assert.equal(rate('a'), 1);
});

test('asking too early costs nothing', () => {
  const clock = manualClock();
  const rate = clientRate(1, clock);
  rate('a');
  for (let count = 0; count < 5; count += 1) assert.ok(rate('a') > 0);
  clock.advance(60_000);
  assert.equal(rate('a'), 0);
});

test('a long rest saves up no more than a minute’s worth', () => {
  const clock = manualClock();
  const rate = clientRate(2, clock);
  rate('a');
  clock.advance(3_600_000);
  assert.deepEqual([rate('a'), rate('a')], [0, 0]);
  assert.ok(rate('a') > 0);
});

test('addresses do not share', () => {
  const rate = clientRate(1, manualClock());
  assert.deepEqual([rate('a'), rate('b')], [0, 0]);
});

test('when all ten thousand are spent, a new address takes the place of the one that asked least recently', () => {
  const clock = manualClock();
  const rate = clientRate(1, clock);
  for (let count = 0; count < 10_000; count += 1) rate(`early ${count}`);
  assert.ok(rate('early 0') > 0);
  for (let count = 0; count < 9_999; count += 1) assert.equal(rate(`late ${count}`), 0);
  assert.ok(rate('early 0') > 0, 'it asked after the others');
  assert.equal(rate('early 1'), 0, 'it was forgotten');
});

test('how long to wait can be asked without taking', () => {
  const rate = clientRate(1, manualClock());
  assert.deepEqual([rate.wait('a'), rate.wait('a'), rate('a')], [0, 0, 0]);
  assert.deepEqual([rate.wait('a'), rate('a')], [60, 60]);
});

test('ten thousand other addresses push out only buckets that are full again', () => {
  const clock = manualClock();
  const rate = clientRate(2, clock);
  for (let count = 0; count < 9_999; count += 1) rate(`idle ${count}`);
  clock.advance(60_000);
  assert.deepEqual([rate('spent'), rate('spent')], [0, 0]);
  for (let count = 0; count < 9_000; count += 1) rate(`new ${count}`);
  assert.ok(rate('spent') > 0);
});
