// The memory limit of a session's process.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundMemory } from '../../../../demo/sandbox/live/own-process.ts';

test('a process that exceeds its memory limit is reported once, within a quarter of a second', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let bytes = 1_000_000_000;
  let told = 0;
  boundMemory(
    () => (told += 1),
    () => bytes,
  );
  t.mock.timers.tick(1000);
  assert.equal(told, 0);
  bytes += 1;
  t.mock.timers.tick(250);
  assert.equal(told, 1);
  t.mock.timers.tick(1000);
  assert.equal(told, 1);
});
