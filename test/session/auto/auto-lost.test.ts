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
  for (let loss = 1; loss < 8; loss += 1) {
    await stage.clock.advance(0);
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

test('a session lost with texts under way goes over after 10 s without another', async () => {
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
  assert.deepEqual(stage.byRest, ['B', 'C']);
  for (const text of ['B', 'C']) await stage.proxy.request(text).video();
  assert.deepEqual(await Promise.all(calls.map(({ result }) => reasonOf(result))), Array(3).fill('resolved'));
  assert.deepEqual(
    stage.details('sign-accepted').map(({ text }) => text),
    ['A', 'B', 'C'],
  );
  assert.deepEqual(
    stage.details('sign-result').map(({ text }) => text),
    ['A', 'B', 'C'],
  );
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

test('a text of which some is signed stays with its session', async () => {
  const stage = new AutoStage();
  const long = `${'word '.repeat(999)}end. ${'word '.repeat(10)}end.`;
  const calls = [long, 'B'].map((text) => stage.session.sign(text));
  await stage.ready();
  stage.socket.result(stage.socket.asked[0]?.id);
  stage.socket.drop();
  await stage.goOverToRest();
  assert.deepEqual(stage.byRest, ['B']);
  await stage.proxy.last.video();
  assert.equal(await reasonOf(calls[1]!.result), 'resolved');
  await stage.until('the socket is tried on', () => !stage.socket.closed);
  await stage.ready();
  stage.socket.result(stage.socket.last.id);
  assert.equal(await reasonOf(calls[0]!.result), 'resolved');
  assert.equal((await calls[0]!.result).parts.length, 2);
});
