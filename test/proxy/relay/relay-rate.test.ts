// A rate that replicas share takes time to ask. Meanwhile nothing overtakes, nothing piles up, and a page may leave.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorOf } from '../error-of.ts';
import { fakeRelay } from './fake-relay.ts';
import { turn } from '../fake-socket.ts';
import { SESSION_START } from '../page-socket.ts';

/** A rate whose answers the test gives, in the order in which it was asked. */
function slowRate() {
  const asked: { answer: (seconds: number) => void; fail: () => void }[] = [];
  return {
    rate: () =>
      new Promise<number>((answer, reject) => asked.push({ answer, fail: () => reject(new Error('lost')) })),
    get asked() {
      return asked.length;
    },
    async answer(seconds: number): Promise<void> {
      asked.shift()?.answer(seconds);
      await turn();
    },
    async fail(): Promise<void> {
      asked.shift()?.fail();
      await turn();
    },
  };
}

test('frames that come while the rate is asked for wait their turn, and the page is not read', async () => {
  const slow = slowRate();
  const { page, upstream, counted } = fakeRelay('open', slow);
  for (const text of [SESSION_START, 'a', 'b']) page.receive(text);
  assert.equal(page.isPaused, true);
  assert.equal(slow.asked, 1);
  for (let count = 0; count < 3; count += 1) {
    assert.equal(page.isPaused, true);
    await slow.answer(0);
  }
  upstream.drain();
  assert.deepEqual(upstream.sent, [SESSION_START, 'a', 'b']);
  assert.equal(page.isPaused, false);
  assert.deepEqual(counted, { up: 3, down: 0 });
});

test('one of them that is over the rate is answered in its place, the next one passes', async () => {
  const slow = slowRate();
  const { page, upstream, limitHits } = fakeRelay('open', slow);
  for (const text of [SESSION_START, '{"type":"text","id":"1"}', '{"type":"text","id":"2"}'])
    page.receive(text);
  await slow.answer(0);
  await slow.answer(1.2);
  await slow.answer(0);
  upstream.drain();
  assert.deepEqual(upstream.sent, [SESSION_START, '{"type":"text","id":"2"}']);
  const error = errorOf(page.sent[0] ?? '');
  assert.deepEqual([error.code, error.ref, error.retry_after_seconds], ['rate_limited', '1', 2]);
  assert.deepEqual(limitHits, ['messages_per_minute']);
});

test('a page is not read again while too much waits for the service, though its rate has been answered', async () => {
  const slow = slowRate();
  const { page, upstream } = fakeRelay('open', slow);
  page.receive('x'.repeat(60_000));
  page.receive('x'.repeat(60_000));
  await slow.answer(0);
  await slow.answer(0);
  assert.equal(page.isPaused, true);
  upstream.drain();
  assert.equal(page.isPaused, false);
});

test('a page that leaves while its rate is asked for leaves nothing: no frame goes up, nobody is asked again', async () => {
  const slow = slowRate();
  const { page, upstream, clock, relay } = fakeRelay('open', slow);
  page.receive(SESSION_START);
  page.receive('a');
  page.emit('close', 1006);
  await slow.answer(0);
  upstream.emit('close', 1000);
  await relay.closed;
  assert.deepEqual([upstream.sent, slow.asked, clock.pending], [[], 0, 0]);
});

test('a binary frame closes at once, also while the rate is asked for', () => {
  const { page } = fakeRelay('open', slowRate());
  page.receive('a');
  page.receive('b', true);
  assert.deepEqual(page.closedWith, { code: 1008, reason: 'invalid_message' });
});

test('a rate that cannot be had ends the session', async () => {
  const slow = slowRate();
  const { page, upstream } = fakeRelay('open', slow);
  page.receive(SESSION_START);
  await slow.fail();
  assert.deepEqual(page.closedWith, { code: 1011, reason: 'session_failed' });
  assert.deepEqual(upstream.sent, []);
});
