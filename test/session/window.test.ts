// The send window: unanswered messages, unplayed results, and messages in a minute.
import assert from 'node:assert/strict';
import test from 'node:test';
import { ManualClock } from './manual-clock.ts';
import { readyHarness, reasonOf, Harness } from './harness.ts';
import { ServiceSession } from '../../src/session/service-session.ts';
import { Utterance } from '../../src/session/utterance.ts';

const texts = (count: number) => Array.from({ length: count }, (_, index) => `Text ${index}.`);

test('at most max_inflight texts are unanswered; a result frees a slot, an acknowledgement does not', async () => {
  const harness = await readyHarness({ max_inflight: 2 });
  for (const text of texts(4)) void harness.session.sign(text);
  const [first] = harness.socket.asked;
  assert.equal(harness.socket.asked.length, 2);
  harness.socket.ack(first?.id);
  assert.equal(harness.socket.asked.length, 2);
  harness.socket.result(first?.id);
  assert.equal(harness.socket.asked.length, 3);
});

test('an error frees a slot, as a result does', async () => {
  const harness = await readyHarness({ max_inflight: 1 });
  for (const text of texts(2)) void harness.session.sign(text);
  harness.socket.error('internal_error');
  assert.equal(harness.socket.last.data, 'Text 1.');
});

test('at most maxUnplayed texts are unanswered or unplayed; played() frees a slot', async () => {
  const harness = await readyHarness({ max_inflight: 2 }, { maxUnplayed: 3 });
  const calls = texts(5).map((text) => harness.session.sign(text));
  for (const { id } of [...harness.socket.asked]) harness.socket.result(id);
  assert.equal(harness.socket.asked.length, 3, 'two unplayed and one unanswered');
  harness.socket.result();
  assert.equal(harness.socket.asked.length, 3);
  harness.session.played(calls[0]?.ref ?? '');
  assert.equal(harness.socket.asked.length, 4);
  harness.session.played(calls[0]?.ref ?? '');
  assert.equal(harness.socket.asked.length, 4, 'played twice frees once');
  harness.session.played(calls[3]?.ref ?? '');
  harness.session.played(calls[4]?.ref ?? '');
  harness.session.played('unknown');
  assert.equal(harness.socket.asked.length, 4, 'what has no result was not played');
});

test('each part takes a slot of its own', async () => {
  const harness = await readyHarness({ max_text_length: 5 }, { maxUnplayed: 2 });
  const { ref } = harness.session.sign('One. Two. Six.');
  for (const { id } of [...harness.socket.asked]) harness.socket.result(id);
  assert.equal(harness.socket.asked.length, 2);
  harness.session.played(ref, 1);
  assert.equal(harness.socket.last.data, 'Six.');
});

test('whatever max_text_length allows, a message fits in the 64 kB that a proxy passes', async () => {
  const harness = await readyHarness({ max_text_length: 1_000_000, max_inflight: 10 });
  // As JSON each of its characters has six bytes.
  const text = Array.from({ length: 3 }, () => '\u0001'.repeat(9_990)).join(' ');
  void harness.session.sign(text);
  const { asked } = harness.socket;
  assert.equal(asked.map(({ data }) => data).join(' '), text);
  for (const frame of asked) assert.ok(JSON.stringify(frame).length <= 64 * 1024, 'a frame of 64 kB');
});

test('a text in backoff keeps its slot, so that later texts cannot block it', async () => {
  const harness = await readyHarness({ max_inflight: 1 }, { maxUnplayed: 2 });
  for (const text of texts(3)) void harness.session.sign(text);
  harness.socket.error('render_failed', { retry_after_seconds: 5 });
  harness.socket.result();
  assert.equal(harness.socket.asked.length, 2, 'the third waits: two places are taken');
  await harness.clock.advance(5_000);
  assert.equal(harness.socket.asked.length, 3);
  assert.equal(harness.socket.last.data, 'Text 0.');
});

test('a text that fails frees the slots of its answered parts', async () => {
  const harness = await readyHarness({ max_text_length: 5, max_inflight: 2 }, { maxUnplayed: 2 });
  const { result } = harness.session.sign('One. Two.');
  void harness.session.sign('Next.');
  const [one, two] = harness.socket.asked.map(({ id }) => id);
  harness.socket.result(one);
  assert.equal(harness.socket.asked.length, 2);
  harness.socket.error('internal_error', {}, two);
  assert.equal(await reasonOf(result), 'internal_error');
  assert.equal(harness.socket.last.data, 'Next.');
});

test('at most max_messages_per_minute messages are sent in any 60 s, measured from the first answer to each message', async () => {
  const harness = await readyHarness({ max_messages_per_minute: 2, max_inflight: 100 });
  void harness.session.sign('Text 0.');
  harness.socket.ack();
  await harness.clock.advance(10_000);
  for (const text of ['Text 1.', 'Text 2.', 'Text 3.']) void harness.session.sign(text);
  harness.socket.ack();
  const sent = () => harness.socket.asked.length;
  assert.equal(sent(), 2);
  await harness.clock.advance(49_999);
  assert.equal(sent(), 2);
  await harness.clock.advance(1);
  assert.equal(sent(), 3, '60 s after the first');
  harness.socket.result();
  await harness.clock.advance(9_999);
  assert.equal(sent(), 3);
  await harness.clock.advance(1);
  assert.equal(sent(), 4, '60 s after the second');
});

test('a minute that ends while the queue reads the clock allows the next message', async () => {
  // Time passes between two reads of a real clock, and a timer may fire a little early.
  for (let lookMs = 0.01; lookMs < 0.2; lookMs += 0.01) {
    const time = new ManualClock();
    let looks = 0;
    const clock = {
      now: () => time.now() + lookMs * (looks += 1),
      setTimeout: (run: () => void, delayMs: number) => time.setTimeout(run, Math.floor(delayMs)),
      clearTimeout: (timer: unknown) => time.clearTimeout(timer),
    };
    const harness = await readyHarness({ max_messages_per_minute: 1 }, { clock });
    for (const text of texts(2)) void harness.session.sign(text);
    harness.socket.ack();
    harness.socket.result();
    await time.advance(60_000);
    assert.equal(harness.socket.asked.length, 2, `with ${lookMs} ms between two looks`);
  }
});

test('a slow message counts from its first answer; a later answer changes nothing', async () => {
  const harness = await readyHarness({ max_messages_per_minute: 1 });
  void harness.session.sign('Text 0.');
  void harness.session.sign('Text 1.');
  await harness.clock.advance(3_000);
  harness.socket.ack();
  await harness.clock.advance(20_000);
  harness.socket.result();
  await harness.clock.advance(39_999);
  assert.equal(harness.socket.asked.length, 1);
  await harness.clock.advance(1);
  assert.equal(harness.socket.asked.length, 2, '60 s after the acknowledgement');
});

test('a result.fetch that the late result of its text answers counts 3 s longer, because it may still be under way', async () => {
  const harness = await readyHarness({ max_messages_per_minute: 2, max_inflight: 2 });
  void harness.session.sign('Text 0.');
  harness.socket.ack();
  await harness.murmur(60_000);
  const [text, fetch] = harness.socket.asked;
  assert.deepEqual([fetch?.type, fetch?.id], ['result.fetch', text?.id]);
  harness.socket.result(text?.id);
  for (const each of texts(2)) void harness.session.sign(each);
  const sent = () => harness.socket.asked.length;
  assert.equal(sent(), 3);
  await harness.murmur(62_999);
  assert.equal(sent(), 3);
  await harness.murmur(1);
  assert.equal(sent(), 4);
});

test('an unanswered message from before the machine slept counts from the time it wakes', async () => {
  const harness = await readyHarness({ max_messages_per_minute: 1 });
  void harness.session.sign('Text 0.');
  void harness.session.sign('Text 1.');
  await harness.clock.sleep(60_000);
  assert.equal(harness.socket.asked.length, 1);
  harness.socket.result();
  await harness.clock.advance(59_999);
  assert.equal(harness.socket.asked.length, 1);
  await harness.clock.advance(1);
  assert.equal(harness.socket.asked.length, 2);
});

test('the second of two pauses does not shorten the first', async () => {
  const harness = await readyHarness();
  harness.socket.error('rate_limited', { retry_after_seconds: 5 }, '');
  harness.socket.error('backpressure', { retry_after_seconds: 2 }, '');
  void harness.session.sign('Text 0.');
  await harness.clock.advance(4_999);
  assert.equal(harness.socket.asked.length, 0);
  await harness.clock.advance(1);
  assert.equal(harness.socket.asked.length, 1);
});

test('an unanswered message at the end of a session counts from the time the socket closes', async () => {
  const harness = await readyHarness({ max_messages_per_minute: 1 });
  void harness.session.sign('Text 0.');
  void harness.session.end();
  void harness.session.sign('Text 1.');
  await harness.clock.advance(2_000);
  harness.socket.say({ type: 'session.summary', usage: {} });
  await harness.ready({ max_messages_per_minute: 1 });
  await harness.clock.advance(59_999);
  assert.equal(harness.socket.asked.length, 0);
  await harness.clock.advance(1);
  assert.equal(harness.socket.asked.length, 1);
});

test('a pause that a session requests while it ends applies to the next session', async () => {
  const harness = await readyHarness();
  void harness.session.end();
  harness.socket.error('backpressure', { retry_after_seconds: 5 }, '');
  harness.socket.say({ type: 'session.summary', usage: {} });
  void harness.session.sign('Text 0.');
  await harness.ready();
  await harness.clock.advance(4_999);
  assert.equal(harness.socket.asked.length, 0);
  await harness.clock.advance(1);
  assert.equal(harness.socket.asked.length, 1);
});

test('a pause starts no timer while no text waits', async () => {
  const harness = await readyHarness();
  const before = harness.clock.pending;
  harness.socket.error('rate_limited', { retry_after_seconds: 5 }, '');
  assert.equal(harness.clock.pending, before);
});

test('a new session does not restart the minute', async () => {
  const harness = await readyHarness({ max_messages_per_minute: 1 });
  void harness.session.sign('Text 0.');
  await harness.clock.advance(1_000);
  harness.socket.drop();
  await harness.reconnected({ max_messages_per_minute: 1 });
  await harness.clock.advance(59_749);
  assert.equal(harness.socket.asked.length, 0, 'it may have arrived as late as the drop');
  await harness.clock.advance(1);
  assert.equal(harness.socket.asked.length, 1);
});

test('an answer during send() does not send the next text from within that call', async () => {
  const harness = new Harness();
  const results = texts(5).map((text) => harness.session.sign(text).result);
  const { socket } = harness;
  const send = socket.send.bind(socket);
  let depth = 0;
  let deepest = 0;
  socket.send = (data) => {
    send(data);
    if (socket.asked.length === 0) return;
    deepest = Math.max(deepest, (depth += 1));
    socket.result();
    depth -= 1;
  };
  await harness.ready({ max_inflight: 1 });
  assert.deepEqual(
    (await Promise.all(results)).map(({ text }) => text),
    texts(5),
  );
  assert.equal(deepest, 1);
});

test('a text far behind is not looked at for each text that is asked for or dropped before it: with 1,000 texts that stops a page', async () => {
  const harness = await readyHarness({ max_inflight: 1 }, { maxUnplayed: 2 });
  const waiting = texts(200).map((text) => new Utterance({ text }));
  const behind = waiting[150]!;
  let { parts } = behind;
  let looks = 0;
  Object.defineProperty(behind, 'parts', {
    get: () => (looks += 1) && parts,
    set(value: typeof parts) {
      parts = value;
    },
  });
  for (const utterance of waiting)
    void ServiceSession.prototype.sign.call(harness.session, utterance).result.catch(() => {});
  for (const utterance of [...waiting].reverse()) utterance.abort(new Error('cleared'));
  assert.ok(looks < 10, `${looks} times`);
  const { result } = harness.session.sign('Next.');
  harness.socket.result(waiting[0]!.ref);
  harness.socket.result();
  assert.equal((await result).text, 'Next.');
});
