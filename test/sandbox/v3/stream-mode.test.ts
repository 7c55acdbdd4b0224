// Document 3, stream mode, without a network or an encoder: what a client sees, and what becomes of its stream.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultNames } from '../../../demo/sandbox/settings.ts';
import { V3Desk, type DeskSocket } from './desk.ts';

const typesOf = (socket: DeskSocket): string[] => socket.frames.map(({ type }) => type);

test('session.ready carries the manifest of a stream and the cookies, and says hls', () => {
  const desk = new V3Desk();
  const socket = desk.streaming({ digital_signer: 'rae' });
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

test('manifest and cookies come under the names now in force', () => {
  const desk = new V3Desk();
  desk.names = { ...defaultNames, stream_manifest_url: 'playlist', stream_cookies: 'cookies' };
  const ready = desk.streaming().last;
  assert.equal(ready['playlist'], 'http://media.test/stream.m3u8');
  assert.deepEqual(ready['cookies'], [{ name: 'sandbox-signature', value: 'signed' }]);
  assert.ok(!('manifest_url' in ready) && !('access_cookies' in ready));
});

test('a name that is taken does not hide what the document names', () => {
  const desk = new V3Desk();
  desk.names = { ...defaultNames, stream_manifest_url: 'session_id' };
  assert.equal(desk.streaming().last['session_id'], 'session-1');
});

test('the stream is low-latency HLS of the signer and resolution asked for, whatever stands in hls', () => {
  const desk = new V3Desk();
  desk.streaming({
    digital_signer: 'max',
    language: 'ASL',
    resolution: '480p',
    output_format: 'hls',
    hls: { segment_duration: 'long', any: [1] },
  });
  const { style, codec, kind, lowLatency, segmentType } = desk.stream.spec;
  assert.deepEqual([style.signer, style.width, style.height], ['MAX', 854, 480]);
  assert.deepEqual([codec, kind, lowLatency, segmentType], ['h264', 'ongoing', true, 'fmp4']);
});

test('a text is acknowledged and appended, and nothing follows', () => {
  const desk = new V3Desk();
  const socket = desk.streaming().text('a', 'Hello').text('b', 'World');
  desk.stream.begin();
  desk.stream.begin();
  assert.deepEqual(desk.stream.texts, ['Hello', 'World']);
  assert.deepEqual(typesOf(socket), ['session.ready', 'text.ack', 'text.ack']);
  assert.deepEqual(desk.rendering, []);
});

test('a client that asked for it hears that a text has been glossed', () => {
  const desk = new V3Desk();
  const socket = desk.streaming({ digital_signer: 'RAE', debug: true }).text('a');
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
  const desk = new V3Desk();
  const socket = desk.streaming().text('a').send({ type: 'result.fetch', id: 'a' });
  const { code, ref, severity, stage, retryable } = socket.last;
  assert.deepEqual(
    [code, ref, severity, stage, retryable],
    ['mode_not_allowed', 'a', 'message', 'core', false],
  );
  assert.equal(socket.end, null);
  assert.equal(socket.text('b').last.type, 'text.ack');
});

test('a text is in flight until its first frame is painted', () => {
  const desk = new V3Desk();
  const socket = desk.streaming().text('a').text('b').text('c');
  assert.equal(socket.text('d').last['code'], 'backpressure');
  assert.equal(socket.last['retry_after_seconds'], 2);
  desk.stream.begin();
  assert.equal(socket.text('d').last.type, 'text.ack');
  assert.deepEqual(desk.stream.texts, ['text a', 'text b', 'text c', 'text d']);
});

test('what is refused is not appended', () => {
  const desk = new V3Desk();
  desk.limits = { ...desk.limits, max_text_length: 10, max_messages_per_minute: 2 };
  const socket = desk.streaming().text('a', 'Hello');
  socket.text('long', 'x'.repeat(11)).text('a', 'again').text('b', 'World').text('c', 'more');
  assert.deepEqual(
    socket.of('error').map(({ code }) => code),
    ['text_too_long', 'duplicate_id', 'rate_limited'],
  );
  assert.deepEqual(desk.stream.texts, ['Hello', 'World']);
});

test('session.end is answered by the usage, and the stream signs what was accepted before it ends', () => {
  const desk = new V3Desk();
  const socket = desk.streaming().text('a').text('b').text('b');
  desk.stream.begin();
  desk.clock.advance(7000);
  socket.send({ type: 'session.end' });
  const usage = socket.last['usage'] as Record<string, number>;
  const { messages_processed, errors_encountered, session_duration_sec, total_video_duration_sec } = usage;
  assert.deepEqual(
    [messages_processed, errors_encountered, session_duration_sec, total_video_duration_sec],
    [2, 1, 7, 4],
  );
  assert.equal(socket.end, 1000);
  assert.deepEqual(desk.stream.orders, ['end']);
  socket.connection.closed();
  assert.deepEqual(desk.stream.orders, ['end']);
});

test('a socket that drops stops its stream', () => {
  const desk = new V3Desk();
  desk.streaming().text('a').connection.closed();
  assert.deepEqual(desk.stream.orders, ['stop']);
  assert.equal(desk.clock.waiting, 0);
});

test('a session that expires stops its stream', () => {
  const desk = new V3Desk();
  const socket = desk.streaming();
  desk.clock.advance(3_600_000);
  assert.equal(socket.last['code'], 'session_expired');
  assert.deepEqual(desk.stream.orders, ['stop']);
});

test('an error of severity session stops the stream', () => {
  const desk = new V3Desk();
  desk.fault({ fault: 'error', code: 'gloss_unavailable' });
  const socket = desk.streaming().text('a');
  assert.deepEqual(typesOf(socket), ['session.ready', 'text.ack', 'error']);
  assert.equal(socket.end, 1000);
  assert.deepEqual(desk.stream.orders, ['stop']);
  assert.deepEqual(desk.stream.texts, []);
});

test('a stream that breaks off ends its session with a hint to try another', async () => {
  const desk = new V3Desk();
  const socket = desk.streaming();
  await desk.stream.break();
  const { code, severity, retryable, retry_after_seconds, ref } = socket.last;
  assert.deepEqual([code, severity, retryable, retry_after_seconds, ref], ['gloss_unavailable', 'session', true, 30, '']); // prettier-ignore
  assert.equal(socket.end, 1000);
});

test('a stream that ends after session.end is no failure', async () => {
  const desk = new V3Desk();
  const socket = desk.streaming().send({ type: 'session.end' });
  await desk.stream.break();
  assert.equal(socket.last.type, 'session.summary');
});

test('with as many streams as may grow, a session.start is gloss_unavailable and the socket closes', () => {
  const desk = new V3Desk();
  desk.limits = { ...desk.limits, live_streams: 1 };
  desk.streaming();
  const socket = desk.streaming();
  const { code, severity, retry_after_seconds, ref } = socket.last;
  assert.deepEqual([code, severity, retry_after_seconds, ref], ['gloss_unavailable', 'session', 30, '']);
  assert.deepEqual(typesOf(socket), ['error']);
  assert.equal(socket.end, 1000);
  assert.equal(desk.session().last.type, 'session.ready');
});

test('a refused session.start opens no stream', () => {
  const desk = new V3Desk();
  desk.streaming({ digital_signer: 'RAE', output_format: 'mp4' });
  desk.streaming({ digital_signer: 'NOBODY' });
  assert.deepEqual(desk.streams, []);
});

test('latency puts off the signs, and silence of the result leaves them out', () => {
  const desk = new V3Desk();
  desk.fault({ fault: 'latency', ms: 500, text: 1 }, { fault: 'silence', of: 'result', text: 2 });
  const socket = desk.streaming().text('a').text('b');
  assert.deepEqual(typesOf(socket), ['session.ready', 'text.ack', 'text.ack']);
  assert.deepEqual(desk.stream.texts, []);
  desk.clock.advance(500);
  assert.deepEqual(desk.stream.texts, ['text a']);
});
