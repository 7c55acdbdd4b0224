// Document 3, States and transitions, Rules and Resources, without a network: the answers to a client that makes no mistake.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { V3Harness, type Frame } from './harness.ts';

test('a session begins with the defaults resolved, the signer in its own letter case and the limits', () => {
  const socket = new V3Harness().session({ digital_signer: 'rAe' });
  assert.deepEqual(socket.frames, [
    {
      type: 'session.ready',
      session_id: 'session-1',
      config_applied: { output_format: 'mp4', digital_signer: 'RAE', language: 'BSL', resolution: '720p' },
      limits: { max_text_length: 5000, max_messages_per_minute: 60, max_inflight: 3 },
    },
  ]);
});

test('the config that a client requests is applied', () => {
  const config = {
    digital_signer: 'Jay',
    language: 'ASL',
    resolution: '1080p',
    output_format: 'mp4',
    hls: { a: 1 },
  };
  const { config_applied } = new V3Harness().session(config).last;
  assert.deepEqual(config_applied, {
    output_format: 'mp4',
    digital_signer: 'JAY',
    language: 'ASL',
    resolution: '1080p',
  });
});

test('any message before the session is refused, and the session can still begin', () => {
  for (const message of [
    { type: 'text', id: 'a', data: 'hello' },
    { type: 'result.fetch', id: 'a' },
    { type: 'session.end' },
    { type: 'text', id: 7 },
    { type: 'hello' },
  ]) {
    const socket = new V3Harness().socket().send(message);
    assert.equal(socket.last['code'], 'session_not_started', JSON.stringify(message));
    assert.equal(socket.last['ref'], '');
    assert.equal(socket.end, null);
    assert.equal(socket.start().last.type, 'session.ready');
  }
});

test('a refused session.start leaves the socket open for a right one', () => {
  const socket = new V3Harness().session({ digital_signer: 'NOBODY' });
  assert.equal(socket.last['code'], 'invalid_session_start');
  assert.equal(socket.start().last.type, 'session.ready');
});

test('a text is acknowledged at once and answered when it is ready', async () => {
  const harness = new V3Harness();
  const socket = harness.session({ digital_signer: 'MAX', language: 'ASL', resolution: '480p' });
  socket.text('a', 'Hello there');
  assert.deepEqual(socket.last, { type: 'text.ack', ref: 'a', timestamp: '2030-01-01T00:00:00.000Z' });
  const [spec] = harness.rendering;
  assert.equal(harness.rendering.length, 1);
  assert.equal(spec?.text, 'Hello there');
  assert.deepEqual([spec.container, spec.codec, spec.seconds], ['mp4', 'h264', null]);
  assert.deepEqual([spec.style.signer, spec.style.width, spec.style.height], ['MAX', 854, 480]);
  // The frame rate of cameras in North America.
  assert.deepEqual(spec.encoding, { frames_per_second: 30_000 / 1001 });
  await harness.finish('Hello there', 3.4);
  const { pipeline_ms, ...result } = socket.of('result')[0] as Frame;
  assert.deepEqual(result, {
    type: 'result',
    ref: 'a',
    url: `http://media.test/Hello there?expires=${Date.UTC(2030, 0, 1, 0, 5)}`,
    url_expires_at: '2030-01-01T00:05:00.000Z',
    duration_seconds: 3.4,
  });
  const { total, ...stages } = pipeline_ms as Record<string, number>;
  assert.deepEqual(stages, { gloss: 1, render: 20, encode: 30 });
  assert.ok(Number.isInteger(total));
});

test('results come in the order in which they are finished', async () => {
  const harness = new V3Harness();
  const socket = harness.session().text('long').text('short');
  await harness.finish('text short');
  await harness.finish('text long');
  assert.deepEqual(
    socket.of('result').map(({ ref }) => ref),
    ['short', 'long'],
  );
});

test('stages are sent only to a client that requests them', async () => {
  for (const [debug, stages] of [
    [true, ['text_to_gloss', 'gloss_translation', 'stream_generator']],
    [false, []],
    [undefined, []],
  ] as const) {
    const harness = new V3Harness();
    const socket = harness.session({ digital_signer: 'RAE', debug }).text('a');
    await harness.finish('text a');
    assert.deepEqual(
      socket.of('text.progress').map(({ stage }) => stage),
      stages,
    );
    if (debug) {
      assert.deepEqual(socket.of('text.progress')[1], {
        type: 'text.progress',
        ref: 'a',
        stage: 'gloss_translation',
        status: 'completed',
        duration_ms: 20,
      });
    }
  }
});

test('session.end is answered with the real usage, and then the socket closes', async () => {
  const harness = new V3Harness();
  const socket = harness.session().text('a').text('b').text('a');
  await harness.finish('text a', 2.4);
  await harness.finish('text b', 1.2);
  const start = {
    type: 'session.start',
    version: '3.0',
    mode: 'translate',
    config: { digital_signer: 'RAE' },
  };
  const texts = ['a', 'b', 'a'].map((id) => ({ type: 'text', id, data: `text ${id}` }));
  const sent = [start, ...texts, { type: 'session.end' }].map((message) => JSON.stringify(message).length);
  const received = socket.raw.map((data) => data.length);
  harness.clock.advance(12_500);
  socket.send({ type: 'session.end' });
  assert.deepEqual(socket.last, {
    type: 'session.summary',
    session_id: 'session-1',
    usage: {
      messages_processed: 2,
      errors_encountered: 1,
      session_duration_sec: 12.5,
      total_video_duration_sec: 3.6,
      bytes_transferred: [...sent, ...received].reduce((sum, bytes) => sum + bytes, 0),
    },
  });
  assert.equal(socket.end, 1000);
});

test('session.end does not wait for texts in flight, and nothing is sent after the summary', async () => {
  const harness = new V3Harness();
  const socket = harness.session().text('a').send({ type: 'session.end' });
  await harness.finish('text a');
  socket.text('b');
  assert.equal(socket.last.type, 'session.summary');
});

test('a session expires after an hour without a message', () => {
  const harness = new V3Harness();
  const socket = harness.session();
  harness.clock.advance(3_599_999);
  assert.equal(socket.end, null);
  harness.clock.advance(1);
  assert.equal(socket.last['code'], 'session_expired');
  assert.equal(socket.last['severity'], 'session');
  assert.equal(socket.end, 1000);
});

test('any message restarts the hour, even a wrong one', () => {
  const harness = new V3Harness();
  for (const message of [{ type: 'text', id: 'a', data: 'x' }, '{', { type: 'result.fetch', id: 'a' }]) {
    const socket = harness.session();
    harness.clock.advance(3_000_000);
    socket.send(message);
    harness.clock.advance(3_599_999);
    assert.equal(socket.end, null);
    harness.clock.advance(1);
    assert.equal(socket.end, 1000);
  }
});

test('a socket that closes leaves no timer behind', () => {
  const harness = new V3Harness();
  const socket = harness.session();
  assert.equal(harness.clock.waiting, 1);
  socket.connection.closed();
  assert.equal(harness.clock.waiting, 0);
});

test('a result can be fetched for 5 minutes, in the session of its text and in any other', async () => {
  const harness = new V3Harness();
  const first = harness.session().text('a');
  await harness.finish('text a');
  const result = first.last;
  first.connection.closed();
  const second = harness.session();
  harness.clock.advance(299_999);
  assert.deepEqual(second.send({ type: 'result.fetch', id: 'a' }).last, result);
  harness.clock.advance(1);
  assert.equal(second.send({ type: 'result.fetch', id: 'a' }).last['code'], 'result_expired');
  assert.equal(second.last['ref'], 'a');
});

test('a text whose socket was lost is still rendered, for result.fetch', async () => {
  const harness = new V3Harness();
  const first = harness.session().text('a');
  first.connection.closed();
  const second = harness.session();
  assert.equal(second.send({ type: 'result.fetch', id: 'a' }).last['code'], 'result_expired');
  await harness.finish('text a');
  assert.equal(second.send({ type: 'result.fetch', id: 'a' }).last.type, 'result');
});

test('a result whose clip is gone counts as expired', async () => {
  const harness = new V3Harness();
  const socket = harness.session().text('a');
  await harness.finish('text a');
  harness.lose('text a');
  assert.equal(socket.send({ type: 'result.fetch', id: 'a' }).last['code'], 'result_expired');
});

test('a clip that cannot be made is an error that may be tried again under the same id', async () => {
  const harness = new V3Harness();
  const socket = harness.session().text('a');
  await harness.break('text a');
  assert.deepEqual(socket.last, {
    type: 'error',
    ref: 'a',
    code: 'encode_failed',
    stage: 'stream_generator',
    message: 'no encoder',
    severity: 'message',
    retryable: true,
    retry_after_seconds: null,
  });
  socket.text('a');
  await harness.finish('text a');
  assert.equal(socket.last.type, 'result');
});
