// Document 3, stream mode, without a network or an encoder: what a client sees, and what happens to its stream.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultNames } from '../../../demo/sandbox/settings.ts';
import { V3Harness, type HarnessSocket } from './harness.ts';

const typesOf = (socket: HarnessSocket): string[] => socket.frames.map(({ type }) => type);

test('session.ready has the manifest of a stream, the cookies and the format hls', () => {
  const harness = new V3Harness();
  const socket = harness.streaming({ digital_signer: 'rae' });
  assert.deepEqual(socket.frames, [
    {
      type: 'session.ready',
      session_id: 'session-1',
      config_applied: { output_format: 'hls', digital_signer: 'RAE', language: 'BSL', resolution: '720p' },
      limits: { max_text_length: 5000, max_messages_per_minute: 60, max_inflight: 3 },
      manifest_url: 'http://media.test/stream.m3u8',
      access_cookies: [{ name: 'sandbox-signature', value: 'signed' }],
    },
  ]);
});

test('manifest and cookies have the field names in force', () => {
  const harness = new V3Harness();
  harness.names = { ...defaultNames, stream_manifest_url: 'playlist', stream_cookies: 'cookies' };
  const ready = harness.streaming().last;
  assert.equal(ready['playlist'], 'http://media.test/stream.m3u8');
  assert.deepEqual(ready['cookies'], [{ name: 'sandbox-signature', value: 'signed' }]);
  assert.ok(!('manifest_url' in ready) && !('access_cookies' in ready));
});

test('a renamed field does not replace a field that the document names', () => {
  const harness = new V3Harness();
  harness.names = { ...defaultNames, stream_manifest_url: 'session_id' };
  assert.equal(harness.streaming().last['session_id'], 'session-1');
});

test('the stream is low-latency HLS of the requested signer and resolution, for any value of hls', () => {
  const harness = new V3Harness();
  harness.streaming({
    digital_signer: 'max',
    language: 'ASL',
    resolution: '480p',
    output_format: 'hls',
    hls: { segment_duration: 'long', any: [1] },
  });
  const { style, codec, kind, lowLatency, segmentType } = harness.stream.spec;
  assert.deepEqual([style.signer, style.width, style.height], ['MAX', 854, 480]);
  assert.deepEqual([codec, kind, lowLatency, segmentType], ['h264', 'ongoing', true, 'fmp4']);
});

test('a text is acknowledged and appended, and nothing follows', () => {
  const harness = new V3Harness();
  const socket = harness.streaming().text('a', 'Hello').text('b', 'World');
  harness.stream.begin();
  harness.stream.begin();
  assert.deepEqual(harness.stream.texts, ['Hello', 'World']);
  assert.deepEqual(typesOf(socket), ['session.ready', 'text.ack', 'text.ack']);
  assert.deepEqual(harness.rendering, []);
});

test('a client that requests stages gets one when a text is glossed', () => {
  const harness = new V3Harness();
  const socket = harness.streaming({ digital_signer: 'RAE', debug: true }).text('a');
  const { duration_ms, ...progress } = socket.last;
  assert.deepEqual(progress, {
    type: 'text.progress',
    ref: 'a',
    stage: 'text_to_gloss',
    status: 'completed',
  });
  assert.ok(Number.isInteger(duration_ms));
});

test('result.fetch is mode_not_allowed, and the session goes on', () => {
  const harness = new V3Harness();
  const socket = harness.streaming().text('a').send({ type: 'result.fetch', id: 'a' });
  const { code, ref, severity, stage, retryable } = socket.last;
  assert.deepEqual(
    [code, ref, severity, stage, retryable],
    ['mode_not_allowed', 'a', 'message', 'core', false],
  );
  assert.equal(socket.end, null);
  assert.equal(socket.text('b').last.type, 'text.ack');
});

test('a text is in flight until its first frame is painted', () => {
  const harness = new V3Harness();
  const socket = harness.streaming().text('a').text('b').text('c');
  assert.equal(socket.text('d').last['code'], 'backpressure');
  assert.equal(socket.last['retry_after_seconds'], 2);
  harness.stream.begin();
  assert.equal(socket.text('d').last.type, 'text.ack');
  assert.deepEqual(harness.stream.texts, ['text a', 'text b', 'text c', 'text d']);
});

test('a refused text is not appended', () => {
  const harness = new V3Harness();
  harness.limits = { ...harness.limits, max_text_length: 10, max_messages_per_minute: 2 };
  const socket = harness.streaming().text('a', 'Hello');
  socket.text('long', 'x'.repeat(11)).text('a', 'again').text('b', 'World').text('c', 'more');
  assert.deepEqual(
    socket.of('error').map(({ code }) => code),
    ['text_too_long', 'duplicate_id', 'rate_limited'],
  );
  assert.deepEqual(harness.stream.texts, ['Hello', 'World']);
});

test('session.end is answered with the usage, and the stream signs the accepted texts before it ends', () => {
  const harness = new V3Harness();
  const socket = harness.streaming().text('a').text('b').text('b');
  harness.stream.begin();
  harness.clock.advance(7000);
  socket.send({ type: 'session.end' });
  const usage = socket.last['usage'] as Record<string, number>;
  const { messages_processed, errors_encountered, session_duration_sec, total_video_duration_sec } = usage;
  assert.deepEqual(
    [messages_processed, errors_encountered, session_duration_sec, total_video_duration_sec],
    [2, 1, 7, 4],
  );
  assert.equal(socket.end, 1000);
  assert.deepEqual(harness.stream.orders, ['end']);
  socket.connection.closed();
  assert.deepEqual(harness.stream.orders, ['end']);
});

test('a socket that drops stops its stream', () => {
  const harness = new V3Harness();
  harness.streaming().text('a').connection.closed();
  assert.deepEqual(harness.stream.orders, ['stop']);
  assert.equal(harness.clock.waiting, 0);
});

test('a session that expires stops its stream', () => {
  const harness = new V3Harness();
  const socket = harness.streaming();
  harness.clock.advance(3_600_000);
  assert.equal(socket.last['code'], 'session_expired');
  assert.deepEqual(harness.stream.orders, ['stop']);
});

test('an error of severity session stops the stream', () => {
  const harness = new V3Harness();
  harness.fault({ fault: 'error', code: 'gloss_unavailable' });
  const socket = harness.streaming().text('a');
  assert.deepEqual(typesOf(socket), ['session.ready', 'text.ack', 'error']);
  assert.equal(socket.end, 1000);
  assert.deepEqual(harness.stream.orders, ['stop']);
  assert.deepEqual(harness.stream.texts, []);
});

test('a stream that breaks off ends its session with an error that allows another try', async () => {
  const harness = new V3Harness();
  const socket = harness.streaming();
  await harness.stream.break();
  const { code, severity, retryable, retry_after_seconds, ref } = socket.last;
  assert.deepEqual([code, severity, retryable, retry_after_seconds, ref], ['gloss_unavailable', 'session', true, 30, '']); // oxfmt-ignore
  assert.equal(socket.end, 1000);
});

test('a stream that ends after session.end is no failure', async () => {
  const harness = new V3Harness();
  const socket = harness.streaming().send({ type: 'session.end' });
  await harness.stream.break();
  assert.equal(socket.last.type, 'session.summary');
});

test('at the limit of open streams a session.start gets gloss_unavailable and the socket closes', () => {
  const harness = new V3Harness();
  harness.limits = { ...harness.limits, live_streams: 1 };
  harness.streaming();
  const socket = harness.streaming();
  const { code, severity, retry_after_seconds, ref } = socket.last;
  assert.deepEqual([code, severity, retry_after_seconds, ref], ['gloss_unavailable', 'session', 30, '']);
  assert.deepEqual(typesOf(socket), ['error']);
  assert.equal(socket.end, 1000);
  assert.equal(harness.session().last.type, 'session.ready');
});

test('a refused session.start opens no stream', () => {
  const harness = new V3Harness();
  harness.streaming({ digital_signer: 'RAE', output_format: 'mp4' });
  harness.streaming({ digital_signer: 'NOBODY' });
  assert.deepEqual(harness.streams, []);
});

test('the fault `latency` delays the signs, and a silent result leaves them out', () => {
  const harness = new V3Harness();
  harness.fault({ fault: 'latency', ms: 500, text: 1 }, { fault: 'silence', of: 'result', text: 2 });
  const socket = harness.streaming().text('a').text('b');
  assert.deepEqual(typesOf(socket), ['session.ready', 'text.ack', 'text.ack']);
  assert.deepEqual(harness.stream.texts, []);
  harness.clock.advance(500);
  assert.deepEqual(harness.stream.texts, ['text a']);
});
