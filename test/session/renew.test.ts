// Renewals: a new result for a text whose media is refused or expired.
import assert from 'node:assert/strict';
import test from 'node:test';
import { readyHarness, reasonOf, type Harness } from './harness.ts';

/** Signs a text to its results; returns its ref. */
async function signed(harness: Harness, text = 'Hello.'): Promise<string> {
  const { ref, result } = harness.session.sign(text);
  const before = harness.socket.asked.length;
  for (const { id } of harness.socket.asked.slice(before - 1)) harness.socket.result(id);
  await result;
  return ref;
}

/** Checks that the text of a renewal was signed again, under a new id that the next renewal fetches. */
async function assertSignedAgain(
  { session, socket }: Harness,
  ref: string,
  renewed: ReturnType<Harness['session']['renew']>,
): Promise<void> {
  const again = socket.last;
  assert.equal(again.data, 'Hello.');
  assert.notEqual(again.id, ref);
  socket.ack();
  socket.result();
  assert.equal((await renewed).url, `https://media.example/${again.id}.mp4`);
  assert.equal((await renewed).ref, ref);
  void session.renew(ref);
  assert.deepEqual(socket.last, { type: 'result.fetch', id: again.id });
}

test('the result is fetched by the id of its first message', async () => {
  const harness = await readyHarness();
  const ref = await signed(harness);
  const renewed = harness.session.renew(ref);
  assert.deepEqual(harness.socket.last, { type: 'result.fetch', id: ref });
  harness.socket.say({ type: 'result', ref, url: 'https://media.example/fresh.mp4', duration_seconds: 2 });
  assert.deepEqual(await renewed, {
    ref,
    text: 'Hello.',
    url: 'https://media.example/fresh.mp4',
    expiresAt: null,
    durationSeconds: 2,
    pipelineMs: null,
    partIndex: 0,
    partCount: 1,
  });
  assert.equal(harness.details('sign-result').length, 1, 'a renewal fires no sign-result');
});

test('a result that the service no longer has is signed again under a new id, without an event', async () => {
  const harness = await readyHarness();
  const ref = await signed(harness);
  const renewed = harness.session.renew(ref);
  harness.socket.error('result_expired');
  await assertSignedAgain(harness, ref, renewed);
  assert.deepEqual(harness.errors, []);
  assert.equal(harness.details('sign-accepted').length, 1);
});

test('the text of a result that needs a second renewal is signed again', async () => {
  const harness = await readyHarness();
  const ref = await signed(harness);
  const fetched = harness.session.renew(ref);
  harness.socket.result(ref);
  await fetched;

  const renewed = harness.session.renew(ref);
  await assertSignedAgain(harness, ref, renewed);
});

test('when a fetch is not answered in 10 s, the text is signed again', async () => {
  const harness = await readyHarness();
  const ref = await signed(harness);
  void harness.session.renew(ref);
  await harness.murmur(10_000);
  assert.equal(harness.socket.last.data, 'Hello.');
});

test('a renewal rejects after three failed tries', async () => {
  const harness = await readyHarness();
  const ref = await signed(harness);
  const end = reasonOf(harness.session.renew(ref));
  harness.socket.error('result_expired');
  await harness.murmur(30_000);
  assert.equal(await end, 'no_answer');
  assert.deepEqual(
    harness.socket.asked.map(({ data }) => data),
    ['Hello.', undefined, 'Hello.', 'Hello.', 'Hello.'],
  );
});

test('each part is renewed by itself, also while other parts of its text are pending', async () => {
  const harness = await readyHarness({ max_text_length: 5 });
  const { ref } = harness.session.sign('One. Two.');
  const [one, two] = harness.socket.asked.map(({ id }) => id);
  harness.socket.result(two);
  const renewed = harness.session.renew(ref, { partIndex: 1 });
  assert.deepEqual(harness.socket.last, { type: 'result.fetch', id: two });
  harness.socket.result(two);
  const { text, partIndex, partCount } = await renewed;
  assert.deepEqual([text, partIndex, partCount], ['Two.', 1, 2]);
  assert.equal(await reasonOf(harness.session.renew(ref, { partIndex: 0 })), 'invalid_request');
  harness.socket.result(one);
});

for (const [what, ref, partIndex] of [
  ['an unknown ref', 'unknown', 0],
  ['an unknown part', 'known', 1],
] as const) {
  test(`${what} rejects invalid_request`, async () => {
    const harness = await readyHarness();
    harness.session.sign('Hello.', { ref: 'known' });
    harness.socket.result();
    assert.equal(await reasonOf(harness.session.renew(ref, { partIndex })), 'invalid_request');
    assert.equal(harness.socket.asked.length, 1);
  });
}

test('a renewal is sent before waiting texts and needs no slot of maxUnplayed', async () => {
  const harness = await readyHarness({ max_inflight: 1 }, { maxUnplayed: 1 });
  const ref = await signed(harness);
  void harness.session.sign('Next.');
  void harness.session.renew(ref);
  assert.deepEqual(harness.socket.last, { type: 'result.fetch', id: ref });
});

test('two renewals of one result are sent one after the other, each with its own answer', async () => {
  const harness = await readyHarness();
  const ref = await signed(harness);
  const both = Promise.all([harness.session.renew(ref), harness.session.renew(ref)]);
  assert.equal(harness.socket.asked.length, 2);
  harness.socket.result(ref);
  assert.equal(harness.socket.asked.length, 3);
  harness.socket.result(ref);
  assert.equal((await both).length, 2);
});

test('a renewal opens a session when there is none', async () => {
  const harness = await readyHarness();
  const ref = await signed(harness);
  const ended = harness.session.end();
  harness.socket.drop(1000);
  await ended;
  const renewed = harness.session.renew(ref);
  await harness.ready();
  assert.deepEqual(harness.socket.asked, [{ type: 'result.fetch', id: ref }]);
  harness.socket.result(ref);
  assert.equal((await renewed).ref, ref);
});

test('an aborted renewal is not sent, and one that was sent is not resent', async () => {
  const harness = await readyHarness({ max_inflight: 1 });
  const ref = await signed(harness);
  const stop = new AbortController();
  const sent = harness.session.renew(ref, { signal: stop.signal });
  const unsent = harness.session.renew(ref, { signal: stop.signal });
  stop.abort();
  assert.deepEqual(await Promise.all([reasonOf(sent), reasonOf(unsent)]), ['AbortError', 'AbortError']);
  harness.socket.error('result_expired', {}, ref);
  await harness.clock.advance(60_000);
  assert.equal(harness.socket.asked.length, 2);
});

test('the last 1,024 texts can be renewed, an older one only while it is not played', async () => {
  const harness = await readyHarness({ max_messages_per_minute: 10_000 }, { maxUnplayed: 100 });
  const first = await signed(harness);
  const second = await signed(harness);
  harness.session.played(first);
  for (let count = 0; count < 1_024; count += 1) harness.session.played(await signed(harness));
  assert.equal(await reasonOf(harness.session.renew(first)), 'invalid_request');
  const renewed = harness.session.renew(second);
  harness.socket.result();
  assert.equal((await renewed).ref, second);
  harness.session.played(second);
  await signed(harness);
  assert.equal(await reasonOf(harness.session.renew(second)), 'invalid_request');
});

test('without maxUnplayed the 1,025th text makes the first one unknown, played or not', async () => {
  const harness = await readyHarness({ max_messages_per_minute: 10_000 });
  const first = await signed(harness);
  for (let count = 0; count < 1_024; count += 1) await signed(harness);
  assert.equal(await reasonOf(harness.session.renew(first)), 'invalid_request');
});
