// A minute for what may never come, on a clock that the test turns.
import assert from 'node:assert/strict';
import test, { mock } from 'node:test';
import { inTime } from '../../src/internal/in-time.ts';

test('a result is passed on, and a promise that is pending for a minute rejects', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  assert.equal(await inTime(Promise.resolve('soon')), 'soon');
  await assert.rejects(inTime(Promise.reject(new Error('gone'))), /^Error: gone$/);

  const slow = inTime(new Promise<string>(() => {}));
  mock.timers.tick(60_000);
  await assert.rejects(slow, /^Error: no answer within a minute$/);
});

test('an aborted signal rejects at once', async (t) => {
  const { setTimeout, clearTimeout } = globalThis;
  const running = new Set<unknown>();
  t.mock.method(globalThis, 'setTimeout', (...args: Parameters<typeof setTimeout>) => {
    const timer = setTimeout(...args);
    running.add(timer);
    return timer;
  });
  t.mock.method(globalThis, 'clearTimeout', (timer: NodeJS.Timeout) => {
    clearTimeout(timer);
    running.delete(timer);
  });
  const ending = new AbortController();
  const waiting = inTime(new Promise<string>(() => {}), ending.signal);
  assert.equal(running.size, 1);
  ending.abort(new Error('no longer wanted'));
  await assert.rejects(waiting, /^Error: no longer wanted$/);
  assert.equal(running.size, 0);
});
