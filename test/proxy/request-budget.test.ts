// The budget of document 1: 1,500 requests in any 5 minutes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestBudget } from '../../proxy/request-budget.ts';
import { manualClock } from './manual-clock.ts';

test('1,500 may go at once, and the next one when the first is 301 s old', () => {
  const clock = manualClock();
  const budget = requestBudget(clock);
  for (let n = 0; n < 1_500; n++) assert.equal(budget.take(), 0);
  assert.equal(budget.take(), 301);
  clock.advance(300_999);
  assert.equal(budget.take(), 0.001);
  clock.advance(1);
  assert.equal(budget.take(), 0);
});

test('in no window of 5 minutes are there more than 1,500, however they are spread', () => {
  const clock = manualClock();
  const budget = requestBudget(clock);
  const sent: number[] = [];
  for (let n = 0; n < 20_000; n++) {
    if (budget.take() === 0) sent.push(clock.now());
    clock.advance((n * 7919) % 97);
  }
  assert.ok(sent.length > 3_000, `${sent.length} were let through`);
  for (let n = 1_500; n < sent.length; n++) {
    assert.ok(sent[n]! - sent[n - 1_500]! >= 301_000, `request ${n} came too early`);
  }
});

test('what was refused does not count, so waiting as long as it says always suffices', () => {
  const clock = manualClock();
  const budget = requestBudget(clock);
  for (let n = 0; n < 3_000; n++) budget.take();
  clock.advance(budget.take() * 1000);
  assert.equal(budget.take(), 0);
});

test('held back, it says until when, and the longest hold counts', () => {
  const clock = manualClock();
  const budget = requestBudget(clock);
  budget.hold(20);
  budget.hold(5);
  assert.equal(budget.take(), 20);
  clock.advance(20_000);
  assert.equal(budget.take(), 0);
});
