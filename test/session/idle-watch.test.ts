// The 120 s after which a session that nobody needs is over.
import assert from 'node:assert/strict';
import test from 'node:test';
import { IdleWatch } from '../../src/session/idle-watch.ts';
import { ManualClock } from './manual-clock.ts';

function watched(): { clock: ManualClock; watch: IdleWatch; over: number[] } {
  const clock = new ManualClock();
  const over: number[] = [];
  return { clock, over, watch: new IdleWatch(clock, () => over.push(clock.now())) };
}

test('being told again that there is nothing to do begins nothing anew', async () => {
  const { clock, watch, over } = watched();
  const began = clock.now();
  watch.begin();
  await clock.advance(119_000);
  watch.begin();
  await clock.advance(1_000);
  assert.deepEqual(over, [began + 120_000]);
});

test('after something to do the time begins anew', async () => {
  const { clock, watch, over } = watched();
  watch.begin();
  await clock.advance(119_000);
  watch.end();
  watch.begin();
  await clock.advance(119_000);
  assert.deepEqual(over, []);
  await clock.advance(1_000);
  assert.equal(over.length, 1);
});

test('with something to do no timer is left', () => {
  const { clock, watch } = watched();
  watch.begin();
  watch.end();
  assert.equal(clock.pending, 0);
});
