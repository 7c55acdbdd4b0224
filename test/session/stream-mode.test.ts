// Stream mode: the acknowledgement is the answer, and the picture is in the session's stream. Texts that had not started when the
// session was lost are signed again in the next stream.
import assert from 'node:assert/strict';
import test from 'node:test';
import { reasonOf, Harness } from './harness.ts';
import { ready, reconnected, streaming } from './stream-harness.ts';

const TAKEN = '2026-01-01T00:00:00Z';
const takenAt = Date.parse(TAKEN);

test('session.start asks for a stream, and the manifests are known when sign-ready fires', async () => {
  const harness = new Harness({ mode: 'stream' });
  assert.equal(harness.session.manifests, null);
  let atReady: unknown;
  harness.session.on('sign-ready', () => (atReady = harness.session.manifests));
  void harness.session.connect();
  await ready(harness, {
    stream: { hls: 'https://media.example/a.m3u8', dash: 'https://media.example/a.mpd' },
  });
  const [start] = harness.socket.sent;
  assert.equal(start?.type === 'session.start' && start.mode, 'stream');
  assert.deepEqual(atReady, { hls: 'https://media.example/a.m3u8', dash: 'https://media.example/a.mpd' });
});

test('in translate mode there are no manifests, whatever session.ready says', async () => {
  const harness = new Harness();
  void harness.session.connect();
  await ready(harness);
  assert.equal(harness.session.state, 'ready');
  assert.equal(harness.session.manifests, null);
});

for (const [what, fields] of [
  ['no stream', {}],
  ['a stream at no web address', { manifest_url: 'javascript:alert(1).m3u8' }],
] as const) {
  test(`a session.ready that names ${what} fails the session before a text is sent`, async () => {
    const harness = new Harness({ mode: 'stream' });
    const end = reasonOf(harness.session.sign('Hello.').result);
    await ready(harness, fields);
    assert.equal(await end, 'protocol_error');
    assert.deepEqual(harness.asked, [[]]);
    assert.equal(harness.session.state, 'failed');
    harness.assertNothingLeft();
  });
}

test('the acknowledgement is the result, with no URL and with the moment by the service’s clock', async () => {
  const harness = await streaming();
  const { ref, accepted, result } = harness.session.sign('Hello.');
  harness.socket.ack();
  await accepted;
  assert.deepEqual(await result, {
    ref,
    text: 'Hello.',
    url: null,
    expiresAt: null,
    durationSeconds: null,
    pipelineMs: null,
    partIndex: 0,
    partCount: 1,
    acceptedAt: takenAt,
    parts: [],
  });
  assert.deepEqual(harness.details('sign-accepted'), [{ ref, text: 'Hello.' }]);
  assert.deepEqual(harness.details('sign-appended'), [{ ref, acceptedAt: takenAt }]);
  assert.deepEqual(harness.details('sign-result'), []);
});

for (const timestamp of [undefined, null, 'soon', '2026-01-01T00:00:00']) {
  test(`an acknowledgement at "${timestamp}" gives no moment`, async () => {
    const harness = await streaming();
    const { ref, result } = harness.session.sign('Hello.');
    harness.socket.say({ type: 'text.ack', ref, timestamp });
    assert.equal((await result).acceptedAt, null);
  });
}

test('texts are sent one at a time, in call order: the acknowledgement of one sends the next', async () => {
  const harness = await streaming();
  for (const text of ['One.', 'Two.', 'Three.']) void harness.session.sign(text);
  assert.deepEqual(harness.asked, [['One.']]);
  harness.socket.ack();
  assert.deepEqual(harness.asked, [['One.', 'Two.']]);
  harness.socket.ack();
  assert.deepEqual(harness.asked, [['One.', 'Two.', 'Three.']]);
});

test('no text overtakes a text in backoff', async () => {
  const harness = await streaming();
  for (const text of ['One.', 'Two.']) void harness.session.sign(text);
  harness.socket.error('gloss_timeout');
  await harness.clock.advance(29_999);
  assert.deepEqual(harness.asked, [['One.']]);
  await harness.clock.advance(1);
  assert.deepEqual(harness.asked, [['One.', 'One.']]);
});

test('no part overtakes a part in backoff of the same text', async () => {
  const harness = new Harness({ mode: 'stream' });
  void harness.session.sign('One. Two.');
  await ready(harness, { manifest_url: 'https://media.example/1.m3u8', limits: { max_text_length: 5 } });
  harness.socket.error('gloss_timeout');
  await harness.clock.advance(29_999);
  assert.deepEqual(harness.asked, [['One.']]);
  await harness.clock.advance(1);
  assert.deepEqual(harness.asked, [['One.', 'One.']]);
});

test('acknowledged texts that have not started are sent again on the next session, before waiting texts', async () => {
  const harness = await streaming();
  const calls = ['One.', 'Two.', 'Three.', 'Four.'].map((text) => harness.session.sign(text));
  harness.socket.ack();
  harness.socket.ack();
  harness.session.started(calls[0]?.ref ?? '');
  await reconnected(harness);
  assert.equal(harness.session.manifests?.hls, 'https://media.example/2.m3u8');
  for (let count = 0; count < 3; count += 1) harness.socket.ack();
  assert.deepEqual(harness.asked[1], ['Two.', 'Three.', 'Four.']);
  const ids = harness.sockets.flatMap(({ asked }) => asked.map(({ id }) => id));
  assert.equal(new Set(ids).size, ids.length, 'an id is never used twice');
  assert.deepEqual(
    harness.details('sign-appended').map(({ ref }) => ref),
    [0, 1, 1, 2, 3].map((index) => calls[index]?.ref),
  );
  assert.equal(harness.details('sign-accepted').length, 4);
});

test('a text that starts while the last of a lost stream plays is not sent again', async () => {
  const harness = await streaming();
  const { ref } = harness.session.sign('One.');
  harness.socket.ack();
  void harness.session.sign('Two.');
  harness.socket.drop();
  harness.session.started(ref);
  await harness.clock.advance(250);
  await ready(harness);
  assert.deepEqual(harness.asked[1], ['Two.']);
});

test('a text that starts before its second acknowledgement is not sent a third time', async () => {
  const harness = await streaming();
  const { ref } = harness.session.sign('One.');
  harness.socket.ack();
  await reconnected(harness);
  assert.deepEqual(harness.asked[1], ['One.']);
  harness.session.started(ref);
  await reconnected(harness);
  assert.deepEqual(harness.asked[2], []);
});

test('an acknowledged text that was aborted is not sent again', async () => {
  const harness = await streaming();
  const stop = new AbortController();
  const { result } = harness.session.sign('Hello.', { signal: stop.signal });
  harness.socket.ack();
  await result;
  stop.abort();
  await reconnected(harness);
  assert.deepEqual(harness.asked[1], []);
});

test('a split text resolves when its first part is acknowledged; parts that are acknowledged after its start are not sent again', async () => {
  const harness = new Harness({ mode: 'stream' });
  const { ref, result } = harness.session.sign('One. Two. Six.');
  const limits = { max_text_length: 5 };
  await ready(harness, { manifest_url: 'https://media.example/1.m3u8', limits });
  harness.socket.ack();
  assert.equal((await result).partCount, 3);
  harness.session.started(ref);
  harness.socket.ack();
  harness.socket.drop();
  await harness.clock.advance(250);
  await ready(harness, { manifest_url: 'https://media.example/2.m3u8', limits });
  assert.deepEqual(harness.asked, [['One.', 'Two.', 'Six.'], ['Six.']]);
  harness.socket.ack();
  await harness.clock.advance(120_000);
  assert.equal(harness.session.state, 'finalizing', 'nothing more is to be sent');
});

test('a text of more parts than slots is sent part by part while it is shown', async () => {
  const harness = new Harness({ mode: 'stream', maxUnplayed: 1 });
  const { ref } = harness.session.sign('One. Two. Six.');
  await ready(harness, { manifest_url: 'https://media.example/1.m3u8', limits: { max_text_length: 5 } });
  harness.socket.ack();
  assert.deepEqual(harness.asked, [['One.']]);
  harness.session.started(ref);
  for (let count = 0; count < 2; count += 1) harness.socket.ack();
  assert.deepEqual(harness.asked, [['One.', 'Two.', 'Six.']]);
});

test('after an error that follows the acknowledgement the text is sent again, or the error is reported with the ref of the text', async () => {
  const harness = await streaming();
  const { ref } = harness.session.sign('Hello.');
  harness.socket.ack();
  harness.socket.error('render_failed', { retry_after_seconds: 0 });
  assert.deepEqual(harness.asked, [['Hello.', 'Hello.']]);
  harness.socket.ack();
  harness.socket.error('internal_error');
  assert.deepEqual(harness.errors, [
    { code: 'render_failed', severity: 'warning', ref },
    { code: 'internal_error', severity: 'message', ref },
  ]);
});

for (const [what, video] of [
  ['with a video', { url: 'https://media.example/a.mp4' }],
  ['without one', {}],
] as const) {
  test(`a result in stream mode, ${what}, is no answer: the text is still sent again after a drop`, async () => {
    const harness = await streaming();
    const errors: unknown[] = [];
    harness.session.on('sign-error', ({ error }) => errors.push(error));
    harness.session.on('sign-result', (result) => errors.push(result));
    const { ref, result } = harness.session.sign('Hello.');
    harness.socket.ack();
    harness.socket.say({ type: 'result', ref, ...video });
    assert.equal((await result).url, null);
    assert.deepEqual(errors, []);
    await reconnected(harness);
    assert.deepEqual(harness.asked, [['Hello.'], ['Hello.']]);
  });
}

test('at most maxUnplayed acknowledged texts have not started; started() frees a slot', async () => {
  const harness = await streaming({ maxUnplayed: 2 });
  const calls = ['One.', 'Two.', 'Three.'].map((text) => harness.session.sign(text));
  harness.socket.ack();
  harness.socket.ack();
  assert.deepEqual(harness.asked, [['One.', 'Two.']]);
  harness.session.started(calls[0]?.ref ?? '');
  assert.deepEqual(harness.asked, [['One.', 'Two.', 'Three.']]);
  harness.session.started('unknown');
});

test('result.fetch is never sent: a text without an answer is sent again', async () => {
  const harness = await streaming();
  void harness.session.sign('Hello.');
  await harness.murmur(10_000);
  assert.deepEqual(harness.asked, [['Hello.', 'Hello.']]);
  assert.equal(await reasonOf(harness.session.renew('any')), 'invalid_request');
});

test('a text that has not started keeps the session; 120 s after it has, the session ends', async () => {
  const harness = await streaming();
  const { ref } = harness.session.sign('Hello.');
  harness.socket.ack();
  await harness.clock.advance(600_000);
  assert.equal(harness.session.state, 'ready');
  harness.session.started(ref);
  await harness.clock.advance(120_000);
  assert.equal(harness.session.state, 'finalizing');
});

test('a text of ten minutes that is being signed keeps the session, because the stream may end with it', async () => {
  const harness = await streaming();
  const { ref } = harness.session.sign('word '.repeat(1000));
  harness.socket.ack();
  harness.session.started(ref);
  await harness.clock.advance(601_000);
  assert.equal(harness.session.state, 'ready');
  await harness.clock.advance(602_000);
  assert.equal(harness.session.state, 'finalizing');
});

test('end() with acknowledged texts that have not started leaves nothing', async () => {
  const harness = await streaming();
  void harness.session.sign('Hello.');
  harness.socket.ack();
  const ended = harness.session.end();
  harness.socket.say({ type: 'session.summary', usage: {} });
  await ended;
  harness.assertNothingLeft();
});
