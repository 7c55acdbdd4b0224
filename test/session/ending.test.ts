// How a session ends when it is meant to: end(), and 120 s of nothing to do.
import assert from 'node:assert/strict';
import test from 'node:test';
import { promisesSettled } from './manual-clock.ts';
import { readyStage, reasonOf, Stage } from './stage.ts';

const summary = {
  type: 'session.summary',
  session_id: 'session-1',
  usage: { messages_processed: 1, later: true },
};
const states = (stage: Stage) => stage.details('sign-statechange').map(({ state }) => state);

test('end() sends session.end and resolves with the summary; then nothing is left', async () => {
  const stage = await readyStage();
  const ended = stage.session.end();
  assert.equal(stage.session.state, 'finalizing');
  assert.deepEqual(stage.socket.sent.at(-1), { type: 'session.end' });
  stage.socket.say(summary);
  const expected = { sessionId: 'session-1', usage: { messages_processed: 1, later: true } };
  assert.deepEqual(await ended, expected);
  assert.deepEqual(stage.details('sign-summary'), [expected]);
  assert.deepEqual(states(stage), ['connecting', 'ready', 'finalizing', 'ended']);
  stage.assertNothingLeft();
});

test('end() rejects unsent and unanswered texts and renewals with an AbortError, without a sign-error', async () => {
  const stage = await readyStage({ max_inflight: 2 });
  const [done, sent, unsent] = ['One.', 'Two.', 'Three.'].map((text) => stage.session.sign(text));
  assert.ok(done && sent && unsent);
  stage.socket.result(done.ref);
  const ends = [done.result, sent.result, unsent.result, stage.session.renew(done.ref)].map(reasonOf);
  void stage.session.end();
  assert.deepEqual(await Promise.all(ends), ['resolved', 'AbortError', 'AbortError', 'AbortError']);
  stage.socket.result(sent.ref);
  stage.socket.error('internal_error', {}, unsent.ref);
  assert.deepEqual(stage.errors, []);
  assert.equal(stage.details('sign-result').length, 1);
});

test('end() resolves with null after 5 s without a summary', async () => {
  const stage = await readyStage();
  let ended: unknown;
  void stage.session.end().then((value) => (ended = value));
  await stage.clock.advance(4_999);
  assert.equal(ended, undefined);
  await stage.clock.advance(1);
  assert.equal(ended, null);
  assert.equal(stage.session.state, 'ended');
  stage.assertNothingLeft();
});

test('end() resolves with null when the socket closes first', async () => {
  const stage = await readyStage();
  const ended = stage.session.end();
  stage.socket.drop();
  assert.equal(await ended, null);
  assert.equal(stage.session.state, 'ended');
  assert.deepEqual(stage.errors, []);
  stage.assertNothingLeft();
});

test('a session-severity error while finalizing ends it as well', async () => {
  const stage = await readyStage();
  const ended = stage.session.end();
  stage.socket.error('session_expired', {}, '');
  stage.socket.drop(1000);
  assert.equal(await ended, null);
  stage.assertNothingLeft();
});

for (const usage of [{}, { usage: null }, { usage: 'none' }]) {
  test(`end() resolves at a summary whose usage cannot be read, ${JSON.stringify(usage)}`, async () => {
    const stage = await readyStage();
    const ended = stage.session.end();
    stage.socket.say({ type: 'session.summary', session_id: 'session-1', ...usage });
    assert.deepEqual(await ended, { sessionId: 'session-1', usage: {} });
    assert.deepEqual(stage.errors, []);
    stage.assertNothingLeft();
  });
}

test('end() twice gives the same promise, also after the end', async () => {
  const stage = await readyStage();
  const first = stage.session.end();
  assert.equal(stage.session.end(), first);
  stage.socket.say(summary);
  await first;
  assert.equal(stage.session.end(), first);
  assert.equal(stage.socket.sent.filter(({ type }) => type === 'session.end').length, 1);
});

test('end() on idle resolves with null, opens nothing and stays idle', async () => {
  const stage = new Stage();
  const ended = stage.session.end();
  assert.equal(await ended, null);
  assert.equal(stage.session.end(), ended);
  assert.equal(stage.session.state, 'idle');
  assert.equal(stage.sockets.length, 0);
});

test('end() while connecting closes the socket and rejects connect() with an AbortError', async () => {
  const stage = new Stage();
  const connected = reasonOf(stage.session.connect());
  const signed = reasonOf(stage.session.sign('Hello.').result);
  assert.equal(await stage.session.end(), null);
  assert.deepEqual(await Promise.all([connected, signed]), ['AbortError', 'AbortError']);
  assert.deepEqual(states(stage), ['connecting', 'ended']);
  stage.assertNothingLeft();
});

test('end() after a failure resolves with null and stays failed', async () => {
  const stage = await readyStage();
  stage.socket.drop(1008, 'origin_refused');
  assert.equal(await stage.session.end(), null);
  assert.equal(stage.session.state, 'failed');
  stage.assertNothingLeft();
});

test('end() from within sign-ready leaves nothing', async () => {
  const stage = new Stage();
  const once = new AbortController();
  let ended: Promise<unknown> | undefined;
  stage.session.on(
    'sign-ready',
    () => {
      ended = stage.session.end();
      void stage.session.sign('Next.');
    },
    { signal: once.signal },
  );
  void stage.session.sign('Hello.');
  await stage.ready();
  assert.equal(stage.socket.asked.length, 0, 'what is signed after end() is for the session after');
  once.abort();
  stage.socket.say(summary);
  await ended;
  await stage.session.end();
  stage.assertNothingLeft();
});

test('end() with pauses, backoffs and watches running leaves nothing', async () => {
  const stage = await readyStage({ max_inflight: 5 });
  for (const text of ['One.', 'Two.', 'Three.']) void stage.session.sign(text);
  const [one, two] = stage.socket.asked.map(({ id }) => id);
  stage.socket.error('render_failed', {}, one);
  stage.socket.error('backpressure', {}, two);
  void stage.session.end();
  stage.socket.say(summary);
  await promisesSettled();
  stage.assertNothingLeft();
});

test('a text signed after end() waits for the end and gets a session of its own', async () => {
  const stage = await readyStage();
  const ended = stage.session.end();
  const { result } = stage.session.sign('Next.');
  assert.equal(stage.sockets.length, 1);
  stage.socket.say(summary);
  assert.notEqual(await ended, null);
  assert.equal(stage.sockets.length, 2);
  await stage.ready();
  stage.socket.result();
  assert.equal((await result).text, 'Next.');
});

test('connect() while finalizing resolves with the session after', async () => {
  const stage = await readyStage();
  void stage.session.end();
  const connected = stage.session.connect();
  stage.socket.say(summary);
  await stage.ready();
  await connected;
  assert.equal(stage.session.state, 'ready');
  assert.equal(stage.sockets.length, 2);
});

test('a session that opened again ends again, with a promise of its own', async () => {
  const stage = await readyStage();
  const first = stage.session.end();
  stage.socket.drop();
  void stage.session.connect();
  await stage.ready();
  const second = stage.session.end();
  assert.notEqual(second, first);
  stage.socket.say(summary);
  assert.deepEqual((await second)?.usage, summary.usage);
});

test('120 s with nothing waiting or unanswered end the session; the next text opens one', async () => {
  const stage = await readyStage();
  void stage.session.sign('One.');
  await stage.clock.advance(5_000);
  stage.socket.ack();
  stage.socket.result();
  await stage.clock.advance(119_999);
  assert.equal(stage.session.state, 'ready');
  await stage.clock.advance(1);
  assert.equal(stage.session.state, 'finalizing');
  assert.deepEqual(stage.socket.sent.at(-1), { type: 'session.end' });
  stage.socket.say(summary);
  assert.equal(stage.session.state, 'ended');
  assert.equal(stage.details('sign-summary').length, 1);
  stage.assertNothingLeft();
  void stage.session.sign('Two.');
  assert.equal(stage.session.state, 'connecting');
});

test('a session that nobody uses ends as well, and a text in time keeps it', async () => {
  const stage = await readyStage();
  await stage.clock.advance(100_000);
  void stage.session.sign('One.');
  stage.socket.result();
  await stage.clock.advance(100_000);
  assert.equal(stage.session.state, 'ready');
  await stage.clock.advance(20_000);
  assert.equal(stage.session.state, 'finalizing');
});

test('a text signed while an idle session ends goes to the next one', async () => {
  const stage = await readyStage();
  await stage.clock.advance(120_000);
  void stage.session.sign('Next.');
  assert.deepEqual(stage.socket.asked, []);
  stage.socket.say(summary);
  await stage.ready();
  assert.deepEqual([stage.sockets.length, stage.socket.last.data], [2, 'Next.']);
});

test('an aborted text that is still unanswered keeps the session', async () => {
  const stage = await readyStage();
  const stop = new AbortController();
  void stage.session.sign('One.', { signal: stop.signal });
  stage.socket.ack();
  stop.abort();
  await stage.clock.advance(59_999);
  stage.socket.say({ type: 'session.summary', usage: {} });
  await stage.clock.advance(120_000);
  assert.equal(stage.session.state, 'ready', '60 s for its answer, then 120 s of nothing to do');
  await stage.clock.advance(1);
  assert.equal(stage.session.state, 'finalizing');
});

test('a socket that is slow to close reports nothing more, and is released when it has closed', async () => {
  const stage = await readyStage();
  const { socket } = stage;
  socket.close = () => {};
  const ended = stage.session.end();
  socket.say(summary);
  await ended;
  const before = stage.events.length;
  socket.say(summary);
  socket.error('session_expired', {}, '');
  socket.ready();
  assert.equal(stage.events.length, before);
  socket.drop();
  assert.equal(stage.events.length, before);
  stage.assertNothingLeft();
});

test('texts that wait for playback keep the session', async () => {
  const stage = await readyStage({}, { maxUnplayed: 1 });
  void stage.session.sign('One.');
  void stage.session.sign('Two.');
  stage.socket.result();
  await stage.clock.advance(600_000);
  assert.equal(stage.session.state, 'ready');
});

test('a summary that nobody asked for is told', async () => {
  const stage = await readyStage();
  stage.socket.say({ type: 'session.summary', usage: {} });
  assert.deepEqual(stage.details('sign-summary'), [{ sessionId: 'session-1', usage: {} }]);
  assert.equal(stage.session.state, 'ready');
});
