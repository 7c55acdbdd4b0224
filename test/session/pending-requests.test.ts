// How long an answer to a sent frame is waited for, on a manual clock.
import assert from 'node:assert/strict';
import test from 'node:test';
import { PendingRequests } from '../../src/session/transports/pending-requests.ts';
import type { UtterancePart } from '../../src/session/utterance-part.ts';
import { ManualClock } from './manual-clock.ts';

function watching() {
  const clock = new ManualClock();
  const silent: string[] = [];
  const pending = new PendingRequests(clock, { offline: false }, ({ wireId, asks }) =>
    silent.push(`${asks} ${wireId} at ${clock.now()}`),
  );
  const send = (wireId: string, asks: 'text' | 'fetch' = 'text') =>
    pending.sent({ wireId, asks } as UtterancePart);
  return { clock, silent, pending, send };
}

test('a text has 10 s to its acknowledgement and 60 s from there to its result, and a second one changes nothing', async () => {
  const { clock, silent, pending, send } = watching();
  send('a');
  const frame = send('b');
  await clock.advance(9_000);
  pending.acknowledged(frame);
  await clock.advance(1_000);
  assert.deepEqual(silent, ['text a at 10000']);
  pending.acknowledged(frame);
  await clock.advance(59_000);
  assert.deepEqual(silent.slice(1), ['text b at 69000']);
});

test('an acknowledgement gives a result.fetch no more time, and begins no wait for a text that was silent', async () => {
  const { clock, silent, pending, send } = watching();
  const fetch = send('a', 'fetch');
  const text = send('b');
  await clock.advance(9_000);
  pending.acknowledged(fetch);
  await clock.advance(1_000);
  assert.deepEqual(silent, ['fetch a at 10000', 'text b at 10000']);
  pending.acknowledged(text);
  assert.deepEqual([pending.unanswered, clock.pending], [[], 0]);
});

test('the last 256 ids stay known, and those that wait for an answer; one that is sent again counts as new', () => {
  const { pending, send } = watching();
  send('waits');
  for (let id = 0; id < 300; id += 1) {
    pending.answered(send(String(id)));
    if (id === 200) pending.answered(send('0', 'fetch'));
  }
  const known = ['waits', '0', '1', '50', '299'].filter((id) => pending.get(id));
  assert.deepEqual(known, ['waits', '0', '50', '299']);
});

test('a timer that is 5 s late finds the service silent, and a later one means that the machine slept', async () => {
  for (const [ms, found] of [
    [15_000, ['text a at 15000']],
    [15_001, []],
  ] as const) {
    const { clock, silent, send } = watching();
    send('a');
    await clock.sleep(ms);
    assert.deepEqual(silent, found);
    await clock.advance(10_000);
    assert.equal(silent.length, 1);
  }
});
