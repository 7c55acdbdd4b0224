// The session that takes the way there is: V3 as long as it can be had, else REST, and back.
import assert from 'node:assert/strict';
import test from 'node:test';
import { AutoStage } from './auto-stage.ts';
import { FakeSocket } from '../fake-socket.ts';
import { promisesSettled } from '../manual-clock.ts';
import { reasonOf } from '../stage.ts';

test('with V3 there REST is never asked', async () => {
  const stage = new AutoStage();
  const call = stage.session.sign('Hello.');
  await stage.ready();
  stage.socket.ack();
  stage.socket.result();
  const { ref, url } = await call.result;
  assert.deepEqual([ref, url], [call.ref, `https://media.example/${call.ref}.mp4`]);
  await stage.clock.advance(60_000);
  assert.deepEqual(stage.byRest, []);
  assert.deepEqual(stage.states, ['connecting', 'ready']);
  assert.equal(stage.details('sign-ready').length, 1);
  assert.equal(stage.details('sign-result').length, 1);
  const ended = stage.session.end();
  stage.socket.say({ type: 'session.summary', session_id: 'session-1', usage: { messages_processed: 1 } });
  assert.deepEqual(await ended, { sessionId: 'session-1', usage: { messages_processed: 1 } });
  stage.assertNothingLeft();
});

test('what waits goes over to REST in order when no session comes in 10 s, silently', async () => {
  const stage = new AutoStage();
  const calls = ['A', 'B', 'C'].map((text) => stage.session.sign(text));
  stage.socket.open();
  await stage.clock.advance(9_999);
  assert.deepEqual(stage.byRest, []);
  await stage.clock.advance(1);
  await stage.until('REST has taken over', () => stage.session.state === 'ready');
  await promisesSettled();
  assert.deepEqual(stage.byRest, ['A', 'B', 'C']);
  for (const text of ['C', 'A', 'B']) await stage.proxy.request(text).video();
  assert.deepEqual(
    (await Promise.all(calls.map(({ result }) => result))).map(({ ref, text }) => [ref, text]),
    calls.map(({ ref }, index) => [ref, 'ABC'[index]]),
  );
  assert.equal(stage.details('sign-accepted').length, 3);
  assert.deepEqual(stage.errors, []);
  assert.ok(
    stage.sockets.every(({ closed }) => closed),
    'the socket is given up',
  );
  assert.equal(stage.states.at(-1), 'ready');
});

for (const [code, status] of [
  ['upstream_unreachable', 502],
  ['too_many_sockets', 429],
] as const) {
  test(`a first attempt refused as ${code} goes over at once`, async () => {
    const stage = new AutoStage();
    const call = stage.session.sign('A');
    await stage.refuse(code, status);
    await stage.until('A goes by REST', () => stage.byRest.length > 0);
    await stage.proxy.last.video();
    assert.equal(await reasonOf(call.result), 'resolved');
    assert.deepEqual(stage.errors, []);
    assert.ok(!stage.states.includes('failed'), 'it never failed');
  });
}

test('a refused origin is refused, and REST is not asked', async () => {
  const stage = new AutoStage();
  const call = stage.session.sign('A');
  await stage.refuse('origin_refused', 403);
  assert.equal(await reasonOf(call.result), 'origin_refused');
  assert.deepEqual(stage.errors, ['session origin_refused']);
  assert.equal(stage.session.state, 'failed');
  await stage.clock.advance(60_000);
  assert.deepEqual(stage.byRest, []);
});

test('a config that is refused is refused, and REST is not asked', async () => {
  const stage = new AutoStage();
  const call = stage.session.sign('A');
  stage.socket.open();
  stage.socket.say({ type: 'error', ref: '', code: 'invalid_session_start', message: 'no such signer' });
  assert.equal(await reasonOf(call.result), 'invalid_session_start');
  assert.equal(stage.session.state, 'failed');
  assert.equal(stage.errors.length, 1);
  await stage.clock.advance(60_000);
  assert.deepEqual(stage.byRest, []);
});

test('connect() resolves with the transport that can be had', async () => {
  const stage = new AutoStage();
  const connected = stage.session.connect();
  await stage.goOverToRest();
  assert.equal(await reasonOf(connected), 'resolved');
  assert.equal(stage.session.state, 'ready');
  assert.equal(stage.proxy.asked.length, 0);
});

test('connect() rejects with the reason when no transport can be had', async () => {
  const stage = new AutoStage();
  const connected = stage.session.connect();
  await stage.refuse('origin_refused', 403);
  assert.equal(await reasonOf(connected), 'origin_refused');
});

test('a service without V3 is asked by REST at once', async () => {
  const stage = new AutoStage();
  const [connected, call] = [stage.session.connect(), stage.session.sign('A')];
  stage.socket.open();
  stage.socket.say({ type: 'session.ready', id: 'of another protocol' });
  await stage.until('A goes by REST', () => stage.byRest.length > 0);
  await stage.proxy.last.video();
  assert.deepEqual([await reasonOf(call.result), await reasonOf(connected)], ['resolved', 'resolved']);
  assert.deepEqual(stage.errors, []);
  assert.deepEqual(stage.states, ['connecting', 'ready']);
});

test('a page whose policy lets no socket be made is served by REST at once, silently, and asked again later', async () => {
  let tried = 0;
  const stage = new AutoStage({
    webSocket: class extends FakeSocket {
      constructor(url: string) {
        super(url);
        tried += 1;
        throw new DOMException('refused by the policy of this page', 'SecurityError');
      }
    },
  });
  const [connected, call] = [stage.session.connect(), stage.session.sign('A')];
  await stage.until('A goes by REST', () => stage.byRest.length > 0);
  await stage.proxy.last.video();
  assert.deepEqual([await reasonOf(call.result), await reasonOf(connected)], ['resolved', 'resolved']);
  assert.deepEqual([stage.errors, stage.states], [[], ['connecting', 'ready']]);
  await stage.clock.advance(30_000);
  await promisesSettled();
  assert.deepEqual([tried, stage.session.state, stage.errors], [2, 'ready', []]);
  const next = stage.session.sign('B');
  await promisesSettled();
  await stage.proxy.last.video();
  assert.equal(await reasonOf(next.result), 'resolved');
  assert.deepEqual(stage.byRest, ['A', 'B']);
  await stage.session.end();
  stage.assertNothingLeft();
});

test('a malformed result fails its text and does not change the transport', async () => {
  const stage = new AutoStage();
  const call = stage.session.sign('A');
  await stage.ready();
  stage.socket.say({ type: 'result', ref: stage.socket.last.id, url: 'file:///etc/passwd' });
  assert.equal(await reasonOf(call.result), 'protocol_error');
  assert.equal(stage.session.state, 'ready');
  assert.deepEqual(stage.byRest, []);
});

test('an abort takes a text out, wherever it is', async () => {
  const stage = new AutoStage();
  const stops = [new AbortController(), new AbortController()];
  const [a, b] = ['A', 'B'].map((text, index) => stage.session.sign(text, { signal: stops[index]?.signal }));
  stops[0]?.abort();
  assert.equal(await reasonOf(a!.result), 'AbortError');
  await stage.goOverToRest();
  assert.deepEqual(stage.byRest, ['B']);
  stops[1]?.abort();
  assert.equal(await reasonOf(b!.result), 'AbortError');
  assert.equal(stage.proxy.last.signal.aborted, true);
  assert.deepEqual(stage.errors, []);
});

test('clear() drops the texts that wait for a transport', async () => {
  const stage = new AutoStage();
  const call = stage.session.sign('A');
  stage.session.clear();
  assert.equal(await reasonOf(call.result), 'AbortError');
  await stage.clock.advance(10_000);
  assert.deepEqual(stage.byRest, []);
});

test('a refused text is refused by one transport and reported once', async () => {
  const stage = new AutoStage();
  assert.equal(await reasonOf(stage.session.sign(' ').result), 'empty_text');
  stage.session.sign('A', { ref: 'r' });
  assert.equal(await reasonOf(stage.session.sign('B', { ref: 'r' }).result), 'invalid_request');
  await promisesSettled();
  assert.deepEqual(stage.errors, ['message empty_text', 'message invalid_request']);
});

test('a text that fails by REST fails', async () => {
  const stage = new AutoStage();
  const call = stage.session.sign('A');
  await stage.goOverToRest();
  await stage.proxy.last.answer({ error: 'validation_error' }, 400);
  assert.equal(await reasonOf(call.result), 'validation_error');
  assert.deepEqual(stage.errors, ['message validation_error']);
});

test('a result is renewed by the transport that made it', async () => {
  const stage = new AutoStage();
  const first = stage.session.sign('A');
  await stage.ready();
  stage.socket.ack();
  stage.socket.result();
  await first.result;
  stage.socket.drop();
  const second = stage.session.sign('B');
  await stage.goOverToRest();
  await stage.proxy.last.video();
  await second.result;
  void stage.session.renew(second.ref);
  await promisesSettled();
  assert.deepEqual(stage.byRest, ['B', 'B']);
  const renewed = stage.session.renew(first.ref);
  await stage.until('the socket is asked', () => !stage.socket.closed);
  await stage.ready();
  assert.deepEqual(stage.socket.last, { type: 'result.fetch', id: first.ref });
  stage.socket.result();
  assert.equal(await reasonOf(renewed), 'resolved');
  assert.equal(await reasonOf(stage.session.renew('nobody')), 'invalid_request');
});

test('end() leaves nothing, on either transport', async () => {
  for (const isByRest of [false, true]) {
    const stage = new AutoStage();
    const calls = ['A', 'B'].map((text) => stage.session.sign(text));
    if (isByRest) await stage.goOverToRest();
    const connected = stage.session.connect();
    assert.equal(await stage.session.end(), null);
    assert.deepEqual(await Promise.all(calls.map(({ result }) => reasonOf(result))), [
      'AbortError',
      'AbortError',
    ]);
    await reasonOf(connected);
    await promisesSettled();
    assert.equal(stage.session.state, 'ended');
    assert.ok(
      stage.proxy.asked.every(({ signal }) => signal.aborted),
      'no request goes on',
    );
    stage.assertNothingLeft();
  }
});

test('after end() the next text tries V3 first again', async () => {
  const stage = new AutoStage();
  stage.session.sign('A');
  await stage.goOverToRest();
  await stage.session.end();
  const before = stage.sockets.length;
  const call = stage.session.sign('B');
  assert.equal(stage.sockets.length, before + 1);
  await stage.ready();
  stage.socket.ack();
  stage.socket.result();
  assert.equal(await reasonOf(call.result), 'resolved');
});
