// A V3 session that was ready and is lost: which texts go over to REST, and which stay.
import assert from 'node:assert/strict';
import test from 'node:test';
import { AutoHarness } from './auto-harness.ts';
import { reasonOf } from '../harness.ts';

test('a session that is lost with nothing to sign fails when no other session opens', async () => {
  const harness = new AutoHarness();
  void harness.session.connect();
  await harness.ready();
  harness.socket.drop();
  for (let loss = 1; loss < 20; loss += 1) {
    await harness.clock.advance(loss < 8 ? 0 : 5_000);
    harness.socket.open();
    harness.socket.drop(1011);
  }
  assert.equal(harness.session.state, 'failed');
  assert.equal(harness.errors.at(-1), 'session upstream_unreachable');
  const call = harness.session.sign('A');
  harness.socket.open();
  harness.socket.drop(1011);
  await harness.until('A goes by REST', () => harness.byRest.length > 0);
  await harness.proxy.last.video();
  assert.equal(await reasonOf(call.result), 'resolved');
});

test('after 10 s without a session, the texts of a lost session that were not acknowledged go over to REST', async () => {
  const harness = new AutoHarness();
  const calls = ['A', 'B', 'C'].map((text) => harness.session.sign(text));
  await harness.ready();
  const [a, b] = harness.socket.asked;
  harness.socket.ack(a?.id);
  harness.socket.ack(b?.id);
  harness.socket.result(a?.id);
  harness.socket.drop();
  assert.equal(harness.session.state, 'reconnecting');
  await harness.goOverToRest();
  assert.deepEqual(harness.byRest, ['C']);
  await harness.proxy.request('C').video();
  // V3 is still tried, for the text that was acknowledged.
  await harness.until('a socket is open', () => !harness.socket.closed);
  await harness.ready();
  assert.deepEqual(harness.socket.asked, [{ type: 'result.fetch', id: b?.id }]);
  harness.socket.result();
  assert.deepEqual(await Promise.all(calls.map(({ result }) => reasonOf(result))), Array(3).fill('resolved'));
  assert.deepEqual(
    harness.details('sign-accepted').map(({ text }) => text),
    ['A', 'B', 'C'],
  );
  assert.deepEqual(
    harness.details('sign-result').map(({ text }) => text),
    ['A', 'C', 'B'],
  );
});

test('when the session is lost for 10 s a second time, texts go over again, also while REST still has a text of the first time', async () => {
  const harness = new AutoHarness();
  harness.session.sign('A');
  await harness.ready();
  harness.socket.ack();
  harness.socket.drop();
  harness.session.sign('B');
  await harness.goOverToRest();
  await harness.until('a socket is open', () => !harness.socket.closed);
  await harness.ready();
  harness.socket.result();
  harness.socket.drop();
  const call = harness.session.sign('C');
  await harness.clock.advance(10_000);
  await harness.until('C goes by REST', () => harness.byRest.length > 1);
  await harness.proxy.request('C').video();
  assert.equal(await reasonOf(call.result), 'resolved');
});

test('an acknowledged text is not sent anew while the service keeps its result, 5 minutes, and goes over after that', async () => {
  const harness = new AutoHarness();
  const call = harness.session.sign('A');
  await harness.ready();
  harness.socket.ack();
  await harness.clock.advance(1_000);
  harness.socket.drop();
  await harness.goOverToRest();
  for (let second = 11; second < 299; second += 1) await harness.clock.advance(1_000);
  assert.deepEqual(harness.byRest, []);
  await harness.clock.advance(1_000);
  await harness.until('it goes by REST', () => harness.byRest.length > 0);
  await harness.proxy.last.video();
  assert.equal(await reasonOf(call.result), 'resolved');
});

test('an acknowledged text is sent again when its result can no longer be fetched', async () => {
  const harness = new AutoHarness();
  const call = harness.session.sign('A');
  await harness.ready();
  harness.socket.ack();
  harness.socket.drop();
  await harness.goOverToRest();
  await harness.until('a socket is open', () => !harness.socket.closed);
  await harness.ready();
  harness.socket.error('result_expired');
  assert.equal(harness.socket.last.data, 'A', 'V3 is in force again');
  harness.socket.result();
  assert.equal(await reasonOf(call.result), 'resolved');
});

test('a lost session that another one follows within 10 s sends nothing over REST', async () => {
  const harness = new AutoHarness({ random: () => 0.5 });
  const call = harness.session.sign('A');
  await harness.ready();
  harness.socket.drop();
  await harness.clock.advance(5_000);
  await harness.ready();
  harness.socket.ack();
  harness.socket.result();
  assert.equal(await reasonOf(call.result), 'resolved');
  await harness.clock.advance(10_000);
  assert.deepEqual(harness.byRest, []);
  assert.deepEqual(harness.states, ['connecting', 'ready', 'reconnecting', 'ready']);
});

test('the rest of a partly signed text goes over to REST', async () => {
  const harness = new AutoHarness();
  const long = `${'word '.repeat(999)}end. ${'word '.repeat(10)}end.`;
  const calls = [long, 'B'].map((text) => harness.session.sign(text));
  await harness.ready();
  harness.socket.result(harness.socket.asked[0]?.id);
  harness.socket.drop();
  await harness.goOverToRest();
  assert.deepEqual(harness.byRest, [`${'word '.repeat(10)}end.`, 'B']);
  for (const text of harness.byRest) await harness.proxy.request(text).video('v');
  assert.deepEqual(await Promise.all(calls.map(({ result }) => reasonOf(result))), ['resolved', 'resolved']);
  assert.equal((await calls[0]!.result).parts.length, 2);
});
