// Stream mode: a text has its result once the service took it, so an event says when it is not signed after all.
import assert from 'node:assert/strict';
import test from 'node:test';
import { ownError } from '../../src/protocol/own-errors.ts';
import { promisesSettled } from './manual-clock.ts';
import { Stage } from './stage.ts';
import { ready, reconnected, streaming } from './stream-stage.ts';

/** Ref and reason of each `sign-dropped`: the code of a SignError, or the name of another error. */
const droppedOn = (stage: Stage): unknown[] =>
  stage.details('sign-dropped').map(({ ref, reason }) => {
    assert.ok(reason instanceof Error || reason instanceof DOMException, 'a reason is an error');
    return [ref, 'code' in reason && typeof reason.code === 'string' ? reason.code : reason.name];
  });

test('a text that is refused for good after it was taken is dropped', async () => {
  const stage = await streaming();
  const { ref, result } = stage.session.sign('Hello.');
  stage.socket.ack();
  await result;
  stage.socket.error('internal_error');
  await promisesSettled();
  assert.deepEqual(droppedOn(stage), [[ref, 'internal_error']]);
});

test('a text whose later part fails is dropped, also after it started; one that was aborted is not told of', async () => {
  const stage = new Stage({ mode: 'stream' });
  const stop = new AbortController();
  const { ref } = stage.session.sign('One. Two.');
  void stage.session.sign('Six.', { signal: stop.signal });
  await ready(stage, { manifest_url: 'https://media.example/1.m3u8', limits: { max_text_length: 5 } });
  stage.socket.ack();
  stage.session.started(ref);
  stage.socket.error('internal_error');
  stage.socket.ack();
  stop.abort();
  await promisesSettled();
  assert.deepEqual(stage.asked, [['One.', 'Two.', 'Six.']]);
  assert.deepEqual(droppedOn(stage), [[ref, 'internal_error']]);
});

test('a text that was taken and has not started is dropped with the eighth session that is lost with it', async () => {
  const stage = await streaming();
  const { ref } = stage.session.sign('Hello.');
  for (let losses = 1; losses <= 8; losses += 1) {
    while (stage.socket.asked.length === 0) await stage.clock.advance(1_000);
    stage.socket.ack();
    await promisesSettled();
    assert.deepEqual(droppedOn(stage), [], `before loss ${losses}`);
    await reconnected(stage);
  }
  assert.deepEqual(droppedOn(stage), [[ref, 'session_failed']]);
});

test('a stream that is refused is followed by another session, and what has not started is sent once more, told once', async () => {
  const stage = await streaming();
  const { ref } = stage.session.sign('On screen.');
  stage.session.sign('Behind it.');
  for (let acks = 0; acks < 2; acks += 1) stage.socket.ack();
  stage.session.started(ref);
  stage.session.renewStream(ownError('media_refused'));
  assert.equal(stage.session.state, 'reconnecting');
  await stage.clock.advance(250);
  await ready(stage, { manifest_url: 'https://media.example/2.m3u8' });
  assert.deepEqual(stage.asked, [['On screen.', 'Behind it.'], ['Behind it.']]);
  assert.equal(stage.session.manifests?.hls, 'https://media.example/2.m3u8');
  stage.socket.ack();
  assert.equal(stage.details('sign-accepted').length, 2);
  assert.deepEqual(stage.errors, [{ code: 'media_refused', severity: 'warning', ref: undefined }]);
});

test('a text that was taken and has not started is dropped when no session can be had any more, and by end()', async () => {
  for (const [reason, over] of [
    ['invalid_session_start', (stage: Stage) => stage.socket.error('invalid_session_start', {}, '')],
    ['AbortError', (stage: Stage) => void stage.session.end()],
  ] as const) {
    const stage = await streaming();
    const { ref } = stage.session.sign('Hello.');
    stage.socket.ack();
    stage.socket.drop();
    await stage.clock.advance(250);
    stage.socket.open();
    over(stage);
    await promisesSettled();
    assert.deepEqual(droppedOn(stage), [[ref, reason]]);
  }
});
