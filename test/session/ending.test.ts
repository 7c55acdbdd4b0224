// How a session ends without an error: by end(), and after 120 s without texts.
import assert from 'node:assert/strict';
import test from 'node:test';
import { promisesSettled } from '../promises-settled.ts';
import { readyHarness, reasonOf, Harness } from './harness.ts';

const summary = {
  type: 'session.summary',
  session_id: 'session-1',
  usage: { messages_processed: 1, later: true },
};
const states = (harness: Harness) => harness.details('sign-statechange').map(({ state }) => state);

test('end() sends session.end and resolves with the summary; then nothing is left', async () => {
  const harness = await readyHarness();
  const ended = harness.session.end();
  assert.equal(harness.session.state, 'finalizing');
  assert.deepEqual(harness.socket.sent.at(-1), { type: 'session.end' });
  harness.socket.say(summary);
  const expected = { sessionId: 'session-1', usage: { messages_processed: 1, later: true } };
  assert.deepEqual(await ended, expected);
  assert.deepEqual(harness.details('sign-summary'), [expected]);
  assert.deepEqual(states(harness), ['connecting', 'ready', 'finalizing', 'ended']);
  harness.assertNothingLeft();
});

test('end() rejects unsent and unanswered texts and renewals with an AbortError, without a sign-error', async () => {
  const harness = await readyHarness({ max_inflight: 2 });
  const [done, sent, unsent] = ['One.', 'Two.', 'Three.'].map((text) => harness.session.sign(text));
  assert.ok(done && sent && unsent);
  harness.socket.result(done.ref);
  const ends = [done.result, sent.result, unsent.result, harness.session.renew(done.ref)].map(reasonOf);
  void harness.session.end();
  assert.deepEqual(await Promise.all(ends), ['resolved', 'AbortError', 'AbortError', 'AbortError']);
  harness.socket.result(sent.ref);
  harness.socket.error('internal_error', {}, unsent.ref);
  assert.deepEqual(harness.errors, []);
  assert.equal(harness.details('sign-result').length, 1);
});

test('end() resolves with null after 5 s without a summary', async () => {
  const harness = await readyHarness();
  let ended: unknown;
  void harness.session.end().then((value) => (ended = value));
  await harness.clock.advance(4_999);
  assert.equal(ended, undefined);
  await harness.clock.advance(1);
  assert.equal(ended, null);
  assert.equal(harness.session.state, 'ended');
  harness.assertNothingLeft();
});

test('end() resolves with null when the socket closes first', async () => {
  const harness = await readyHarness();
  const ended = harness.session.end();
  harness.socket.drop();
  assert.equal(await ended, null);
  assert.equal(harness.session.state, 'ended');
  assert.deepEqual(harness.errors, []);
  harness.assertNothingLeft();
});

test('an error of severity session while finalizing resolves end() with null', async () => {
  const harness = await readyHarness();
  const ended = harness.session.end();
  harness.socket.error('session_expired', {}, '');
  harness.socket.drop(1000);
  assert.equal(await ended, null);
  harness.assertNothingLeft();
});

for (const usage of [{}, { usage: null }, { usage: 'none' }]) {
  test(`end() also resolves with a summary whose usage cannot be read, ${JSON.stringify(usage)}`, async () => {
    const harness = await readyHarness();
    const ended = harness.session.end();
    harness.socket.say({ type: 'session.summary', session_id: 'session-1', ...usage });
    assert.deepEqual(await ended, { sessionId: 'session-1', usage: {} });
    assert.deepEqual(harness.errors, []);
    harness.assertNothingLeft();
  });
}

test('end() twice gives the same promise, also after the end', async () => {
  const harness = await readyHarness();
  const first = harness.session.end();
  assert.equal(harness.session.end(), first);
  harness.socket.say(summary);
  await first;
  assert.equal(harness.session.end(), first);
  assert.equal(harness.socket.sent.filter(({ type }) => type === 'session.end').length, 1);
});

test('end() in state idle resolves with null, opens nothing and stays idle', async () => {
  const harness = new Harness();
  const ended = harness.session.end();
  assert.equal(await ended, null);
  assert.equal(harness.session.end(), ended);
  assert.equal(harness.session.state, 'idle');
  assert.equal(harness.sockets.length, 0);
});

test('end() while connecting closes the socket and rejects connect() with an AbortError', async () => {
  const harness = new Harness();
  const connected = reasonOf(harness.session.connect());
  const signed = reasonOf(harness.session.sign('Hello.').result);
  assert.equal(await harness.session.end(), null);
  assert.deepEqual(await Promise.all([connected, signed]), ['AbortError', 'AbortError']);
  assert.deepEqual(states(harness), ['connecting', 'ended']);
  harness.assertNothingLeft();
});

test('end() after a failure resolves with null and stays failed', async () => {
  const harness = await readyHarness();
  harness.socket.drop(1008, 'origin_refused');
  assert.equal(await harness.session.end(), null);
  assert.equal(harness.session.state, 'failed');
  harness.assertNothingLeft();
});

test('end() from within sign-ready leaves nothing', async () => {
  const harness = new Harness();
  const once = new AbortController();
  let ended: Promise<unknown> | undefined;
  harness.session.on(
    'sign-ready',
    () => {
      ended = harness.session.end();
      void harness.session.sign('Next.');
    },
    { signal: once.signal },
  );
  void harness.session.sign('Hello.');
  await harness.ready();
  assert.equal(harness.socket.asked.length, 0, 'what is signed after end() is for the session after');
  once.abort();
  harness.socket.say(summary);
  await ended;
  await harness.session.end();
  harness.assertNothingLeft();
});

test('end() while pauses, backoffs and time-outs run leaves nothing', async () => {
  const harness = await readyHarness({ max_inflight: 5 });
  for (const text of ['One.', 'Two.', 'Three.']) void harness.session.sign(text);
  const [one, two] = harness.socket.asked.map(({ id }) => id);
  harness.socket.error('render_failed', {}, one);
  harness.socket.error('backpressure', {}, two);
  void harness.session.end();
  harness.socket.say(summary);
  await promisesSettled();
  harness.assertNothingLeft();
});

test('a text signed after end() waits for the end and gets a session of its own', async () => {
  const harness = await readyHarness();
  const ended = harness.session.end();
  const { result } = harness.session.sign('Next.');
  assert.equal(harness.sockets.length, 1);
  harness.socket.say(summary);
  assert.notEqual(await ended, null);
  assert.equal(harness.sockets.length, 2);
  await harness.ready();
  harness.socket.result();
  assert.equal((await result).text, 'Next.');
});

test('connect() while finalizing resolves with the session after', async () => {
  const harness = await readyHarness();
  void harness.session.end();
  const connected = harness.session.connect();
  harness.socket.say(summary);
  await harness.ready();
  await connected;
  assert.equal(harness.session.state, 'ready');
  assert.equal(harness.sockets.length, 2);
});

test('end() of a second session returns a promise of its own', async () => {
  const harness = await readyHarness();
  const first = harness.session.end();
  harness.socket.drop();
  void harness.session.connect();
  await harness.ready();
  const second = harness.session.end();
  assert.notEqual(second, first);
  harness.socket.say(summary);
  assert.deepEqual((await second)?.usage, summary.usage);
});

test('120 s with nothing waiting or unanswered end the session; the next text opens one', async () => {
  const harness = await readyHarness();
  void harness.session.sign('One.');
  await harness.clock.advance(5_000);
  harness.socket.ack();
  harness.socket.result();
  await harness.clock.advance(119_999);
  assert.equal(harness.session.state, 'ready');
  await harness.clock.advance(1);
  assert.equal(harness.session.state, 'finalizing');
  assert.deepEqual(harness.socket.sent.at(-1), { type: 'session.end' });
  harness.socket.say(summary);
  assert.equal(harness.session.state, 'ended');
  assert.equal(harness.details('sign-summary').length, 1);
  harness.assertNothingLeft();
  void harness.session.sign('Two.');
  assert.equal(harness.session.state, 'connecting');
});

test('the 120 s begin anew with each text', async () => {
  const harness = await readyHarness();
  await harness.clock.advance(100_000);
  void harness.session.sign('One.');
  harness.socket.result();
  await harness.clock.advance(100_000);
  assert.equal(harness.session.state, 'ready');
  await harness.clock.advance(20_000);
  assert.equal(harness.session.state, 'finalizing');
});

test('a text signed while an idle session ends goes to the next one', async () => {
  const harness = await readyHarness();
  await harness.clock.advance(120_000);
  void harness.session.sign('Next.');
  assert.deepEqual(harness.socket.asked, []);
  harness.socket.say(summary);
  await harness.ready();
  assert.deepEqual([harness.sockets.length, harness.socket.last.data], [2, 'Next.']);
});

test('an aborted text that is still unanswered keeps the session', async () => {
  const harness = await readyHarness();
  const stop = new AbortController();
  void harness.session.sign('One.', { signal: stop.signal });
  harness.socket.ack();
  stop.abort();
  await harness.clock.advance(59_999);
  harness.socket.say({ type: 'session.summary', usage: {} });
  await harness.clock.advance(120_000);
  assert.equal(harness.session.state, 'ready', '60 s for its answer, then 120 s of nothing to do');
  await harness.clock.advance(1);
  assert.equal(harness.session.state, 'finalizing');
});

test('a socket that is slow to close reports nothing more, and is released when it has closed', async () => {
  const harness = await readyHarness();
  const { socket } = harness;
  socket.close = () => {};
  const ended = harness.session.end();
  socket.say(summary);
  await ended;
  const before = harness.events.length;
  socket.say(summary);
  socket.error('session_expired', {}, '');
  socket.ready();
  assert.equal(harness.events.length, before);
  socket.drop();
  assert.equal(harness.events.length, before);
  harness.assertNothingLeft();
});

test('texts that wait for playback keep the session', async () => {
  const harness = await readyHarness({}, { maxUnplayed: 1 });
  void harness.session.sign('One.');
  void harness.session.sign('Two.');
  harness.socket.result();
  await harness.clock.advance(600_000);
  assert.equal(harness.session.state, 'ready');
});

test('a summary without a session.end is reported', async () => {
  const harness = await readyHarness();
  harness.socket.say({ type: 'session.summary', usage: {} });
  assert.deepEqual(harness.details('sign-summary'), [{ sessionId: 'session-1', usage: {} }]);
  assert.equal(harness.session.state, 'ready');
});
