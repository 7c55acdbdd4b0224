// Document 3, Errors and Limits, without a network: every mistake of a client, and the error that it gets.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceErrors, type ServiceErrorCode } from '../../../src/protocol/service-errors.ts';
import { V3Harness, type HarnessSocket } from './harness.ts';
import { eachCase } from '../each-case.ts';

/** Asserts that the last frame is this error, with stage, severity and retryable as documented, and that the socket is open. */
function assertRefused(socket: HarnessSocket, code: ServiceErrorCode, ref: string): void {
  const { message, retry_after_seconds, ...error } = socket.last;
  const { stage, severity, retryable } = serviceErrors[code];
  assert.deepEqual(error, { type: 'error', ref, code, stage, severity, retryable });
  assert.equal(typeof message, 'string');
  assert.ok(retry_after_seconds === null || typeof retry_after_seconds === 'number');
  assert.equal(socket.end, null);
}

const start = (change: object, config: object = {}): object => ({
  type: 'session.start',
  version: '3.0',
  mode: 'translate',
  config: { digital_signer: 'RAE', ...config },
  ...change,
});

const starts: readonly (readonly [why: string, message: object, code: ServiceErrorCode])[] = [
  ['no version', start({ version: undefined }), 'invalid_session_start'],
  ['a version of another protocol', start({ version: '2.0' }), 'invalid_session_start'],
  ['a version that is a number', start({ version: 3 }), 'invalid_session_start'],
  ['no mode', start({ mode: undefined }), 'invalid_session_start'],
  ['an unknown mode', start({ mode: 'Translate' }), 'invalid_session_start'],
  ['mp4 in stream mode', start({ mode: 'stream' }, { output_format: 'mp4' }), 'invalid_session_start'],
  ['no config', start({ config: undefined }), 'invalid_session_start'],
  ['a config that is a list', start({ config: [] }), 'invalid_session_start'],
  ['no signer', start({}, { digital_signer: undefined }), 'invalid_session_start'],
  ['an empty signer', start({}, { digital_signer: '' }), 'invalid_session_start'],
  ['an unknown signer', start({}, { digital_signer: 'ANN' }), 'invalid_session_start'],
  ['a signer from the prototype', start({}, { digital_signer: 'constructor' }), 'invalid_session_start'],
  ['a signer of the other language', start({}, { language: 'ASL' }), 'invalid_session_start'],
  ['a signer of ASL with BSL by default', start({}, { digital_signer: 'MAX' }), 'invalid_session_start'],
  ['an unknown language', start({}, { language: 'LSF' }), 'invalid_session_start'],
  ['an unknown resolution', start({}, { resolution: '4k' }), 'invalid_session_start'],
  ['hls in translate mode', start({}, { output_format: 'hls' }), 'invalid_session_start'],
  ['debug that is a word', start({}, { debug: 'true' }), 'invalid_session_start'],
  ['a wrong and an unknown field', start({ version: '2.0', extra: 1 }), 'invalid_session_start'],
  ['an unknown field', start({ extra: 1 }), 'unknown_field'],
  ['an unknown field of config', start({}, { codec: 'h265' }), 'unknown_field'],
];

test('a wrong session.start is refused with its code, and a right one starts the session after it', () =>
  eachCase(starts, ([, message, code]) => {
    const socket = new V3Harness().socket().send(message);
    assertRefused(socket, code, '');
    assert.equal(socket.start().last.type, 'session.ready');
  }));

const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

const messages: readonly (readonly [
  why: string,
  message: object | string,
  code: ServiceErrorCode,
  ref: string,
])[] = [
  ['no JSON', '{"type":', 'invalid_message', ''],
  ['nothing', '', 'invalid_message', ''],
  ['a list', '[]', 'invalid_message', ''],
  ['null', 'null', 'invalid_message', ''],
  ['no type', { id: 'a' }, 'invalid_message', 'a'],
  ['a type that is a number', { type: 1, id: 'a' }, 'invalid_message', 'a'],
  ['an unknown type', { type: 'text.edit', id: 'a' }, 'invalid_message', 'a'],
  ['a type from the prototype', { type: 'toString' }, 'invalid_message', ''],
  ['a type of the service', { type: 'result', ref: 'a' }, 'invalid_message', ''],
  ['a text without id', { type: 'text', data: 'x' }, 'invalid_message', ''],
  ['a text with an empty id', { type: 'text', id: '', data: 'x' }, 'invalid_message', ''],
  ['a text with a number for id', { type: 'text', id: 5, data: 'x' }, 'invalid_message', ''],
  ['a text whose id is too long', { type: 'text', id: 'i'.repeat(257), data: 'x' }, 'invalid_message', ''],
  ['a text without data', { type: 'text', id: 'a' }, 'invalid_message', 'a'],
  ['a text with an unknown field', { type: 'text', id: 'a', data: 'x', lang: 'en' }, 'unknown_field', 'a'],
  ['a session.end with an unknown field', { type: 'session.end', id: 'a' }, 'unknown_field', 'a'],
  ['a result.fetch without id', { type: 'result.fetch' }, 'invalid_message', ''],
  ['a result.fetch of an unknown id', { type: 'result.fetch', id: 'a' }, 'result_expired', 'a'],
  ['a second session.start', start({}), 'invalid_session_start', ''],
  ['deep JSON', deep(100_000), 'invalid_message', ''],
  ['deep JSON in a text', `{"type":"text","id":"a","data":${deep(100_000)}}`, 'invalid_message', 'a'],
  ['deep JSON in a field', `{"type":"text","id":"a","data":"x","y":${deep(100_000)}}`, 'unknown_field', 'a'],
  [
    'a frame over a megabyte',
    JSON.stringify({ type: 'text', id: 'a', data: 'x'.repeat(2 ** 20) }),
    'invalid_message',
    '',
  ],
  ['a __proto__', '{"type":"text","id":"a","data":"x","__proto__":{"y":1}}', 'unknown_field', 'a'],
];

test('a wrong message is refused with its code, and the session goes on', () =>
  eachCase(messages, ([, message, code, ref]) => {
    const harness = new V3Harness();
    const socket = harness.session().send(message);
    assertRefused(socket, code, ref);
    assert.deepEqual(harness.rendering, []);
    assert.equal(socket.text('next').last.type, 'text.ack');
  }));

test('a binary frame is invalid_message, before a session and in it', () => {
  const socket = new V3Harness().socket();
  socket.connection.receiveBinary(10);
  assertRefused(socket, 'invalid_message', '');
  socket.start().connection.receiveBinary(10);
  assertRefused(socket, 'invalid_message', '');
});

test('no value that a client sent comes back in a message', () => {
  const socket = new V3Harness().session();
  for (const message of [
    { type: 'secret-type' },
    { type: 'text', id: 'a', data: { secret: 'secret-data' } },
    start({ version: 'secret-version' }),
  ]) {
    assert.doesNotMatch(String(socket.send(message).last['message']), /secret-/);
  }
});

test('names of unknown fields are cut short', () => {
  const socket = new V3Harness().session();
  const fields = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`${i}`.repeat(200), 1]));
  socket.send({ type: 'session.end', ...fields });
  assert.ok(String(socket.last['message']).length < 300);
});

test('the length of a text is measured in bytes of UTF-8, not in characters', () => {
  const harness = new V3Harness();
  harness.limits = { ...harness.limits, max_text_length: 10 };
  const socket = harness.session().text('fits', 'ééééé');
  assert.equal(socket.last.type, 'text.ack');
  assertRefused(socket.text('long', 'éééééé'), 'text_too_long', 'long');
  assertRefused(socket.text('emoji', '👍👍👍'), 'text_too_long', 'emoji');
});

test('by default 5000 bytes are accepted and 5001 are not', () => {
  const socket = new V3Harness().session().text('a', 'x'.repeat(5000));
  assert.equal(socket.last.type, 'text.ack');
  assertRefused(socket.text('b', 'x'.repeat(5001)), 'text_too_long', 'b');
});

test('an accepted text uses up its id, whether it is in flight or answered', async () => {
  const harness = new V3Harness();
  const socket = harness.session().text('a');
  assertRefused(socket.text('a'), 'duplicate_id', 'a');
  await harness.finish('text a');
  assertRefused(socket.text('a', 'something else'), 'duplicate_id', 'a');
});

test('an id belongs to its session, and another session may use it', () => {
  const harness = new V3Harness();
  harness.session().text('a');
  assert.equal(harness.session().text('a').last.type, 'text.ack');
});

test('a refused text does not use up its id', () => {
  const harness = new V3Harness();
  harness.limits = { ...harness.limits, max_text_length: 5 };
  const socket = harness.session();
  assertRefused(socket.text('a', 'too long'), 'text_too_long', 'a');
  assert.equal(socket.text('a', 'short').last.type, 'text.ack');
});

test('a fourth text in flight gets backpressure with 2 seconds, and is accepted later under the same id', async () => {
  const harness = new V3Harness();
  const socket = harness.session().text('a').text('b').text('c');
  assertRefused(socket.text('d'), 'backpressure', 'd');
  assert.equal(socket.last['retry_after_seconds'], 2);
  await harness.finish('text b');
  assert.equal(socket.text('d').last.type, 'text.ack');
});

test('texts in flight in one session do not count in another', () => {
  const harness = new V3Harness();
  harness.session().text('a').text('b').text('c');
  assert.equal(harness.session().text('d').last.type, 'text.ack');
});

/** Sends `count` texts and finishes each. */
async function signed(
  harness: V3Harness,
  socket: HarnessSocket,
  count: number,
  prefix: string,
): Promise<void> {
  for (let i = 0; i < count; i++) {
    socket.text(`${prefix}${i}`, 'x');
    assert.equal(socket.last.type, 'text.ack');
    await harness.finish('x');
  }
}

test('a text over the rate is rate_limited with the exact wait, and waiting that long is enough', async () => {
  const harness = new V3Harness();
  harness.limits = { ...harness.limits, max_messages_per_minute: 3 };
  const socket = harness.session();
  await signed(harness, socket, 1, 'first');
  harness.clock.advance(10_000);
  await signed(harness, socket, 2, 'later');
  harness.clock.advance(12_345);
  assertRefused(socket.text('over'), 'rate_limited', 'over');
  assert.equal(socket.last['retry_after_seconds'], 37.655);
  harness.clock.advance(37_654);
  assertRefused(socket.text('over'), 'rate_limited', 'over');
  assert.equal(socket.last['retry_after_seconds'], 0.001);
  harness.clock.advance(1);
  assert.equal(socket.text('over').last.type, 'text.ack');
});

test('refused texts do not count against the rate, for any reason of the refusal', async () => {
  const harness = new V3Harness();
  harness.limits = { ...harness.limits, max_messages_per_minute: 4, max_text_length: 5 };
  const socket = harness.session();
  await signed(harness, socket, 1, 'a');
  for (let i = 0; i < 10; i++) socket.text('a0', 'x').text(`long${i}`, 'too long').send('{');
  await signed(harness, socket, 3, 'b');
  for (let i = 0; i < 10; i++) assertRefused(socket.text('c', 'x'), 'rate_limited', 'c');
  harness.clock.advance(60_000);
  await signed(harness, socket, 4, 'd');
});

test('result.fetch is not counted against the rate', async () => {
  const harness = new V3Harness();
  harness.limits = { ...harness.limits, max_messages_per_minute: 2 };
  const socket = harness.session();
  await signed(harness, socket, 1, 'a');
  for (let i = 0; i < 20; i++)
    assert.equal(socket.send({ type: 'result.fetch', id: 'a0' }).last.type, 'result');
  await signed(harness, socket, 1, 'b');
});

test('the limits that are now in force decide, not the limits of session.ready', () => {
  const harness = new V3Harness();
  const socket = harness.session();
  harness.limits = { ...harness.limits, max_inflight: 1 };
  assertRefused(socket.text('a').text('b'), 'backpressure', 'b');
});
