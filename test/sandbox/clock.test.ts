// The clock that faults put forward.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MovableClock, systemClock } from '../../demo/sandbox/clock.ts';
import { ManualClock } from './manual-clock.ts';

function clocks() {
  const base = new ManualClock();
  const clock = new MovableClock(base);
  const ran: string[] = [];
  const wait = (name: string, ms: number) => clock.after(ms, () => ran.push(name));
  return { base, clock, ran, wait };
}

test('a timer runs when the clock below reaches its time', () => {
  const { base, clock, ran, wait } = clocks();
  const begin = clock.now();
  wait('a', 1000);
  base.advance(1000);
  assert.deepEqual(ran, ['a']);
  assert.equal(clock.now() - begin, 1000);
});

test('a clock that is put forward runs the timers that become due, in order, and the others at their time', () => {
  const { base, clock, ran, wait } = clocks();
  wait('late', 5000);
  wait('second', 2000);
  wait('first', 1000);
  clock.advance(3000);
  assert.deepEqual(ran, ['first', 'second']);
  base.advance(1999);
  assert.deepEqual(ran, ['first', 'second']);
  base.advance(1);
  assert.deepEqual(ran, ['first', 'second', 'late']);
});

test('a timer that was cancelled does not run, also when a timer that runs before it cancels it', () => {
  const { clock, ran, wait } = clocks();
  wait('off', 1000)();
  const cancel = wait('second', 900);
  clock.after(800, cancel);
  clock.advance(1000);
  assert.deepEqual(ran, []);
});

test('after a stop no timer waits', () => {
  const { base, clock, ran, wait } = clocks();
  wait('a', 1000);
  wait('b', 2000);
  clock.stop();
  assert.equal(base.waiting, 0);
  base.advance(5000);
  assert.deepEqual(ran, []);
});

test('the system clock gives whole milliseconds', () => {
  assert.ok(Number.isInteger(systemClock.now()));
});
