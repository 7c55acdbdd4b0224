// Stream mode: the acknowledgement is the answer, and the picture is in the session's stream. Texts that had not started when the
// session was lost are signed again in the next stream.
import assert from 'node:assert/strict';
import test from 'node:test';
import { reasonOf, Stage } from './stage.ts';
import { ready, reconnected, streaming } from './stream-stage.ts';

const TAKEN = '2026-01-01T00:00:00Z';
const takenAt = Date.parse(TAKEN);

test('session.start says stream, and the manifests are there when sign-ready fires', async () => {
  const stage = new Stage({ mode: 'stream' });
  assert.equal(stage.session.manifests, null);
  let atReady: unknown;
  stage.session.on('sign-ready', () => (atReady = stage.session.manifests));
  void stage.session.connect();
  await ready(stage, {
    stream: { hls: 'https://media.example/a.m3u8', dash: 'https://media.example/a.mpd' },
  });
  const [start] = stage.socket.sent;
  assert.equal(start?.type === 'session.start' && start.mode, 'stream');
  assert.deepEqual(atReady, { hls: 'https://media.example/a.m3u8', dash: 'https://media.example/a.mpd' });
});

test('in translate mode there are no manifests, whatever session.ready says', async () => {
  const stage = new Stage();
  void stage.session.connect();
  await ready(stage);
  assert.equal(stage.session.state, 'ready');
  assert.equal(stage.session.manifests, null);
});

for (const [what, fields] of [
  ['no stream', {}],
  ['a stream at no web address', { manifest_url: 'javascript:alert(1).m3u8' }],
] as const) {
  test(`a session.ready that names ${what} fails the session before a text is sent`, async () => {
    const stage = new Stage({ mode: 'stream' });
    const end = reasonOf(stage.session.sign('Hello.').result);
    await ready(stage, fields);
    assert.equal(await end, 'protocol_error');
    assert.deepEqual(stage.asked, [[]]);
    assert.equal(stage.session.state, 'failed');
    stage.assertNothingLeft();
  });
}

test('the acknowledgement is the result: no URL, and the moment by the service’s clock', async () => {
  const stage = await streaming();
  const { ref, accepted, result } = stage.session.sign('Hello.');
  stage.socket.ack();
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
  assert.deepEqual(stage.details('sign-accepted'), [{ ref, text: 'Hello.' }]);
  assert.deepEqual(stage.details('sign-appended'), [{ ref, acceptedAt: takenAt }]);
  assert.deepEqual(stage.details('sign-result'), []);
});

for (const timestamp of [undefined, null, 'soon']) {
  test(`an acknowledgement at "${timestamp}" gives no moment`, async () => {
    const stage = await streaming();
    const { ref, result } = stage.session.sign('Hello.');
    stage.socket.say({ type: 'text.ack', ref, timestamp });
    assert.equal((await result).acceptedAt, null);
  });
}

test('one text at a time, in call order: the acknowledgement of one sends the next', async () => {
  const stage = await streaming();
  for (const text of ['One.', 'Two.', 'Three.']) void stage.session.sign(text);
  assert.deepEqual(stage.asked, [['One.']]);
  stage.socket.ack();
  assert.deepEqual(stage.asked, [['One.', 'Two.']]);
  stage.socket.ack();
  assert.deepEqual(stage.asked, [['One.', 'Two.', 'Three.']]);
});

test('no text overtakes a text in backoff', async () => {
  const stage = await streaming();
  for (const text of ['One.', 'Two.']) void stage.session.sign(text);
  stage.socket.error('gloss_timeout');
  await stage.clock.advance(29_999);
  assert.deepEqual(stage.asked, [['One.']]);
  await stage.clock.advance(1);
  assert.deepEqual(stage.asked, [['One.', 'One.']]);
});

test('no part overtakes a part in backoff of the same text', async () => {
  const stage = new Stage({ mode: 'stream' });
  void stage.session.sign('One. Two.');
  await ready(stage, { manifest_url: 'https://media.example/1.m3u8', limits: { max_text_length: 5 } });
  stage.socket.error('gloss_timeout');
  await stage.clock.advance(29_999);
  assert.deepEqual(stage.asked, [['One.']]);
  await stage.clock.advance(1);
  assert.deepEqual(stage.asked, [['One.', 'One.']]);
});

test('acknowledged texts that have not started are sent again on the next session, before waiting texts', async () => {
  const stage = await streaming();
  const calls = ['One.', 'Two.', 'Three.', 'Four.'].map((text) => stage.session.sign(text));
  stage.socket.ack();
  stage.socket.ack();
  stage.session.started(calls[0]?.ref ?? '');
  await reconnected(stage);
  assert.equal(stage.session.manifests?.hls, 'https://media.example/2.m3u8');
  for (let count = 0; count < 3; count += 1) stage.socket.ack();
  assert.deepEqual(stage.asked[1], ['Two.', 'Three.', 'Four.']);
  const ids = stage.sockets.flatMap(({ asked }) => asked.map(({ id }) => id));
  assert.equal(new Set(ids).size, ids.length, 'an id is never used twice');
  assert.deepEqual(
    stage.details('sign-appended').map(({ ref }) => ref),
    [0, 1, 1, 2, 3].map((index) => calls[index]?.ref),
  );
  assert.equal(stage.details('sign-accepted').length, 4);
});

test('a text that starts while the last of a lost stream plays is not sent again', async () => {
  const stage = await streaming();
  const { ref } = stage.session.sign('One.');
  stage.socket.ack();
  void stage.session.sign('Two.');
  stage.socket.drop();
  stage.session.started(ref);
  await stage.clock.advance(250);
  await ready(stage);
  assert.deepEqual(stage.asked[1], ['Two.']);
});

test('a text that starts before its second acknowledgement is not sent a third time', async () => {
  const stage = await streaming();
  const { ref } = stage.session.sign('One.');
  stage.socket.ack();
  await reconnected(stage);
  assert.deepEqual(stage.asked[1], ['One.']);
  stage.session.started(ref);
  await reconnected(stage);
  assert.deepEqual(stage.asked[2], []);
});

test('an acknowledged text that was aborted is not sent again', async () => {
  const stage = await streaming();
  const stop = new AbortController();
  const { result } = stage.session.sign('Hello.', { signal: stop.signal });
  stage.socket.ack();
  await result;
  stop.abort();
  await reconnected(stage);
  assert.deepEqual(stage.asked[1], []);
});

test('a split text resolves when its first part is acknowledged; parts that are acknowledged after its start are not sent again', async () => {
  const stage = new Stage({ mode: 'stream' });
  const { ref, result } = stage.session.sign('One. Two. Six.');
  const limits = { max_text_length: 5 };
  await ready(stage, { manifest_url: 'https://media.example/1.m3u8', limits });
  stage.socket.ack();
  assert.equal((await result).partCount, 3);
  stage.session.started(ref);
  stage.socket.ack();
  stage.socket.drop();
  await stage.clock.advance(250);
  await ready(stage, { manifest_url: 'https://media.example/2.m3u8', limits });
  assert.deepEqual(stage.asked, [['One.', 'Two.', 'Six.'], ['Six.']]);
  stage.socket.ack();
  await stage.clock.advance(120_000);
  assert.equal(stage.session.state, 'finalizing', 'nothing more is to be sent');
});

test('a text of more parts than slots is sent part by part while it is shown', async () => {
  const stage = new Stage({ mode: 'stream', maxUnplayed: 1 });
  const { ref } = stage.session.sign('One. Two. Six.');
  await ready(stage, { manifest_url: 'https://media.example/1.m3u8', limits: { max_text_length: 5 } });
  stage.socket.ack();
  assert.deepEqual(stage.asked, [['One.']]);
  stage.session.started(ref);
  for (let count = 0; count < 2; count += 1) stage.socket.ack();
  assert.deepEqual(stage.asked, [['One.', 'Two.', 'Six.']]);
});

test('after an error that follows the acknowledgement the text is sent again, or the error is reported with its ref', async () => {
  const stage = await streaming();
  const { ref } = stage.session.sign('Hello.');
  stage.socket.ack();
  stage.socket.error('render_failed', { retry_after_seconds: 0 });
  assert.deepEqual(stage.asked, [['Hello.', 'Hello.']]);
  stage.socket.ack();
  stage.socket.error('internal_error');
  assert.deepEqual(stage.errors, [
    { code: 'render_failed', severity: 'warning', ref },
    { code: 'internal_error', severity: 'message', ref },
  ]);
});

test('at most maxUnplayed acknowledged texts have not started; started() frees a slot', async () => {
  const stage = await streaming({ maxUnplayed: 2 });
  const calls = ['One.', 'Two.', 'Three.'].map((text) => stage.session.sign(text));
  stage.socket.ack();
  stage.socket.ack();
  assert.deepEqual(stage.asked, [['One.', 'Two.']]);
  stage.session.started(calls[0]?.ref ?? '');
  assert.deepEqual(stage.asked, [['One.', 'Two.', 'Three.']]);
  stage.session.started('unknown');
});

test('result.fetch is never sent: a text without an answer is sent again', async () => {
  const stage = await streaming();
  void stage.session.sign('Hello.');
  await stage.murmur(10_000);
  assert.deepEqual(stage.asked, [['Hello.', 'Hello.']]);
  assert.equal(await reasonOf(stage.session.renew('any')), 'invalid_request');
});

test('a text that has not started keeps the session; 120 s after it has, the session ends', async () => {
  const stage = await streaming();
  const { ref } = stage.session.sign('Hello.');
  stage.socket.ack();
  await stage.clock.advance(600_000);
  assert.equal(stage.session.state, 'ready');
  stage.session.started(ref);
  await stage.clock.advance(120_000);
  assert.equal(stage.session.state, 'finalizing');
});

test('end() with acknowledged texts that have not started leaves nothing', async () => {
  const stage = await streaming();
  void stage.session.sign('Hello.');
  stage.socket.ack();
  const ended = stage.session.end();
  stage.socket.say({ type: 'session.summary', usage: {} });
  await ended;
  stage.assertNothingLeft();
});
