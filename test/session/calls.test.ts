// One call of sign(): its ref, its promises, its events, its parts.
import assert from 'node:assert/strict';
import test from 'node:test';
import { promisesSettled } from '../promises-settled.ts';
import { readyHarness, reasonOf, Harness } from './harness.ts';

test('a text is sent under its ref, and the call resolves with its result', async () => {
  const harness = await readyHarness();
  const { ref, accepted, result } = harness.session.sign('Hello there.');
  assert.deepEqual(harness.socket.last, { type: 'text', id: ref, data: 'Hello there.' });
  harness.socket.ack();
  await accepted;
  harness.socket.result();
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
  assert.deepEqual(harness.details('sign-result'), [part]);
  assert.deepEqual(harness.details('sign-accepted'), [{ ref, text: 'Hello there.' }]);
});

test('a ref is 128 random bits as URL-safe text, and no two are the same', () => {
  const harness = new Harness({ random: () => 0 });
  const refs = Array.from({ length: 200 }, () => harness.session.sign('Hello.').ref);
  for (const ref of refs) assert.match(ref, /^[A-Za-z0-9_-]{22}$/);
  assert.equal(new Set(refs).size, 200);
});

test('a ref that the caller gives is used as it is', async () => {
  const harness = await readyHarness();
  assert.equal(harness.session.sign('Hello.', { ref: 'my-own' }).ref, 'my-own');
  assert.equal(harness.socket.last.id, 'my-own');
});

test('a ref that is taken or empty rejects invalid_request and leaves the first text alone', async () => {
  const harness = await readyHarness();
  const first = harness.session.sign('Hello.', { ref: 'same' });
  assert.equal(await reasonOf(harness.session.sign('Other.', { ref: 'same' }).result), 'invalid_request');
  assert.equal(await reasonOf(harness.session.sign('Other.', { ref: '' }).result), 'invalid_request');
  harness.socket.result('same');
  assert.equal((await first.result).text, 'Hello.');
  assert.equal(await reasonOf(harness.session.sign('Other.', { ref: 'same' }).result), 'invalid_request');
});

for (const text of ['', '   ', '\n\t\u00a0']) {
  test(`${JSON.stringify(text)} rejects empty_text, reports the error, and opens no socket`, async () => {
    const harness = new Harness();
    const { ref, accepted, result } = harness.session.sign(text);
    assert.deepEqual(harness.errors, [], 'the caller has the ref before the event names it');
    assert.equal(await reasonOf(accepted), 'empty_text');
    assert.equal(await reasonOf(result), 'empty_text');
    assert.deepEqual(harness.errors, [{ code: 'empty_text', severity: 'message', ref }]);
    assert.equal(harness.sockets.length, 0);
  });
}

for (const nothing of [undefined, null]) {
  test(`${nothing} in place of a text rejects empty_text and does not throw`, async () => {
    const harness = new Harness();
    assert.equal(await reasonOf(harness.session.sign(nothing as unknown as string).result), 'empty_text');
  });
}

test('a lone surrogate is sent as U+FFFD', async () => {
  const harness = await readyHarness();
  void harness.session.sign('a\ud800b\udc00 \ud83d\ude00');
  assert.equal(harness.socket.last.data, 'a\ufffdb\ufffd 😀');
});

test('texts wait for the session and are then sent in call order', async () => {
  const harness = new Harness();
  for (const text of ['One.', 'Two.', 'Three.']) void harness.session.sign(text);
  assert.equal(harness.sockets.length, 1);
  await harness.ready();
  assert.deepEqual(
    harness.socket.asked.map(({ data }) => data),
    ['One.', 'Two.', 'Three.'],
  );
});

test('results in any order reach their own calls', async () => {
  const harness = await readyHarness();
  const calls = ['One.', 'Two.', 'Three.'].map((text) => harness.session.sign(text));
  for (const { ref } of calls) harness.socket.ack(ref);
  for (const { ref } of calls.toReversed()) harness.socket.result(ref);
  const results = await Promise.all(calls.map(({ result }) => result));
  assert.deepEqual(
    results.map(({ text, ref }) => [text, ref]),
    calls.map(({ ref }, index) => [['One.', 'Two.', 'Three.'][index], ref]),
  );
});

test('a result without an acknowledgement before it accepts the text first', async () => {
  const harness = await readyHarness();
  const { ref, accepted } = harness.session.sign('Hello.');
  harness.socket.result();
  await accepted;
  harness.socket.ack(ref);
  const names = harness.events
    .map(({ name }) => name)
    .filter((name) => name === 'sign-accepted' || name === 'sign-result');
  assert.deepEqual(names, ['sign-accepted', 'sign-result']);
});

test('a result may leave out all but its URL', async () => {
  const harness = await readyHarness();
  const { ref, result } = harness.session.sign('Hello.');
  harness.socket.say({ type: 'result', ref, url: 'https://media.example/a.mp4?sig=1' });
  const { url, expiresAt, durationSeconds, pipelineMs } = await result;
  assert.deepEqual(
    [url, expiresAt, durationSeconds, pipelineMs],
    ['https://media.example/a.mp4?sig=1', null, null, null],
  );
});

test('progress is reported with the call’s ref as long as the text is open', async () => {
  const harness = await readyHarness();
  const { ref } = harness.session.sign('Hello.');
  harness.socket.say({ type: 'text.progress', ref, stage: 'gloss', status: 'completed', duration_ms: 12 });
  harness.socket.say({ type: 'text.progress', ref, stage: 'render' });
  harness.socket.result(ref);
  harness.socket.say({ type: 'text.progress', ref, stage: 'late' });
  assert.deepEqual(harness.details('sign-progress'), [
    { ref, stage: 'gloss', status: 'completed', durationMs: 12 },
    { ref, stage: 'render', status: null, durationMs: null },
  ]);
});

test('a text above the limit in bytes is sent in parts: the first under the ref, each further under an id of its own', async () => {
  const harness = await readyHarness({ max_text_length: 12 });
  const { ref } = harness.session.sign('First one. Second. Third one.');
  const { asked } = harness.socket;
  assert.deepEqual(
    asked.map(({ data }) => data),
    ['First one.', 'Second.', 'Third one.'],
  );
  assert.equal(asked[0]?.id, ref);
  assert.equal(new Set(asked.map(({ id }) => id)).size, 3);
});

test('a text is split by the limits in force when it is sent, not when sign() was called', async () => {
  const harness = new Harness();
  void harness.session.sign('One. Two.');
  await harness.ready({ max_text_length: 5 });
  assert.deepEqual(
    harness.socket.asked.map(({ data }) => data),
    ['One.', 'Two.'],
  );
});

test('a call of several parts is accepted once, has a result for each, and resolves with all of them', async () => {
  const harness = await readyHarness({ max_text_length: 5 });
  const { ref, result } = harness.session.sign('One. Two. Six.');
  const [one, two, six] = harness.socket.asked.map(({ id }) => id);
  for (const id of [two, six]) harness.socket.ack(id);
  assert.deepEqual(harness.details('sign-accepted'), [], 'the first part is not accepted yet');
  harness.socket.ack(one);
  harness.socket.result(six, 3);
  harness.socket.result(one, 1);
  harness.socket.result(two, 2);
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
  assert.deepEqual(harness.details('sign-accepted'), [{ ref, text: 'One. Two. Six.' }]);
  assert.deepEqual(
    harness.details('sign-result').map(({ partIndex }) => partIndex),
    [2, 0, 1],
  );
});

test('the duration of a call is unknown when the duration of one part is unknown', async () => {
  const harness = await readyHarness({ max_text_length: 5 });
  const { result } = harness.session.sign('One. Two.');
  const [one, two] = harness.socket.asked.map(({ id }) => id);
  harness.socket.result(one);
  harness.socket.say({ type: 'result', ref: two, url: 'https://media.example/b.mp4' });
  assert.equal((await result).durationSeconds, null);
});

test('a part that fails for good rejects the whole call and drops its unsent parts', async () => {
  const harness = await readyHarness({ max_text_length: 5, max_inflight: 2 });
  const { ref, accepted, result } = harness.session.sign('One. Two. Six.');
  const next = harness.session.sign('Next');
  const [one, two] = harness.socket.asked.map(({ id }) => id);
  harness.socket.ack(one);
  harness.socket.error('internal_error', {}, two);
  assert.equal(await reasonOf(result), 'internal_error');
  assert.equal(await reasonOf(accepted), 'resolved');
  assert.deepEqual(harness.errors, [{ code: 'internal_error', severity: 'message', ref }]);
  harness.socket.result(one);
  assert.deepEqual(harness.details('sign-result'), []);
  assert.deepEqual(
    harness.socket.asked.map(({ data }) => data),
    ['One.', 'Two.', 'Next'],
  );
  harness.socket.result(next.ref);
  assert.equal(await reasonOf(next.result), 'resolved');
});

test('a limit too small for one code point rejects text_too_long, and the next text goes on', async () => {
  const harness = await readyHarness({ max_text_length: 3 });
  const { ref, result } = harness.session.sign('😀😀');
  const next = harness.session.sign('ok');
  assert.equal(await reasonOf(result), 'text_too_long');
  assert.deepEqual(harness.errors, [{ code: 'text_too_long', severity: 'message', ref }]);
  assert.deepEqual(
    harness.socket.asked.map(({ id }) => id),
    [next.ref],
  );
});

test('rejections that nobody listens to are not unhandled ones', async () => {
  const unhandled: unknown[] = [];
  const listener = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', listener);
  const harness = await readyHarness();
  void harness.session.sign('');
  void harness.session.sign('Refused.');
  harness.socket.error('internal_error');
  void harness.session.sign('Aborted.', { signal: AbortSignal.abort() });
  void harness.session.renew('unknown');
  void harness.session.sign('Lost.');
  harness.socket.drop(1008, 'origin_refused');
  await promisesSettled();
  await promisesSettled();
  process.off('unhandledRejection', listener);
  assert.equal(harness.errors.length, 3);
  assert.deepEqual(unhandled, []);
});
