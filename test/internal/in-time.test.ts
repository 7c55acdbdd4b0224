// A minute for what may never come, on a clock that the test turns.
import assert from 'node:assert/strict';
import test, { mock } from 'node:test';
import { inTime } from '../../src/internal/in-time.ts';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('what comes is passed on, what does not within a minute is an error, and what comes later is handed back', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  const lates: string[] = [];
  assert.equal(await inTime(Promise.resolve('soon')), 'soon');
  await assert.rejects(inTime(Promise.reject(new Error('gone'))), /^Error: gone$/);

  let come: (value: string) => void = () => {};
  const slow = inTime(new Promise<string>((resolve) => (come = resolve)), (late) => lates.push(late));
  const outcome = slow.catch((error: Error) => error.message);
  mock.timers.tick(60_000);
  assert.equal(await outcome, 'no answer within a minute');
  come('at last');
  await settled();
  assert.deepEqual(lates, ['at last']);
});
