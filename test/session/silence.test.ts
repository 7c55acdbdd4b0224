// A service that does not answer a text while it goes on with others: no text.ack in 10 s, no result in 60 s.
import assert from 'node:assert/strict';
import test from 'node:test';
import { readyStage, reasonOf, type Stage } from './stage.ts';

const asked = (stage: Stage) => stage.socket.asked.map(({ type, data }) => data ?? type);

test('a text that is not acknowledged in 10 s is sent again under a fresh id', async () => {
  const stage = await readyStage();
  const { ref, result } = stage.session.sign('Hello.');
  await stage.murmur(9_999);
  assert.equal(stage.socket.asked.length, 1);
  await stage.murmur(1);
  assert.deepEqual(asked(stage), ['Hello.', 'Hello.']);
  assert.notEqual(stage.socket.last.id, ref);
  assert.deepEqual(stage.errors, [{ code: 'no_answer', severity: 'warning', ref }]);
  stage.socket.ack();
  stage.socket.result();
  assert.equal((await result).ref, ref);
});

test('three texts without an answer are no_answer', async () => {
  const stage = await readyStage();
  const { ref, result } = stage.session.sign('Hello.');
  const end = reasonOf(result);
  await stage.murmur(29_999);
  assert.equal(stage.socket.asked.length, 3);
  await stage.murmur(1);
  assert.equal(await end, 'no_answer');
  assert.deepEqual(stage.errors.at(-1), { code: 'no_answer', severity: 'message', ref });
  await stage.murmur(60_000);
  assert.equal(stage.socket.asked.length, 3);
});

test('a text acknowledged and without a result for 60 s after that is asked for by its id', async () => {
  const stage = await readyStage();
  const { ref, result } = stage.session.sign('Hello.');
  await stage.murmur(5_000);
  stage.socket.ack();
  await stage.murmur(59_999);
  assert.equal(stage.socket.asked.length, 1);
  await stage.murmur(1);
  assert.deepEqual(stage.socket.last, { type: 'result.fetch', id: ref });
  stage.socket.result(ref);
  assert.equal((await result).url, `https://media.example/${ref}.mp4`);
  assert.deepEqual(stage.errors, []);
});

for (const [answer, code] of [
  ['result_expired', 'result_expired'],
  ['a retryable error', 'render_failed'],
  ['an error that is not retryable', 'internal_error'],
] as const) {
  test(`a result.fetch answered by ${answer} has the text sent again`, async () => {
    const stage = await readyStage();
    const { ref, result } = stage.session.sign('Hello.');
    stage.socket.ack();
    await stage.murmur(60_000);
    stage.socket.error(code, {}, ref);
    assert.deepEqual(asked(stage), ['Hello.', 'result.fetch', 'Hello.']);
    stage.socket.result();
    assert.equal((await result).ref, ref);
    assert.deepEqual(stage.errors, [{ code: 'no_answer', severity: 'warning', ref }]);
  });
}

test('a result.fetch refused for the sake of pace is asked again', async () => {
  const stage = await readyStage();
  const { ref } = stage.session.sign('Hello.');
  stage.socket.ack();
  await stage.murmur(60_000);
  stage.socket.error('rate_limited', { retry_after_seconds: 4 }, ref);
  await stage.murmur(4_000);
  assert.deepEqual(asked(stage), ['Hello.', 'result.fetch', 'result.fetch']);
});

test('acknowledged and silent three times, fetches unanswered, is no_answer', async () => {
  const stage = await readyStage();
  const { result } = stage.session.sign('Hello.');
  const end = reasonOf(result);
  for (let tries = 0; tries < 3; tries += 1) {
    stage.socket.ack();
    await stage.murmur(60_000);
    await stage.murmur(10_000);
  }
  assert.equal(await end, 'no_answer');
  assert.deepEqual(asked(stage), [
    'Hello.',
    'result.fetch',
    'Hello.',
    'result.fetch',
    'Hello.',
    'result.fetch',
  ]);
});

test('silent tries and retryable errors share the three tries', async () => {
  const stage = await readyStage();
  const { result } = stage.session.sign('Hello.');
  const end = reasonOf(result);
  stage.socket.error('render_failed', { retry_after_seconds: 0 });
  await stage.murmur(10_000);
  assert.equal(stage.socket.asked.length, 3);
  stage.socket.error('render_failed');
  assert.equal(await end, 'render_failed');
});

test('a late result under the first id is taken as long as the text is open', async () => {
  const stage = await readyStage();
  const { ref, result } = stage.session.sign('Hello.');
  await stage.murmur(10_000);
  stage.socket.ack(ref);
  stage.socket.result(ref);
  assert.equal((await result).url, `https://media.example/${ref}.mp4`);
  assert.equal(stage.details('sign-accepted').length, 1);
  stage.socket.result(stage.socket.last.id);
  assert.equal(stage.details('sign-result').length, 1, 'the answer to the second try is ignored');
});

test('a late error under the first id says nothing about the try under way', async () => {
  const stage = await readyStage();
  const { ref, result } = stage.session.sign('Hello.');
  await stage.murmur(10_000);
  stage.socket.error('internal_error', {}, ref);
  stage.socket.result();
  assert.equal((await result).ref, ref);
  stage.socket.error('internal_error', {}, ref);
  assert.deepEqual(
    stage.errors.map(({ severity }) => severity),
    ['warning'],
  );
});

test('a try that a late result made needless keeps its slot until it is answered', async () => {
  const stage = await readyStage({ max_inflight: 1 });
  const { ref } = stage.session.sign('One.');
  void stage.session.sign('Two.');
  await stage.murmur(10_000);
  stage.socket.result(ref);
  assert.deepEqual(asked(stage), ['One.', 'One.']);
  stage.socket.result();
  assert.deepEqual(asked(stage), ['One.', 'One.', 'Two.']);
});

test('a late acknowledgement gives no slot back to a try that was given up', async () => {
  const stage = await readyStage({ max_inflight: 1 });
  const { ref } = stage.session.sign('One.');
  void stage.session.sign('Two.');
  await stage.murmur(10_000);
  stage.socket.ack(ref);
  stage.socket.result();
  assert.deepEqual(asked(stage), ['One.', 'One.', 'Two.']);
});

test('a second acknowledgement gives no more time', async () => {
  const stage = await readyStage();
  void stage.session.sign('Hello.');
  stage.socket.ack();
  await stage.murmur(30_000);
  stage.socket.ack();
  await stage.murmur(30_000);
  assert.deepEqual(asked(stage), ['Hello.', 'result.fetch']);
});

test('an acknowledgement is no answer to a result.fetch', async () => {
  const stage = await readyStage();
  void stage.session.sign('Hello.');
  stage.socket.ack();
  await stage.murmur(60_000);
  stage.socket.ack();
  await stage.murmur(10_000);
  assert.deepEqual(asked(stage), ['Hello.', 'result.fetch', 'Hello.']);
});

test('a silent text gives up its slot', async () => {
  const stage = await readyStage({ max_inflight: 1 });
  const { result } = stage.session.sign('One.');
  void stage.session.sign('Two.');
  const end = reasonOf(result);
  await stage.murmur(30_000);
  assert.equal(await end, 'no_answer');
  assert.equal(stage.socket.last.data, 'Two.');
});
