// What passes between a page and the service, and what does not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceErrors } from '../../../src/protocol/service-errors.ts';
import { errorOf } from '../error-of.ts';
import { API_KEY, mountedProxy } from '../mounted-proxy.ts';
import { openPage, SESSION_START } from '../page-socket.ts';

test('the upgrade to the service carries the key and the request id, and nothing else of the page', async (t) => {
  const { origin, address, upstream } = await mountedProxy(t);
  const page = await openPage(`${address}?token=of-the-page`, {
    Origin: origin,
    Cookie: 'a=b',
    Authorization: 'Bearer page',
    'X-API-KEY': 'guess',
    'X-Request-Id': 'page-1',
    'Sec-WebSocket-Protocol': 'chat',
  });
  const { request } = await upstream.sessions.next();
  assert.equal(request.url, '/ws/');
  assert.equal(request.headers['x-api-key'], API_KEY);
  assert.equal(request.headers['x-request-id'], 'page-1');
  for (const name of [
    'cookie',
    'origin',
    'authorization',
    'sec-websocket-protocol',
    'sec-websocket-extensions',
  ]) {
    assert.equal(request.headers[name], undefined, name);
  }
  page.socket.terminate();
});

test('without a key the upgrade carries none', async (t) => {
  const { pair } = await mountedProxy(t, { env: { SIGN_API_KEY: '' } });
  const { session } = await pair();
  assert.equal(session.request.headers['x-api-key'], undefined);
});

test('permessage-deflate is off towards the page even when it offers it', async (t) => {
  const { pair } = await mountedProxy(t);
  const { page } = await pair();
  assert.equal(page.socket.extensions, '');
});

test('frames pass byte for byte in both directions, malformed and unknown ones too', async (t) => {
  const { started } = await mountedProxy(t);
  const { page, session } = await started();
  const frames = [
    '{"type" : "text", "id":"1","data":"caf\\u00e9 \u{1F9D1}"}',
    '{"type":"session.start","version":"3.0"}',
    'not json {',
    '{"type":"unheard.of"}',
    '{"type":"text","id":"2","data":"we say session.start here"}',
    '',
  ];
  for (const frame of frames) {
    page.socket.send(frame);
    assert.deepEqual(await session.frames.next(), { text: frame, isBinary: false });
    session.socket.send(frame);
    assert.equal(await page.frames.next(), frame);
  }
});

test('frames sent before the service has answered wait for it, in order', async (t) => {
  const { address, upstream } = await mountedProxy(t);
  const page = await openPage(address);
  page.socket.send(SESSION_START);
  for (const id of ['1', '2', '3']) page.socket.send(`{"type":"text","id":"${id}","data":"x"}`);
  const session = await upstream.sessions.next();
  assert.equal((await session.frames.next()).text, SESSION_START);
  for (const id of ['1', '2', '3'])
    assert.match((await session.frames.next()).text, new RegExp(`"id":"${id}"`));
  page.socket.terminate();
});

test('a frame before session.start reaches the service, whose own code answers it', async (t) => {
  const { pair } = await mountedProxy(t);
  const { page, session } = await pair();
  page.socket.send('{"type":"text","id":"1","data":"x"}');
  assert.match((await session.frames.next()).text, /"text"/);
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
    const { page, session } = await pair();
    page.socket.send(frame);
    const error = errorOf(await page.frames.next());
    assert.equal(error.code, 'invalid_session_start');
    assert.equal(error.ref, '');
    assert.deepEqual([error.stage, error.severity, error.retryable], ['core', 'message', false]);
    assert.deepEqual(await page.closed, { code: 1008, reason: 'invalid_session_start' });
    await session.closed;
    assert.deepEqual(session.frames.all, []);
  });
}

test('a later session.start of another version is refused like the first', async (t) => {
  const { started } = await mountedProxy(t);
  const { page, session } = await started();
  page.socket.send('{"type":"session.start","version":"2.0"}');
  assert.equal((await page.closed).reason, 'invalid_session_start');
  await session.closed;
  assert.equal(session.frames.all.length, 1);
});

test('a binary frame of a page closes 1008 and goes no further', async (t) => {
  const { started } = await mountedProxy(t);
  const { page, session } = await started();
  page.socket.send(Buffer.from('{"type":"text"}'));
  assert.deepEqual(await page.closed, { code: 1008, reason: 'invalid_message' });
  await session.closed;
  assert.equal(session.frames.all.length, 1);
});

test('a frame of 64 kB passes, one byte more closes 1009', async (t) => {
  const { started } = await mountedProxy(t);
  const { page, session } = await started();
  page.socket.send('x'.repeat(65_536));
  assert.equal((await session.frames.next()).text.length, 65_536);
  page.socket.send('x'.repeat(65_537));
  assert.equal((await page.closed).code, 1009);
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
    const { page, session } = await started();
    session.socket.send(`{"type":"error","message":"é key ${spelling}."}`);
    assert.equal(await page.frames.next(), '{"type":"error","message":"é key [redacted]."}');
  });
}

test('every code of document 3 keeps its shape on the way down', async (t) => {
  const { started } = await mountedProxy(t);
  const { page, session } = await started();
  for (const code of Object.keys(serviceErrors)) {
    session.socket.send(JSON.stringify({ type: 'error', ref: 'a', code }));
    assert.equal(errorOf(await page.frames.next()).code, code);
  }
});
