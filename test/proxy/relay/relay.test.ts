// What passes between a client and the service, and what does not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceErrors } from '../../../src/protocol/service-errors.ts';
import { errorOf } from './error-of.ts';
import { turn } from '../fake-socket.ts';
import { API_KEY, mountedProxy } from '../mounted-proxy.ts';
import { openClient, SESSION_START } from '../client-socket.ts';
import { fakeRelay } from './fake-relay.ts';

test('the upgrade to the service carries the key and the request id, and nothing else of the client', async (t) => {
  const { origin, address, upstream } = await mountedProxy(t);
  const client = await openClient(`${address}?token=of-the-client`, {
    Origin: origin,
    Cookie: 'a=b',
    Authorization: 'Bearer client',
    'X-API-KEY': 'guess',
    'X-Request-Id': 'client-1',
    'Sec-WebSocket-Protocol': 'chat',
  });
  const { request } = await upstream.sessions.next();
  assert.equal(request.url, '/ws/');
  assert.equal(request.headers['x-api-key'], API_KEY);
  assert.equal(request.headers['x-request-id'], 'client-1');
  for (const name of [
    'cookie',
    'origin',
    'authorization',
    'sec-websocket-protocol',
    'sec-websocket-extensions',
  ]) {
    assert.equal(request.headers[name], undefined, name);
  }
  client.socket.terminate();
});

test('without a key the upgrade carries none', async (t) => {
  const { pair } = await mountedProxy(t, { env: { SIGN_API_KEY: '' } });
  const { session } = await pair();
  assert.equal(session.request.headers['x-api-key'], undefined);
});

test('permessage-deflate is off towards the client even when it offers it', async (t) => {
  const { pair } = await mountedProxy(t);
  const { client } = await pair();
  assert.equal(client.socket.extensions, '');
});

test('frames pass byte for byte in both directions, malformed and unknown ones too', async (t) => {
  const { started } = await mountedProxy(t);
  const { client, session } = await started();
  const frames = [
    '{"type" : "text", "id":"1","data":"caf\\u00e9 \u{1F9D1}"}',
    '{"type":"session.start","version":"3.0"}',
    'not json {',
    '{"type":"unheard.of"}',
    '{"type":"text","id":"2","data":"we say session.start here"}',
    '',
  ];
  for (const frame of frames) {
    client.socket.send(frame);
    assert.deepEqual(await session.frames.next(), { text: frame, isBinary: false });
    session.socket.send(frame);
    assert.equal(await client.frames.next(), frame);
  }
});

test('frames sent before the service has answered wait for it, in order', async (t) => {
  const { address, upstream } = await mountedProxy(t);
  const client = await openClient(address);
  client.socket.send(SESSION_START);
  for (const id of ['1', '2', '3']) client.socket.send(`{"type":"text","id":"${id}","data":"x"}`);
  const session = await upstream.sessions.next();
  assert.equal((await session.frames.next()).text, SESSION_START);
  for (const id of ['1', '2', '3'])
    assert.match((await session.frames.next()).text, new RegExp(`"id":"${id}"`));
  client.socket.terminate();
});

test('frames before session.start are answered session_not_started with an empty ref, do not reach the service and end nothing', async (t) => {
  const { pair } = await mountedProxy(t);
  const { client, session } = await pair();
  const frames = [
    '{"type":"text","id":"1","data":"x"}',
    '{"api_key":"a key of version 1","text":"Hello."}',
    '{"type":"start","version":"2.0","config":{"digital_signer":"RAE"}}',
    'not json {',
    '',
  ];
  for (const frame of frames) {
    client.socket.send(frame);
    const { code, ref } = errorOf(await client.frames.next());
    assert.deepEqual([code, ref], ['session_not_started', '']);
  }
  client.socket.send(SESSION_START);
  assert.equal((await session.frames.next()).text, SESSION_START);
});

const refusedStarts: Record<string, string> = {
  'another version': '{"type":"session.start","version":"2.0"}',
  'no version': '{"type":"session.start","mode":"translate"}',
  'a version that is a number': '{"type":"session.start","version":3.0}',
  'a type spelled with escapes': '{"type":"\\u0073ession\\u002estart","version":"1.0"}',
};
for (const [what, frame] of Object.entries(refusedStarts)) {
  test(`session.start with ${what} is answered invalid_session_start and never reaches the service`, async (t) => {
    const { pair } = await mountedProxy(t);
    const { client, session } = await pair();
    client.socket.send(frame);
    const error = errorOf(await client.frames.next());
    assert.equal(error.code, 'invalid_session_start');
    assert.equal(error.ref, '');
    assert.deepEqual([error.stage, error.severity, error.retryable], ['core', 'message', false]);
    assert.deepEqual(await client.closed, { code: 1008, reason: 'invalid_session_start' });
    await session.closed;
    assert.deepEqual(session.frames.all, []);
  });
}

test('a later session.start of another version is refused as a first one is', async (t) => {
  const { started } = await mountedProxy(t);
  const { client, session } = await started();
  client.socket.send('{"type":"session.start","version":"2.0"}');
  assert.equal((await client.closed).reason, 'invalid_session_start');
  await session.closed;
  assert.equal(session.frames.all.length, 1);
});

test('a binary frame of a client closes 1008 and goes no further', async (t) => {
  const { started } = await mountedProxy(t);
  const { client, session } = await started();
  client.socket.send(Buffer.from('{"type":"text"}'));
  assert.deepEqual(await client.closed, { code: 1008, reason: 'invalid_message' });
  await session.closed;
  assert.equal(session.frames.all.length, 1);
});

test('a text over SIGN_MAX_TEXT_BYTES is answered text_too_long and does not reach the service', async (t) => {
  const { started } = await mountedProxy(t, { env: { SIGN_MAX_TEXT_BYTES: '40' } });
  const { client, session } = await started();
  const text = (id: string, bytes: number): string =>
    JSON.stringify({ type: 'text', id, data: 'a'.repeat(bytes) });
  client.socket.send(text('long', 41));
  client.socket.send(text('fits', 40));
  const { code, ref, severity } = JSON.parse(await client.frames.next()) as Record<string, unknown>;
  assert.deepEqual([code, ref, severity], ['text_too_long', 'long', 'message']);
  assert.equal((await session.frames.next()).text, text('fits', 40));
});

test('a frame of 64 kB passes, and one byte more closes the socket with 1009', async (t) => {
  const { started } = await mountedProxy(t);
  const { client, session } = await started();
  const longest = JSON.stringify({ data: Array(4).fill('x'.repeat(16_378)) }).padEnd(65_536);
  assert.equal(longest.length, 65_536);
  client.socket.send(longest);
  assert.deepEqual(JSON.parse((await session.frames.next()).text), JSON.parse(longest));
  client.socket.send('x'.repeat(65_537));
  assert.equal((await client.closed).code, 1009);
  await session.closed;
});

const secretSpellings: Record<string, string> = {
  plain: API_KEY,
  'JSON-escaped': JSON.stringify(API_KEY).slice(1, -1),
  'escaped character by character': [...API_KEY]
    .map((char) => `\\u00${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .join(''),
  'percent-encoded': encodeURIComponent(API_KEY),
  base64: Buffer.from(API_KEY).toString('base64'),
};
for (const [what, spelling] of Object.entries(secretSpellings)) {
  test(`the key in a frame of the service is redacted: ${what}`, async (t) => {
    const { started } = await mountedProxy(t);
    const { client, session } = await started();
    session.socket.send(`{"type":"error","message":"é key ${spelling}."}`);
    assert.equal(await client.frames.next(), '{"type":"error","message":"é key [redacted]."}');
  });
}

test('every code of document 3 keeps its shape on the way down', async (t) => {
  const { started } = await mountedProxy(t);
  const { client, session } = await started();
  for (const code of Object.keys(serviceErrors)) {
    session.socket.send(JSON.stringify({ type: 'error', ref: 'a', code }));
    assert.equal(errorOf(await client.frames.next()).code, code);
  }
});

/** A rate whose answers the test gives, in the order of the checks. */
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

test('frames that come while the rate is being checked wait in order, and the client is not read', async () => {
  const slow = slowRate();
  const { client, upstream, counted } = fakeRelay('open', slow);
  for (const text of [SESSION_START, 'a', 'b']) client.receive(text);
  assert.equal(client.isPaused, true);
  assert.equal(slow.asked, 1);
  for (let count = 0; count < 3; count += 1) {
    assert.equal(client.isPaused, true);
    await slow.answer(0);
  }
  upstream.drain();
  assert.deepEqual(upstream.sent, [SESSION_START, 'a', 'b']);
  assert.equal(client.isPaused, false);
  assert.deepEqual(counted, { up: 3, down: 0 });
});

test('at most 2,048 frames of one client wait while the rate is being checked, and one more closes it, because empty frames take memory too', () => {
  const { client, limitHits } = fakeRelay('open', slowRate());
  for (let count = 0; count < 2_048; count += 1) client.receive('');
  assert.equal(client.closedWith, null);
  client.receive('');
  assert.deepEqual(client.closedWith, { code: 1008, reason: 'rate_limited' });
  assert.deepEqual(limitHits, ['messages_per_minute']);
});

test('a text over the rate is answered with an error in its place in the order, and the next text passes', async () => {
  const slow = slowRate();
  const { client, upstream, limitHits } = fakeRelay('open', slow);
  for (const text of [SESSION_START, '{"type":"text","id":"1"}', '{"type":"text","id":"2"}'])
    client.receive(text);
  await slow.answer(0);
  await slow.answer(1.2);
  await slow.answer(0);
  upstream.drain();
  assert.deepEqual(upstream.sent, [SESSION_START, '{"type":"text","id":"2"}']);
  const error = errorOf(client.sent[0] ?? '');
  assert.deepEqual([error.code, error.ref, error.retry_after_seconds], ['rate_limited', '1', 2]);
  assert.deepEqual(limitHits, ['messages_per_minute']);
});

test('a client is not read again while too much waits for the service, although its rate has been checked', async () => {
  const slow = slowRate();
  const { client, upstream } = fakeRelay('open', slow);
  for (const text of [SESSION_START, 'x'.repeat(60_000), 'x'.repeat(60_000)]) client.receive(text);
  for (let count = 0; count < 3; count += 1) await slow.answer(0);
  assert.equal(client.isPaused, true);
  upstream.drain();
  assert.equal(client.isPaused, false);
});

test('a client that leaves while its rate is being checked leaves nothing: no frame goes up, and the rate is not checked again', async () => {
  const slow = slowRate();
  const { client, upstream, clock, relay } = fakeRelay('open', slow);
  client.receive(SESSION_START);
  client.receive('a');
  client.emit('close', 1006);
  await slow.answer(0);
  upstream.emit('close', 1000);
  await relay.closed;
  assert.deepEqual([upstream.sent, slow.asked, clock.pending], [[], 0, 0]);
});

test('a binary frame closes the client at once, also while the rate is being checked', () => {
  const { client } = fakeRelay('open', slowRate());
  client.receive('a');
  client.receive('b', true);
  assert.deepEqual(client.closedWith, { code: 1008, reason: 'invalid_message' });
});

test('a rate that the shared store cannot count ends the session', async () => {
  const slow = slowRate();
  const { client, upstream } = fakeRelay('open', slow);
  client.receive(SESSION_START);
  await slow.fail();
  assert.deepEqual(client.closedWith, { code: 1011, reason: 'session_failed' });
  assert.deepEqual(upstream.sent, []);
});
