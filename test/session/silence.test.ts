// A service that does not answer a text while it goes on with others: no text.ack in 10 s, no result in 60 s.
import assert from 'node:assert/strict';
import test from 'node:test';
import { readyHarness, reasonOf, type Harness } from './harness.ts';

const asked = (harness: Harness) => harness.socket.asked.map(({ type, data }) => data ?? type);

test('a text that is not acknowledged in 10 s is sent again under a fresh id', async () => {
  const harness = await readyHarness();
  const { ref, result } = harness.session.sign('Hello.');
  await harness.murmur(9_999);
  assert.equal(harness.socket.asked.length, 1);
  await harness.murmur(1);
  assert.deepEqual(asked(harness), ['Hello.', 'Hello.']);
  assert.notEqual(harness.socket.last.id, ref);
  assert.deepEqual(harness.errors, [{ code: 'no_answer', severity: 'warning', ref }]);
  harness.socket.ack();
  harness.socket.result();
  assert.equal((await result).ref, ref);
});

test('after three tries without an answer the text rejects no_answer', async () => {
  const harness = await readyHarness();
  const { ref, result } = harness.session.sign('Hello.');
  const end = reasonOf(result);
  await harness.murmur(29_999);
  assert.equal(harness.socket.asked.length, 3);
  await harness.murmur(1);
  assert.equal(await end, 'no_answer');
  assert.deepEqual(harness.errors.at(-1), { code: 'no_answer', severity: 'message', ref });
  await harness.murmur(60_000);
  assert.equal(harness.socket.asked.length, 3);
});

test('the result of a text that has none 60 s after its acknowledgement is fetched by its id', async () => {
  const harness = await readyHarness();
  const { ref, result } = harness.session.sign('Hello.');
  await harness.murmur(5_000);
  harness.socket.ack();
  await harness.murmur(59_999);
  assert.equal(harness.socket.asked.length, 1);
  await harness.murmur(1);
  assert.deepEqual(harness.socket.last, { type: 'result.fetch', id: ref });
  harness.socket.result(ref);
  assert.equal((await result).url, `https://media.example/${ref}.mp4`);
  assert.deepEqual(harness.errors, []);
});

test('when a result.fetch is answered by an error, the text is sent again', async () => {
  const harness = await readyHarness();
  const { ref, result } = harness.session.sign('Hello.');
  harness.socket.ack();
  await harness.murmur(60_000);
  harness.socket.error('result_expired', {}, ref);
  assert.deepEqual(asked(harness), ['Hello.', 'result.fetch', 'Hello.']);
  harness.socket.result();
  assert.equal((await result).ref, ref);
  assert.deepEqual(harness.errors, [{ code: 'no_answer', severity: 'warning', ref }]);
});

test('a result.fetch refused with a pacing code is sent again', async () => {
  const harness = await readyHarness();
  const { ref } = harness.session.sign('Hello.');
  harness.socket.ack();
  await harness.murmur(60_000);
  harness.socket.error('rate_limited', { retry_after_seconds: 4 }, ref);
  await harness.murmur(4_000);
  assert.deepEqual(asked(harness), ['Hello.', 'result.fetch', 'result.fetch']);
});

test('after three acknowledgements without a result, and fetches without an answer, the text rejects no_answer', async () => {
  const harness = await readyHarness();
  const { result } = harness.session.sign('Hello.');
  const end = reasonOf(result);
  for (let tries = 0; tries < 3; tries += 1) {
    harness.socket.ack();
    await harness.murmur(60_000);
    await harness.murmur(10_000);
  }
  assert.equal(await end, 'no_answer');
  assert.deepEqual(asked(harness), [
    'Hello.',
    'result.fetch',
    'Hello.',
    'result.fetch',
    'Hello.',
    'result.fetch',
  ]);
});

test('silent tries and retryable errors share the three tries', async () => {
  const harness = await readyHarness();
  const { result } = harness.session.sign('Hello.');
  const end = reasonOf(result);
  harness.socket.error('render_failed', { retry_after_seconds: 0 });
  await harness.murmur(10_000);
  assert.equal(harness.socket.asked.length, 3);
  harness.socket.error('render_failed');
  assert.equal(await end, 'render_failed');
});

test('a late result under the first id is accepted as long as the text is open', async () => {
  const harness = await readyHarness();
  const { ref, result } = harness.session.sign('Hello.');
  await harness.murmur(10_000);
  harness.socket.ack(ref);
  harness.socket.result(ref);
  assert.equal((await result).url, `https://media.example/${ref}.mp4`);
  assert.equal(harness.details('sign-accepted').length, 1);
  harness.socket.result(harness.socket.last.id);
  assert.equal(harness.details('sign-result').length, 1, 'the answer to the second try is ignored');
});

test('a late error under the first id does not change the try under way', async () => {
  const harness = await readyHarness();
  const { ref, result } = harness.session.sign('Hello.');
  await harness.murmur(10_000);
  harness.socket.error('internal_error', {}, ref);
  harness.socket.result();
  assert.equal((await result).ref, ref);
  harness.socket.error('internal_error', {}, ref);
  assert.deepEqual(
    harness.errors.map(({ severity }) => severity),
    ['warning'],
  );
});

test('a try that a late result made needless keeps its slot until it is answered', async () => {
  const harness = await readyHarness({ max_inflight: 1 });
  const { ref } = harness.session.sign('One.');
  void harness.session.sign('Two.');
  await harness.murmur(10_000);
  harness.socket.result(ref);
  assert.deepEqual(asked(harness), ['One.', 'One.']);
  harness.socket.result();
  assert.deepEqual(asked(harness), ['One.', 'One.', 'Two.']);
});

test('a late acknowledgement gives no slot back to a try that was given up', async () => {
  const harness = await readyHarness({ max_inflight: 1 });
  const { ref } = harness.session.sign('One.');
  void harness.session.sign('Two.');
  await harness.murmur(10_000);
  harness.socket.ack(ref);
  harness.socket.result();
  assert.deepEqual(asked(harness), ['One.', 'One.', 'Two.']);
});

test('a second acknowledgement does not extend the time for the result', async () => {
  const harness = await readyHarness();
  void harness.session.sign('Hello.');
  harness.socket.ack();
  await harness.murmur(30_000);
  harness.socket.ack();
  await harness.murmur(30_000);
  assert.deepEqual(asked(harness), ['Hello.', 'result.fetch']);
});

test('an acknowledgement is no answer to a result.fetch', async () => {
  const harness = await readyHarness();
  void harness.session.sign('Hello.');
  harness.socket.ack();
  await harness.murmur(60_000);
  harness.socket.ack();
  await harness.murmur(10_000);
  assert.deepEqual(asked(harness), ['Hello.', 'result.fetch', 'Hello.']);
});

test('a silent text gives up its slot', async () => {
  const harness = await readyHarness({ max_inflight: 1 });
  const { result } = harness.session.sign('One.');
  void harness.session.sign('Two.');
  const end = reasonOf(result);
  await harness.murmur(30_000);
  assert.equal(await end, 'no_answer');
  assert.equal(harness.socket.last.data, 'Two.');
});
