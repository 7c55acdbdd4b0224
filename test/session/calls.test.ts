// One call of sign(): its ref, its promises, its events, its parts.
import assert from 'node:assert/strict';
import test from 'node:test';
import { promisesSettled } from './manual-clock.ts';
import { readyStage, reasonOf, Stage } from './stage.ts';

test('a text is sent under its ref, and its result is the call’s', async () => {
  const stage = await readyStage();
  const { ref, accepted, result } = stage.session.sign('Hello there.');
  assert.deepEqual(stage.socket.last, { type: 'text', id: ref, data: 'Hello there.' });
  stage.socket.ack();
  await accepted;
  stage.socket.result();
  const part = {
    ref,
    text: 'Hello there.',
    url: `https://media.example/${ref}.mp4`,
    expiresAt: '2026-01-01T00:05:00Z',
    durationSeconds: 2,
    pipelineMs: { gloss: 1, render: 2, encode: 3, total: 6 },
    partIndex: 0,
    partCount: 1,
  };
  assert.deepEqual(await result, { ...part, acceptedAt: null, parts: [part] });
  assert.deepEqual(stage.details('sign-result'), [part]);
  assert.deepEqual(stage.details('sign-accepted'), [{ ref, text: 'Hello there.' }]);
});

test('a ref is 128 random bits as URL-safe text, and no two are the same', () => {
  const stage = new Stage({ random: () => 0 });
  const refs = Array.from({ length: 200 }, () => stage.session.sign('Hello.').ref);
  for (const ref of refs) assert.match(ref, /^[A-Za-z0-9_-]{22}$/);
  assert.equal(new Set(refs).size, 200);
});

test('a ref that the caller gives is used as it is', async () => {
  const stage = await readyStage();
  assert.equal(stage.session.sign('Hello.', { ref: 'my-own' }).ref, 'my-own');
  assert.equal(stage.socket.last.id, 'my-own');
});

test('a ref that is taken or empty rejects invalid_request and leaves the first text alone', async () => {
  const stage = await readyStage();
  const first = stage.session.sign('Hello.', { ref: 'same' });
  assert.equal(await reasonOf(stage.session.sign('Other.', { ref: 'same' }).result), 'invalid_request');
  assert.equal(await reasonOf(stage.session.sign('Other.', { ref: '' }).result), 'invalid_request');
  stage.socket.result('same');
  assert.equal((await first.result).text, 'Hello.');
  assert.equal(await reasonOf(stage.session.sign('Other.', { ref: 'same' }).result), 'invalid_request');
});

for (const text of ['', '   ', '\n\t\u00a0']) {
  test(`${JSON.stringify(text)} rejects empty_text, tells it, and opens nothing`, async () => {
    const stage = new Stage();
    const { ref, accepted, result } = stage.session.sign(text);
    assert.deepEqual(stage.errors, [], 'the caller has the ref before the event names it');
    assert.equal(await reasonOf(accepted), 'empty_text');
    assert.equal(await reasonOf(result), 'empty_text');
    assert.deepEqual(stage.errors, [{ code: 'empty_text', severity: 'message', ref }]);
    assert.equal(stage.sockets.length, 0);
  });
}

for (const nothing of [undefined, null]) {
  test(`${nothing} in place of a text rejects empty_text and does not throw`, async () => {
    const stage = new Stage();
    assert.equal(await reasonOf(stage.session.sign(nothing as unknown as string).result), 'empty_text');
  });
}

test('a lone surrogate is sent as U+FFFD', async () => {
  const stage = await readyStage();
  void stage.session.sign('a\ud800b\udc00 \ud83d\ude00');
  assert.equal(stage.socket.last.data, 'a\ufffdb\ufffd 😀');
});

test('texts wait for the session and are then sent in call order', async () => {
  const stage = new Stage();
  for (const text of ['One.', 'Two.', 'Three.']) void stage.session.sign(text);
  assert.equal(stage.sockets.length, 1);
  await stage.ready();
  assert.deepEqual(
    stage.socket.asked.map(({ data }) => data),
    ['One.', 'Two.', 'Three.'],
  );
});

test('results in any order reach their own calls', async () => {
  const stage = await readyStage();
  const calls = ['One.', 'Two.', 'Three.'].map((text) => stage.session.sign(text));
  for (const { ref } of calls) stage.socket.ack(ref);
  for (const { ref } of calls.toReversed()) stage.socket.result(ref);
  const results = await Promise.all(calls.map(({ result }) => result));
  assert.deepEqual(
    results.map(({ text, ref }) => [text, ref]),
    calls.map(({ ref }, index) => [['One.', 'Two.', 'Three.'][index], ref]),
  );
});

test('a result without an acknowledgement before it accepts the text first', async () => {
  const stage = await readyStage();
  const { ref, accepted } = stage.session.sign('Hello.');
  stage.socket.result();
  await accepted;
  stage.socket.ack(ref);
  const names = stage.events
    .map(({ name }) => name)
    .filter((name) => name === 'sign-accepted' || name === 'sign-result');
  assert.deepEqual(names, ['sign-accepted', 'sign-result']);
});

test('a result may leave out all but its URL', async () => {
  const stage = await readyStage();
  const { ref, result } = stage.session.sign('Hello.');
  stage.socket.say({ type: 'result', ref, url: 'https://media.example/a.mp4?sig=1' });
  const { url, expiresAt, durationSeconds, pipelineMs } = await result;
  assert.deepEqual(
    [url, expiresAt, durationSeconds, pipelineMs],
    ['https://media.example/a.mp4?sig=1', null, null, null],
  );
});

test('progress is told with the call’s ref as long as the text is open', async () => {
  const stage = await readyStage();
  const { ref } = stage.session.sign('Hello.');
  stage.socket.say({ type: 'text.progress', ref, stage: 'gloss', status: 'completed', duration_ms: 12 });
  stage.socket.say({ type: 'text.progress', ref, stage: 'render' });
  stage.socket.result(ref);
  stage.socket.say({ type: 'text.progress', ref, stage: 'late' });
  assert.deepEqual(stage.details('sign-progress'), [
    { ref, stage: 'gloss', status: 'completed', durationMs: 12 },
    { ref, stage: 'render', status: null, durationMs: null },
  ]);
});

test('a text above the limit in bytes is sent in parts: the first under the ref, each further under an id of its own', async () => {
  const stage = await readyStage({ max_text_length: 12 });
  const { ref } = stage.session.sign('First one. Second. Third one.');
  const { asked } = stage.socket;
  assert.deepEqual(
    asked.map(({ data }) => data),
    ['First one.', 'Second.', 'Third one.'],
  );
  assert.equal(asked[0]?.id, ref);
  assert.equal(new Set(asked.map(({ id }) => id)).size, 3);
});

test('a text is split by the limits in force when it is sent, not when it was asked for', async () => {
  const stage = new Stage();
  void stage.session.sign('One. Two.');
  await stage.ready({ max_text_length: 5 });
  assert.deepEqual(
    stage.socket.asked.map(({ data }) => data),
    ['One.', 'Two.'],
  );
});

test('a call of several parts is accepted once, has a result for each, and resolves with all of them', async () => {
  const stage = await readyStage({ max_text_length: 5 });
  const { ref, result } = stage.session.sign('One. Two. Six.');
  const [one, two, six] = stage.socket.asked.map(({ id }) => id);
  for (const id of [two, six]) stage.socket.ack(id);
  assert.deepEqual(stage.details('sign-accepted'), [], 'the first part is not accepted yet');
  stage.socket.ack(one);
  stage.socket.result(six, 3);
  stage.socket.result(one, 1);
  stage.socket.result(two, 2);
  const { parts, ...whole } = await result;
  assert.deepEqual(
    parts.map(({ ref: of, text, partIndex, partCount, durationSeconds }) => [
      of,
      text,
      partIndex,
      partCount,
      durationSeconds,
    ]),
    [
      [ref, 'One.', 0, 3, 1],
      [ref, 'Two.', 1, 3, 2],
      [ref, 'Six.', 2, 3, 3],
    ],
  );
  assert.deepEqual(whole, { ...parts[0], text: 'One. Two. Six.', durationSeconds: 6, acceptedAt: null });
  assert.deepEqual(stage.details('sign-accepted'), [{ ref, text: 'One. Two. Six.' }]);
  assert.deepEqual(
    stage.details('sign-result').map(({ partIndex }) => partIndex),
    [2, 0, 1],
  );
});

test('the duration of a call is unknown when that of one part is', async () => {
  const stage = await readyStage({ max_text_length: 5 });
  const { result } = stage.session.sign('One. Two.');
  const [one, two] = stage.socket.asked.map(({ id }) => id);
  stage.socket.result(one);
  stage.socket.say({ type: 'result', ref: two, url: 'https://media.example/b.mp4' });
  assert.equal((await result).durationSeconds, null);
});

test('a part that fails for good rejects the whole call and drops its unsent parts', async () => {
  const stage = await readyStage({ max_text_length: 5, max_inflight: 2 });
  const { ref, accepted, result } = stage.session.sign('One. Two. Six.');
  const next = stage.session.sign('Next');
  const [one, two] = stage.socket.asked.map(({ id }) => id);
  stage.socket.ack(one);
  stage.socket.error('internal_error', {}, two);
  assert.equal(await reasonOf(result), 'internal_error');
  assert.equal(await reasonOf(accepted), 'resolved');
  assert.deepEqual(stage.errors, [{ code: 'internal_error', severity: 'message', ref }]);
  stage.socket.result(one);
  assert.deepEqual(stage.details('sign-result'), []);
  assert.deepEqual(
    stage.socket.asked.map(({ data }) => data),
    ['One.', 'Two.', 'Next'],
  );
  stage.socket.result(next.ref);
  assert.equal(await reasonOf(next.result), 'resolved');
});

test('a limit too small for one code point rejects text_too_long, and the next text goes on', async () => {
  const stage = await readyStage({ max_text_length: 3 });
  const { ref, result } = stage.session.sign('😀😀');
  const next = stage.session.sign('ok');
  assert.equal(await reasonOf(result), 'text_too_long');
  assert.deepEqual(stage.errors, [{ code: 'text_too_long', severity: 'message', ref }]);
  assert.deepEqual(
    stage.socket.asked.map(({ id }) => id),
    [next.ref],
  );
});

test('rejections that nobody listens to are not unhandled ones', async () => {
  const unhandled: unknown[] = [];
  const listener = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', listener);
  const stage = await readyStage();
  void stage.session.sign('');
  void stage.session.sign('Refused.');
  stage.socket.error('internal_error');
  void stage.session.sign('Aborted.', { signal: AbortSignal.abort() });
  void stage.session.renew('unknown');
  void stage.session.sign('Lost.');
  stage.socket.drop(1008, 'origin_refused');
  await promisesSettled();
  await promisesSettled();
  process.off('unhandledRejection', listener);
  assert.equal(stage.errors.length, 3);
  assert.deepEqual(unhandled, []);
});
