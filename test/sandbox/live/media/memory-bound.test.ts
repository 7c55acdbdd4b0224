// What a session's process may take of memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundMemory } from '../../../../demo/sandbox/live/own-process.ts';

test('a process that takes more than it may is told once, within a quarter of a second', (t) => {
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
