// Renewals: a new result for a text whose media is refused or expired.
import assert from 'node:assert/strict';
import test from 'node:test';
import { readyStage, reasonOf, type Stage } from './stage.ts';

/** Signs a text to its results; gives its ref. */
async function signed(stage: Stage, text = 'Hello.'): Promise<string> {
  const { ref, result } = stage.session.sign(text);
  const before = stage.socket.asked.length;
  for (const { id } of stage.socket.asked.slice(before - 1)) stage.socket.result(id);
  await result;
  return ref;
}

test('the result is fetched by the id of its first message', async () => {
  const stage = await readyStage();
  const ref = await signed(stage);
  const renewed = stage.session.renew(ref);
  assert.deepEqual(stage.socket.last, { type: 'result.fetch', id: ref });
  stage.socket.say({ type: 'result', ref, url: 'https://media.example/fresh.mp4', duration_seconds: 2 });
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
  assert.equal(stage.details('sign-result').length, 1, 'a renewal fires no sign-result');
});

test('a result that the service no longer has is signed again under a new id, without an event', async () => {
  const stage = await readyStage();
  const ref = await signed(stage);
  const renewed = stage.session.renew(ref);
  stage.socket.error('result_expired');
  const again = stage.socket.last;
  assert.equal(again.data, 'Hello.');
  assert.notEqual(again.id, ref);
  stage.socket.ack();
  stage.socket.result();
  assert.equal((await renewed).url, `https://media.example/${again.id}.mp4`);
  assert.equal((await renewed).ref, ref);
  assert.deepEqual(stage.errors, []);
  assert.equal(stage.details('sign-accepted').length, 1);

  void stage.session.renew(ref);
  assert.deepEqual(
    stage.socket.last,
    { type: 'result.fetch', id: again.id },
    'the next one asks for the newest',
  );
});

test('the text of a result that needs a second renewal is signed again', async () => {
  const stage = await readyStage();
  const ref = await signed(stage);
  const fetched = stage.session.renew(ref);
  stage.socket.result(ref);
  await fetched;

  const renewed = stage.session.renew(ref);
  const again = stage.socket.last;
  assert.equal(again.data, 'Hello.');
  assert.notEqual(again.id, ref);
  stage.socket.ack();
  stage.socket.result();
  assert.equal((await renewed).url, `https://media.example/${again.id}.mp4`);

  void stage.session.renew(ref);
  assert.deepEqual(stage.socket.last, { type: 'result.fetch', id: again.id }, 'a new clip is fetched first');
});

test('when a fetch is not answered in 10 s, the text is signed again', async () => {
  const stage = await readyStage();
  const ref = await signed(stage);
  void stage.session.renew(ref);
  await stage.murmur(10_000);
  assert.equal(stage.socket.last.data, 'Hello.');
});

test('a renewal rejects after three failed tries', async () => {
  const stage = await readyStage();
  const ref = await signed(stage);
  const end = reasonOf(stage.session.renew(ref));
  stage.socket.error('result_expired');
  await stage.murmur(30_000);
  assert.equal(await end, 'no_answer');
  assert.deepEqual(
    stage.socket.asked.map(({ data }) => data),
    ['Hello.', undefined, 'Hello.', 'Hello.', 'Hello.'],
  );
});

test('each part is renewed by itself, also while other parts of its text are pending', async () => {
  const stage = await readyStage({ max_text_length: 5 });
  const { ref } = stage.session.sign('One. Two.');
  const [one, two] = stage.socket.asked.map(({ id }) => id);
  stage.socket.result(two);
  const renewed = stage.session.renew(ref, { partIndex: 1 });
  assert.deepEqual(stage.socket.last, { type: 'result.fetch', id: two });
  stage.socket.result(two);
  const { text, partIndex, partCount } = await renewed;
  assert.deepEqual([text, partIndex, partCount], ['Two.', 1, 2]);
  assert.equal(await reasonOf(stage.session.renew(ref, { partIndex: 0 })), 'invalid_request');
  stage.socket.result(one);
});

for (const [what, ref, partIndex] of [
  ['an unknown ref', 'unknown', 0],
  ['an unknown part', 'known', 1],
] as const) {
  test(`${what} rejects invalid_request`, async () => {
    const stage = await readyStage();
    stage.session.sign('Hello.', { ref: 'known' });
    stage.socket.result();
    assert.equal(await reasonOf(stage.session.renew(ref, { partIndex })), 'invalid_request');
    assert.equal(stage.socket.asked.length, 1);
  });
}

test('a renewal is sent before waiting texts and needs no slot of maxUnplayed', async () => {
  const stage = await readyStage({ max_inflight: 1 }, { maxUnplayed: 1 });
  const ref = await signed(stage);
  void stage.session.sign('Next.');
  void stage.session.renew(ref);
  assert.deepEqual(stage.socket.last, { type: 'result.fetch', id: ref });
});

test('two renewals of one result are sent one after the other, each with its own answer', async () => {
  const stage = await readyStage();
  const ref = await signed(stage);
  const both = Promise.all([stage.session.renew(ref), stage.session.renew(ref)]);
  assert.equal(stage.socket.asked.length, 2);
  stage.socket.result(ref);
  assert.equal(stage.socket.asked.length, 3);
  stage.socket.result(ref);
  assert.equal((await both).length, 2);
});

test('a renewal opens a session when there is none', async () => {
  const stage = await readyStage();
  const ref = await signed(stage);
  const ended = stage.session.end();
  stage.socket.drop(1000);
  await ended;
  const renewed = stage.session.renew(ref);
  await stage.ready();
  assert.deepEqual(stage.socket.asked, [{ type: 'result.fetch', id: ref }]);
  stage.socket.result(ref);
  assert.equal((await renewed).ref, ref);
});

test('an aborted renewal is not sent, and one that was sent is not resent', async () => {
  const stage = await readyStage({ max_inflight: 1 });
  const ref = await signed(stage);
  const stop = new AbortController();
  const sent = stage.session.renew(ref, { signal: stop.signal });
  const unsent = stage.session.renew(ref, { signal: stop.signal });
  stop.abort();
  assert.deepEqual(await Promise.all([reasonOf(sent), reasonOf(unsent)]), ['AbortError', 'AbortError']);
  stage.socket.error('result_expired', {}, ref);
  await stage.clock.advance(60_000);
  assert.equal(stage.socket.asked.length, 2);
});

test('the last 64 texts can be renewed, an older one only while it is not played', async () => {
  const stage = await readyStage({ max_messages_per_minute: 1000 }, { maxUnplayed: 100 });
  const first = await signed(stage);
  const second = await signed(stage);
  stage.session.played(first);
  for (let count = 0; count < 64; count += 1) stage.session.played(await signed(stage));
  assert.equal(await reasonOf(stage.session.renew(first)), 'invalid_request');
  const renewed = stage.session.renew(second);
  stage.socket.result();
  assert.equal((await renewed).ref, second);
  stage.session.played(second);
  await signed(stage);
  assert.equal(await reasonOf(stage.session.renew(second)), 'invalid_request');
});

test('without maxUnplayed the 65th text makes the first one unknown, played or not', async () => {
  const stage = await readyStage({ max_messages_per_minute: 1000 });
  const first = await signed(stage);
  for (let count = 0; count < 64; count += 1) await signed(stage);
  assert.equal(await reasonOf(stage.session.renew(first)), 'invalid_request');
});
