// A session with `transport="auto"`: V3 as long as a session is available, else REST, and back.
import assert from 'node:assert/strict';
import test from 'node:test';
import { AutoHarness } from './auto-harness.ts';
import { FakeSocket } from '../fake-socket.ts';
import { promisesSettled } from '../../promises-settled.ts';
import { reasonOf } from '../harness.ts';

test('while V3 answers, REST is never asked', async () => {
  const harness = new AutoHarness();
  const call = harness.session.sign('Hello.');
  await harness.ready();
  harness.socket.ack();
  harness.socket.result();
  const { ref, url } = await call.result;
  assert.deepEqual([ref, url], [call.ref, `https://media.example/${call.ref}.mp4`]);
  await harness.clock.advance(60_000);
  assert.deepEqual(harness.byRest, []);
  assert.deepEqual(harness.states, ['connecting', 'ready']);
  assert.equal(harness.details('sign-ready').length, 1);
  assert.equal(harness.details('sign-result').length, 1);
  const ended = harness.session.end();
  harness.socket.say({ type: 'session.summary', session_id: 'session-1', usage: { messages_processed: 1 } });
  assert.deepEqual(await ended, { sessionId: 'session-1', usage: { messages_processed: 1 } });
  harness.assertNothingLeft();
});

test('the waiting texts go over REST in order, without an error, when no session opens in 10 s', async () => {
  const harness = new AutoHarness();
  const calls = ['A', 'B', 'C'].map((text) => harness.session.sign(text));
  harness.socket.open();
  await harness.clock.advance(9_999);
  assert.deepEqual(harness.byRest, []);
  await harness.clock.advance(1);
  await harness.until('REST has taken over', () => harness.session.state === 'ready');
  await promisesSettled();
  assert.deepEqual(harness.byRest, ['A', 'B', 'C']);
  for (const text of ['C', 'A', 'B']) await harness.proxy.request(text).video();
  assert.deepEqual(
    (await Promise.all(calls.map(({ result }) => result))).map(({ ref, text }) => [ref, text]),
    calls.map(({ ref }, index) => [ref, 'ABC'[index]]),
  );
  assert.equal(harness.details('sign-accepted').length, 3);
  assert.deepEqual(harness.errors, []);
  assert.ok(
    harness.sockets.every(({ closed }) => closed),
    'the socket is given up',
  );
  assert.equal(harness.states.at(-1), 'ready');
});

for (const [code, status] of [
  ['upstream_unreachable', 502],
  ['too_many_sockets', 429],
  ['rate_limited', 429],
  ['overloaded', 503],
] as const) {
  test(`a first attempt refused as ${code} goes over at once`, async () => {
    const harness = new AutoHarness();
    const call = harness.session.sign('A');
    await harness.refuse(code, status);
    await harness.until('A goes by REST', () => harness.byRest.length > 0);
    await harness.proxy.last.video();
    assert.equal(await reasonOf(call.result), 'resolved');
    assert.deepEqual(harness.errors, []);
    assert.ok(!harness.states.includes('failed'), 'it never failed');
  });
}

test('a refused origin rejects the text, and REST is not asked', async () => {
  const harness = new AutoHarness();
  const call = harness.session.sign('A');
  await harness.refuse('origin_refused', 403);
  assert.equal(await reasonOf(call.result), 'origin_refused');
  assert.deepEqual(harness.errors, ['session origin_refused']);
  assert.equal(harness.session.state, 'failed');
  await harness.clock.advance(60_000);
  assert.deepEqual(harness.byRest, []);
});

test('a refused config rejects the text, and REST is not asked', async () => {
  const harness = new AutoHarness();
  const call = harness.session.sign('A');
  harness.socket.open();
  harness.socket.say({ type: 'error', ref: '', code: 'invalid_session_start', message: 'no such signer' });
  assert.equal(await reasonOf(call.result), 'invalid_session_start');
  assert.equal(harness.session.state, 'failed');
  assert.equal(harness.errors.length, 1);
  await harness.clock.advance(60_000);
  assert.deepEqual(harness.byRest, []);
});

for (const code of ['invalid_message', 'internal_error', 'v3_not_enabled']) {
  test(`a session.start that is answered with ${code} says nothing about the text: the text goes over to REST at once`, async () => {
    const harness = new AutoHarness();
    const call = harness.session.sign('A');
    harness.socket.open();
    harness.socket.say({ type: 'error', ref: '', code, message: 'no V3 for this account' });
    await harness.until('A goes by REST', () => harness.byRest.length > 0);
    await harness.proxy.last.video();
    assert.equal(await reasonOf(call.result), 'resolved');
    assert.deepEqual(harness.errors, []);
  });
}

test('connect() resolves with the transport that works', async () => {
  const harness = new AutoHarness();
  const connected = harness.session.connect();
  await harness.goOverToRest();
  assert.equal(await reasonOf(connected), 'resolved');
  assert.equal(harness.session.state, 'ready');
  assert.equal(harness.proxy.asked.length, 0);
});

test('connect() rejects with the reason when no transport works', async () => {
  const harness = new AutoHarness();
  const connected = harness.session.connect();
  await harness.refuse('origin_refused', 403);
  assert.equal(await reasonOf(connected), 'origin_refused');
});

test('a service without V3 is asked by REST at once', async () => {
  const harness = new AutoHarness();
  const [connected, call] = [harness.session.connect(), harness.session.sign('A')];
  harness.socket.open();
  harness.socket.say({ type: 'session.ready', id: 'of another protocol' });
  await harness.until('A goes by REST', () => harness.byRest.length > 0);
  await harness.proxy.last.video();
  assert.deepEqual([await reasonOf(call.result), await reasonOf(connected)], ['resolved', 'resolved']);
  assert.deepEqual(harness.errors, []);
  assert.deepEqual(harness.states, ['connecting', 'ready']);
});

test('where the policy of the page forbids sockets, REST takes over at once without an error, and V3 is tried again later', async () => {
  let tried = 0;
  const harness = new AutoHarness({
    webSocket: class extends FakeSocket {
      constructor(url: string) {
        super(url);
        tried += 1;
        throw new DOMException('refused by the policy of this page', 'SecurityError');
      }
    },
  });
  const [connected, call] = [harness.session.connect(), harness.session.sign('A')];
  await harness.until('A goes by REST', () => harness.byRest.length > 0);
  await harness.proxy.last.video();
  assert.deepEqual([await reasonOf(call.result), await reasonOf(connected)], ['resolved', 'resolved']);
  assert.deepEqual([harness.errors, harness.states], [[], ['connecting', 'ready']]);
  await harness.clock.advance(30_000);
  await promisesSettled();
  assert.deepEqual([tried, harness.session.state, harness.errors], [2, 'ready', []]);
  const next = harness.session.sign('B');
  await promisesSettled();
  await harness.proxy.last.video();
  assert.equal(await reasonOf(next.result), 'resolved');
  assert.deepEqual(harness.byRest, ['A', 'B']);
  await harness.session.end();
  harness.assertNothingLeft();
});

test('a malformed result fails its text and does not change the transport', async () => {
  const harness = new AutoHarness();
  const call = harness.session.sign('A');
  await harness.ready();
  harness.socket.say({ type: 'result', ref: harness.socket.last.id, url: 'file:///etc/passwd' });
  assert.equal(await reasonOf(call.result), 'protocol_error');
  assert.equal(harness.session.state, 'ready');
  assert.deepEqual(harness.byRest, []);
});

test('an abort removes a text in every stage', async () => {
  const harness = new AutoHarness();
  const stops = [new AbortController(), new AbortController()];
  const [a, b] = ['A', 'B'].map((text, index) =>
    harness.session.sign(text, { signal: stops[index]?.signal }),
  );
  stops[0]?.abort();
  assert.equal(await reasonOf(a!.result), 'AbortError');
  await harness.goOverToRest();
  assert.deepEqual(harness.byRest, ['B']);
  stops[1]?.abort();
  assert.equal(await reasonOf(b!.result), 'AbortError');
  assert.equal(harness.proxy.last.signal.aborted, true);
  assert.deepEqual(harness.errors, []);
});

test('clear() drops the texts that wait for a transport', async () => {
  const harness = new AutoHarness();
  const call = harness.session.sign('A');
  harness.session.clear();
  assert.equal(await reasonOf(call.result), 'AbortError');
  await harness.clock.advance(10_000);
  assert.deepEqual(harness.byRest, []);
});

test('a text that one transport refuses is not sent over the other, and is reported once', async () => {
  const harness = new AutoHarness();
  assert.equal(await reasonOf(harness.session.sign(' ').result), 'empty_text');
  harness.session.sign('A', { ref: 'r' });
  assert.equal(await reasonOf(harness.session.sign('B', { ref: 'r' }).result), 'invalid_request');
  await promisesSettled();
  assert.deepEqual(harness.errors, ['message empty_text', 'message invalid_request']);
});

test('a text that the service refuses by REST is rejected with its error', async () => {
  const harness = new AutoHarness();
  const call = harness.session.sign('A');
  await harness.goOverToRest();
  await harness.proxy.last.answer({ error: 'validation_error' }, 400);
  assert.equal(await reasonOf(call.result), 'validation_error');
  assert.deepEqual(harness.errors, ['message validation_error']);
});

test('a result is renewed by the transport that made it', async () => {
  const harness = new AutoHarness();
  const first = harness.session.sign('A');
  await harness.ready();
  harness.socket.ack();
  harness.socket.result();
  await first.result;
  harness.socket.drop();
  const second = harness.session.sign('B');
  await harness.goOverToRest();
  await harness.proxy.last.video();
  await second.result;
  void harness.session.renew(second.ref);
  await promisesSettled();
  assert.deepEqual(harness.byRest, ['B', 'B']);
  const renewed = harness.session.renew(first.ref);
  await harness.until('the socket is asked', () => !harness.socket.closed);
  await harness.ready();
  assert.deepEqual(harness.socket.last, { type: 'result.fetch', id: first.ref });
  harness.socket.result();
  assert.equal(await reasonOf(renewed), 'resolved');
  assert.equal(await reasonOf(harness.session.renew('nobody')), 'invalid_request');
});

test('end() leaves nothing, on either transport', async () => {
  for (const isByRest of [false, true]) {
    const harness = new AutoHarness();
    const calls = ['A', 'B'].map((text) => harness.session.sign(text));
    if (isByRest) await harness.goOverToRest();
    const connected = harness.session.connect();
    assert.equal(await harness.session.end(), null);
    assert.deepEqual(await Promise.all(calls.map(({ result }) => reasonOf(result))), [
      'AbortError',
      'AbortError',
    ]);
    await reasonOf(connected);
    await promisesSettled();
    assert.equal(harness.session.state, 'ended');
    assert.ok(
      harness.proxy.asked.every(({ signal }) => signal.aborted),
      'no request goes on',
    );
    harness.assertNothingLeft();
  }
});

test('after end() the next text tries V3 first again', async () => {
  const harness = new AutoHarness();
  harness.session.sign('A');
  await harness.goOverToRest();
  await harness.session.end();
  const before = harness.sockets.length;
  const call = harness.session.sign('B');
  assert.equal(harness.sockets.length, before + 1);
  await harness.ready();
  harness.socket.ack();
  harness.socket.result();
  assert.equal(await reasonOf(call.result), 'resolved');
});
