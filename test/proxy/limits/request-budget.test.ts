// The budget of document 1: 1,500 requests in any 5 minutes, and a third of it for one address.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { announcementBudget, type LocalBudget } from '../../../proxy/limits/announcement-budget.ts';
import { manualClock } from '../manual-clock.ts';

/** Asks for a page of the n-th of ten addresses. */
const take = (budget: LocalBudget, n: number): number => budget.take(`192.0.2.${n % 10}`);

test('1,500 may go at once, and the next one when the first is 301 s old', () => {
  const clock = manualClock();
  const budget = announcementBudget(clock);
  for (let n = 0; n < 1_500; n++) assert.equal(take(budget, n), 0);
  assert.equal(take(budget, 0), 301);
  clock.advance(300_999);
  assert.equal(take(budget, 0), 0.001);
  clock.advance(1);
  assert.equal(take(budget, 0), 0);
});

test('in no window of 5 minutes are there more than 1,500, however they are spread', () => {
  const clock = manualClock();
  const budget = announcementBudget(clock);
  const sent: number[] = [];
  for (let n = 0; n < 20_000; n++) {
    if (take(budget, n) === 0) sent.push(clock.now());
    clock.advance((n * 7919) % 97);
  }
  assert.ok(sent.length > 3_000, `${sent.length} were let through`);
  for (let n = 1_500; n < sent.length; n++) {
    assert.ok(sent[n]! - sent[n - 1_500]! >= 301_000, `request ${n} came too early`);
  }
});

test('what was refused does not count, so waiting as long as it says always suffices', () => {
  const clock = manualClock();
  const budget = announcementBudget(clock);
  for (let n = 0; n < 3_000; n++) take(budget, n);
  clock.advance(take(budget, 0) * 1000);
  assert.equal(take(budget, 0), 0);
});

test('held back, it says until when, and the longest hold counts', () => {
  const clock = manualClock();
  const budget = announcementBudget(clock);
  budget.hold(20);
  budget.hold(5);
  assert.equal(take(budget, 0), 20);
  clock.advance(20_000);
  assert.equal(take(budget, 0), 0);
});

test('one address has 500 of them and leaves the others theirs', () => {
  const clock = manualClock();
  const budget = announcementBudget(clock);
  for (let n = 0; n < 500; n++) assert.equal(budget.take('a'), 0);
  assert.equal(budget.take('a'), 301);
  for (let n = 0; n < 1_000; n++) assert.equal(take(budget, n), 0);
  assert.equal(budget.take('b'), 301);
  clock.advance(301_000);
  for (let n = 0; n < 500; n++) assert.equal(budget.take('a'), 0);
  assert.ok(budget.take('a') > 0, 'and no more than 500 again');
});

test('ten thousand addresses one after the other each have theirs, and none that is spent has more', () => {
  const clock = manualClock();
  const budget = announcementBudget(clock);
  for (let n = 0; n < 10_000; n++) {
    if (n % 1_000 === 0) {
      clock.advance(301_000);
      for (let spent = 0; spent < 500; spent++) assert.equal(budget.take('spent'), 0);
    }
    assert.ok(budget.take('spent') > 0, 'its share is gone');
    assert.equal(budget.take(`address ${n}`), 0);
  }
});
