// Stream mode: a text has its result when the service has accepted it, so an event reports a text that is not signed after all.
import assert from 'node:assert/strict';
import test from 'node:test';
import { ownError } from '../../src/protocol/own-errors.ts';
import { promisesSettled } from '../promises-settled.ts';
import { Harness } from './harness.ts';
import { ready, reconnected, streaming } from './stream-harness.ts';

/** Ref and reason of each `sign-dropped`: the code of a SignError, or the name of another error. */
const droppedOn = (harness: Harness): unknown[] =>
  harness.details('sign-dropped').map(({ ref, reason }) => {
    assert.ok(reason instanceof Error || reason instanceof DOMException, 'a reason is an error');
    return [ref, 'code' in reason && typeof reason.code === 'string' ? reason.code : reason.name];
  });

test('a text that is refused for good after it was accepted is dropped', async () => {
  const harness = await streaming();
  const { ref, result } = harness.session.sign('Hello.');
  harness.socket.ack();
  await result;
  harness.socket.error('internal_error');
  await promisesSettled();
  assert.deepEqual(droppedOn(harness), [[ref, 'internal_error']]);
});

test('a text whose later part fails is dropped, also after it started, and nothing is reported for a text that was aborted', async () => {
  const harness = new Harness({ mode: 'stream' });
  const stop = new AbortController();
  const { ref } = harness.session.sign('One. Two.');
  void harness.session.sign('Six.', { signal: stop.signal });
  await ready(harness, { manifest_url: 'https://media.example/1.m3u8', limits: { max_text_length: 5 } });
  harness.socket.ack();
  harness.session.started(ref);
  harness.socket.error('internal_error');
  harness.socket.ack();
  stop.abort();
  await promisesSettled();
  assert.deepEqual(harness.asked, [['One.', 'Two.', 'Six.']]);
  assert.deepEqual(droppedOn(harness), [[ref, 'internal_error']]);
});

test('an accepted text that has not started is dropped when the eighth session with it is lost', async () => {
  const harness = await streaming();
  const { ref } = harness.session.sign('Hello.');
  for (let losses = 1; losses <= 8; losses += 1) {
    while (harness.socket.asked.length === 0) await harness.clock.advance(1_000);
    harness.socket.ack();
    await promisesSettled();
    assert.deepEqual(droppedOn(harness), [], `before loss ${losses}`);
    await reconnected(harness);
  }
  assert.deepEqual(droppedOn(harness), [[ref, 'session_failed']]);
});

test('after a refused stream another session opens, texts that have not started are sent once more, and the refusal is reported once', async () => {
  const harness = await streaming();
  const { ref } = harness.session.sign('On screen.');
  harness.session.sign('Behind it.');
  for (let acks = 0; acks < 2; acks += 1) harness.socket.ack();
  harness.session.started(ref);
  harness.session.renewStream(ownError('media_refused'));
  assert.equal(harness.session.state, 'reconnecting');
  await harness.clock.advance(250);
  await ready(harness, { manifest_url: 'https://media.example/2.m3u8' });
  assert.deepEqual(harness.asked, [['On screen.', 'Behind it.'], ['Behind it.']]);
  assert.equal(harness.session.manifests?.hls, 'https://media.example/2.m3u8');
  harness.socket.ack();
  assert.equal(harness.details('sign-accepted').length, 2);
  assert.deepEqual(harness.errors, [{ code: 'media_refused', severity: 'warning', ref: undefined }]);
});

test('an accepted text that has not started is dropped when no session opens any more, and by end()', async () => {
  for (const [reason, over] of [
    ['invalid_session_start', (harness: Harness) => harness.socket.error('invalid_session_start', {}, '')],
    ['AbortError', (harness: Harness) => void harness.session.end()],
  ] as const) {
    const harness = await streaming();
    const { ref } = harness.session.sign('Hello.');
    harness.socket.ack();
    harness.socket.drop();
    await harness.clock.advance(250);
    harness.socket.open();
    over(harness);
    await promisesSettled();
    assert.deepEqual(droppedOn(harness), [[ref, reason]]);
  }
});
