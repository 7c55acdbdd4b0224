// A V3 session that was there and is lost: what goes over to REST, and what stays.
import assert from 'node:assert/strict';
import test from 'node:test';
import { AutoStage } from './auto-stage.ts';
import { reasonOf } from '../stage.ts';

test('a session that is lost with nothing to sign, and cannot be had again, has failed', async () => {
  const stage = new AutoStage();
  void stage.session.connect();
  await stage.ready();
  stage.socket.drop();
  for (let loss = 1; loss < 20; loss += 1) {
    await stage.clock.advance(loss < 8 ? 0 : 5_000);
    stage.socket.open();
    stage.socket.drop(1011);
  }
  assert.equal(stage.session.state, 'failed');
  assert.equal(stage.errors.at(-1), 'session upstream_unreachable');
  const call = stage.session.sign('A');
  stage.socket.open();
  stage.socket.drop(1011);
  await stage.until('A goes by REST', () => stage.byRest.length > 0);
  await stage.proxy.last.video();
  assert.equal(await reasonOf(call.result), 'resolved');
});

test('a session lost with texts under way: what was not acknowledged goes over after 10 s without another', async () => {
  const stage = new AutoStage();
  const calls = ['A', 'B', 'C'].map((text) => stage.session.sign(text));
  await stage.ready();
  const [a, b] = stage.socket.asked;
  stage.socket.ack(a?.id);
  stage.socket.ack(b?.id);
  stage.socket.result(a?.id);
  stage.socket.drop();
  assert.equal(stage.session.state, 'reconnecting');
  await stage.goOverToRest();
  assert.deepEqual(stage.byRest, ['C']);
  await stage.proxy.request('C').video();
  // V3 is still tried, for the text that was acknowledged.
  await stage.until('a socket is open', () => !stage.socket.closed);
  await stage.ready();
  assert.deepEqual(stage.socket.asked, [{ type: 'result.fetch', id: b?.id }]);
  stage.socket.result();
  assert.deepEqual(await Promise.all(calls.map(({ result }) => reasonOf(result))), Array(3).fill('resolved'));
  assert.deepEqual(
    stage.details('sign-accepted').map(({ text }) => text),
    ['A', 'B', 'C'],
  );
  assert.deepEqual(
    stage.details('sign-result').map(({ text }) => text),
    ['A', 'C', 'B'],
  );
});

test('a session lost for 10 s again, while REST still has a text of the first time, goes over again', async () => {
  const stage = new AutoStage();
  stage.session.sign('A');
  await stage.ready();
  stage.socket.ack();
  stage.socket.drop();
  stage.session.sign('B');
  await stage.goOverToRest();
  await stage.until('a socket is open', () => !stage.socket.closed);
  await stage.ready();
  stage.socket.result();
  stage.socket.drop();
  const call = stage.session.sign('C');
  await stage.clock.advance(10_000);
  await stage.until('C goes by REST', () => stage.byRest.length > 1);
  await stage.proxy.request('C').video();
  assert.equal(await reasonOf(call.result), 'resolved');
});

test('what was acknowledged is not sent anew within its 5 minutes, and goes over after them', async () => {
  const stage = new AutoStage();
  const call = stage.session.sign('A');
  await stage.ready();
  stage.socket.ack();
  await stage.clock.advance(1_000);
  stage.socket.drop();
  await stage.goOverToRest();
  for (let second = 11; second < 299; second += 1) await stage.clock.advance(1_000);
  assert.deepEqual(stage.byRest, []);
  await stage.clock.advance(1_000);
  await stage.until('it goes by REST', () => stage.byRest.length > 0);
  await stage.proxy.last.video();
  assert.equal(await reasonOf(call.result), 'resolved');
});

test('what was acknowledged goes over when its result can no longer be fetched', async () => {
  const stage = new AutoStage();
  const call = stage.session.sign('A');
  await stage.ready();
  stage.socket.ack();
  stage.socket.drop();
  await stage.goOverToRest();
  await stage.until('a socket is open', () => !stage.socket.closed);
  await stage.ready();
  stage.socket.error('result_expired');
  assert.equal(stage.socket.last.data, 'A', 'V3 is in force again');
  stage.socket.result();
  assert.equal(await reasonOf(call.result), 'resolved');
});

test('a session lost and found again within 10 s changes nothing', async () => {
  const stage = new AutoStage({ random: () => 0.5 });
  const call = stage.session.sign('A');
  await stage.ready();
  stage.socket.drop();
  await stage.clock.advance(5_000);
  await stage.ready();
  stage.socket.ack();
  stage.socket.result();
  assert.equal(await reasonOf(call.result), 'resolved');
  await stage.clock.advance(10_000);
  assert.deepEqual(stage.byRest, []);
  assert.deepEqual(stage.states, ['connecting', 'ready', 'reconnecting', 'ready']);
});

test('of a text of which some is signed the rest goes over', async () => {
  const stage = new AutoStage();
  const long = `${'word '.repeat(999)}end. ${'word '.repeat(10)}end.`;
  const calls = [long, 'B'].map((text) => stage.session.sign(text));
  await stage.ready();
  stage.socket.result(stage.socket.asked[0]?.id);
  stage.socket.drop();
  await stage.goOverToRest();
  assert.deepEqual(stage.byRest, [`${'word '.repeat(10)}end.`, 'B']);
  for (const text of stage.byRest) await stage.proxy.request(text).video('v');
  assert.deepEqual(await Promise.all(calls.map(({ result }) => reasonOf(result))), ['resolved', 'resolved']);
  assert.equal((await calls[0]!.result).parts.length, 2);
});
