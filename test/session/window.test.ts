// The send window: unanswered messages, unplayed results, and messages in a minute.
import assert from 'node:assert/strict';
import test from 'node:test';
import { ManualClock } from './manual-clock.ts';
import { readyStage, reasonOf, Stage } from './stage.ts';

const texts = (count: number) => Array.from({ length: count }, (_, index) => `Text ${index}.`);

test('at most max_inflight texts are unanswered; a result frees a slot, an acknowledgement does not', async () => {
  const stage = await readyStage({ max_inflight: 2 });
  for (const text of texts(4)) void stage.session.sign(text);
  const [first] = stage.socket.asked;
  assert.equal(stage.socket.asked.length, 2);
  stage.socket.ack(first?.id);
  assert.equal(stage.socket.asked.length, 2);
  stage.socket.result(first?.id);
  assert.equal(stage.socket.asked.length, 3);
});

test('an error frees a slot, as a result does', async () => {
  const stage = await readyStage({ max_inflight: 1 });
  for (const text of texts(2)) void stage.session.sign(text);
  stage.socket.error('internal_error');
  assert.equal(stage.socket.last.data, 'Text 1.');
});

test('at most maxUnplayed texts are unanswered or unplayed; played() frees a slot', async () => {
  const stage = await readyStage({ max_inflight: 2 }, { maxUnplayed: 3 });
  const calls = texts(5).map((text) => stage.session.sign(text));
  for (const { id } of [...stage.socket.asked]) stage.socket.result(id);
  assert.equal(stage.socket.asked.length, 3, 'two unplayed and one unanswered');
  stage.socket.result();
  assert.equal(stage.socket.asked.length, 3);
  stage.session.played(calls[0]?.ref ?? '');
  assert.equal(stage.socket.asked.length, 4);
  stage.session.played(calls[0]?.ref ?? '');
  assert.equal(stage.socket.asked.length, 4, 'played twice frees once');
  stage.session.played(calls[3]?.ref ?? '');
  stage.session.played(calls[4]?.ref ?? '');
  stage.session.played('unknown');
  assert.equal(stage.socket.asked.length, 4, 'what has no result was not played');
});

test('each part takes a slot of its own', async () => {
  const stage = await readyStage({ max_text_length: 5 }, { maxUnplayed: 2 });
  const { ref } = stage.session.sign('One. Two. Six.');
  for (const { id } of [...stage.socket.asked]) stage.socket.result(id);
  assert.equal(stage.socket.asked.length, 2);
  stage.session.played(ref, 1);
  assert.equal(stage.socket.last.data, 'Six.');
});

test('a text in backoff keeps its slot, so that later texts cannot block it', async () => {
  const stage = await readyStage({ max_inflight: 1 }, { maxUnplayed: 2 });
  for (const text of texts(3)) void stage.session.sign(text);
  stage.socket.error('render_failed', { retry_after_seconds: 5 });
  stage.socket.result();
  assert.equal(stage.socket.asked.length, 2, 'the third waits: two places are taken');
  await stage.clock.advance(5_000);
  assert.equal(stage.socket.asked.length, 3);
  assert.equal(stage.socket.last.data, 'Text 0.');
});

test('a text that fails frees the slots of its answered parts', async () => {
  const stage = await readyStage({ max_text_length: 5, max_inflight: 2 }, { maxUnplayed: 2 });
  const { result } = stage.session.sign('One. Two.');
  void stage.session.sign('Next.');
  const [one, two] = stage.socket.asked.map(({ id }) => id);
  stage.socket.result(one);
  assert.equal(stage.socket.asked.length, 2);
  stage.socket.error('internal_error', {}, two);
  assert.equal(await reasonOf(result), 'internal_error');
  assert.equal(stage.socket.last.data, 'Next.');
});

test('never more than max_messages_per_minute in any 60 s, measured from the first answer to each message', async () => {
  const stage = await readyStage({ max_messages_per_minute: 2, max_inflight: 100 });
  void stage.session.sign('Text 0.');
  stage.socket.ack();
  await stage.clock.advance(10_000);
  for (const text of ['Text 1.', 'Text 2.', 'Text 3.']) void stage.session.sign(text);
  stage.socket.ack();
  const sent = () => stage.socket.asked.length;
  assert.equal(sent(), 2);
  await stage.clock.advance(49_999);
  assert.equal(sent(), 2);
  await stage.clock.advance(1);
  assert.equal(sent(), 3, '60 s after the first');
  stage.socket.result();
  await stage.clock.advance(9_999);
  assert.equal(sent(), 3);
  await stage.clock.advance(1);
  assert.equal(sent(), 4, '60 s after the second');
});

test('a minute that ends while the queue looks at the clock lets the next message go', async () => {
  // Time passes between two looks at a real clock, and a timer may fire a little early.
  for (let lookMs = 0.01; lookMs < 0.2; lookMs += 0.01) {
    const time = new ManualClock();
    let looks = 0;
    const clock = {
      now: () => time.now() + lookMs * (looks += 1),
      setTimeout: (run: () => void, delayMs: number) => time.setTimeout(run, Math.floor(delayMs)),
      clearTimeout: (timer: unknown) => time.clearTimeout(timer),
    };
    const stage = await readyStage({ max_messages_per_minute: 1 }, { clock });
    for (const text of texts(2)) void stage.session.sign(text);
    stage.socket.ack();
    stage.socket.result();
    await time.advance(60_000);
    assert.equal(stage.socket.asked.length, 2, `with ${lookMs} ms between two looks`);
  }
});

test('a slow message counts from its first answer; a later answer changes nothing', async () => {
  const stage = await readyStage({ max_messages_per_minute: 1 });
  void stage.session.sign('Text 0.');
  void stage.session.sign('Text 1.');
  await stage.clock.advance(3_000);
  stage.socket.ack();
  await stage.clock.advance(20_000);
  stage.socket.result();
  await stage.clock.advance(39_999);
  assert.equal(stage.socket.asked.length, 1);
  await stage.clock.advance(1);
  assert.equal(stage.socket.asked.length, 2, '60 s after the acknowledgement');
});

test('an unanswered message from before the machine slept counts from the time it wakes', async () => {
  const stage = await readyStage({ max_messages_per_minute: 1 });
  void stage.session.sign('Text 0.');
  void stage.session.sign('Text 1.');
  await stage.clock.sleep(60_000);
  assert.equal(stage.socket.asked.length, 1);
  stage.socket.result();
  await stage.clock.advance(59_999);
  assert.equal(stage.socket.asked.length, 1);
  await stage.clock.advance(1);
  assert.equal(stage.socket.asked.length, 2);
});

test('the second of two pauses does not shorten the first', async () => {
  const stage = await readyStage();
  stage.socket.error('rate_limited', { retry_after_seconds: 5 }, '');
  stage.socket.error('backpressure', { retry_after_seconds: 2 }, '');
  void stage.session.sign('Text 0.');
  await stage.clock.advance(4_999);
  assert.equal(stage.socket.asked.length, 0);
  await stage.clock.advance(1);
  assert.equal(stage.socket.asked.length, 1);
});

test('an unanswered message at the end of a session counts from the time the socket closes', async () => {
  const stage = await readyStage({ max_messages_per_minute: 1 });
  void stage.session.sign('Text 0.');
  void stage.session.end();
  void stage.session.sign('Text 1.');
  await stage.clock.advance(2_000);
  stage.socket.say({ type: 'session.summary', usage: {} });
  await stage.ready({ max_messages_per_minute: 1 });
  await stage.clock.advance(59_999);
  assert.equal(stage.socket.asked.length, 0);
  await stage.clock.advance(1);
  assert.equal(stage.socket.asked.length, 1);
});

test('a pause that a session requests while it ends applies to the next session', async () => {
  const stage = await readyStage();
  void stage.session.end();
  stage.socket.error('backpressure', { retry_after_seconds: 5 }, '');
  stage.socket.say({ type: 'session.summary', usage: {} });
  void stage.session.sign('Text 0.');
  await stage.ready();
  await stage.clock.advance(4_999);
  assert.equal(stage.socket.asked.length, 0);
  await stage.clock.advance(1);
  assert.equal(stage.socket.asked.length, 1);
});

test('a pause starts no timer while no text waits', async () => {
  const stage = await readyStage();
  const before = stage.clock.pending;
  stage.socket.error('rate_limited', { retry_after_seconds: 5 }, '');
  assert.equal(stage.clock.pending, before);
});

test('a new session does not restart the minute', async () => {
  const stage = await readyStage({ max_messages_per_minute: 1 });
  void stage.session.sign('Text 0.');
  await stage.clock.advance(1_000);
  stage.socket.drop();
  await stage.reconnected({ max_messages_per_minute: 1 });
  await stage.clock.advance(59_749);
  assert.equal(stage.socket.asked.length, 0, 'it may have arrived as late as the drop');
  await stage.clock.advance(1);
  assert.equal(stage.socket.asked.length, 1);
});

test('an answer during send() does not send the next text from within that call', async () => {
  const stage = new Stage();
  const results = texts(5).map((text) => stage.session.sign(text).result);
  const { socket } = stage;
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
  await stage.ready({ max_inflight: 1 });
  assert.deepEqual(
    (await Promise.all(results)).map(({ text }) => text),
    texts(5),
  );
  assert.equal(deepest, 1);
});
