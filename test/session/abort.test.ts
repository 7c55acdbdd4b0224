// Texts that are withdrawn by their signal or by clear().
import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import test from 'node:test';
import { readyHarness, reasonOf, Harness } from './harness.ts';

const signs = (harness: Harness, texts: string[], signal?: AbortSignal) =>
  texts.map((text) => harness.session.sign(text, { signal }));

test('a signal that has already aborted sends nothing, opens no socket and fires no sign-error', async () => {
  const harness = new Harness();
  const { accepted, result } = harness.session.sign('Hello.', { signal: AbortSignal.abort() });
  assert.equal(await reasonOf(accepted), 'AbortError');
  assert.equal(await reasonOf(result), 'AbortError');
  assert.equal(harness.sockets.length, 0);
  assert.deepEqual(harness.errors, []);
});

test('the rejection is the signal’s own reason', async () => {
  const harness = new Harness();
  const stop = new AbortController();
  const { result } = harness.session.sign('Hello.', { signal: stop.signal });
  const reason = new Error('the page moved on');
  stop.abort(reason);
  await assert.rejects(result, reason);
});

test('an aborted text that is unsent is removed, and the texts before and after it are signed', async () => {
  const harness = await readyHarness({ max_inflight: 1 });
  const stop = new AbortController();
  signs(harness, ['One.']);
  const [two] = signs(harness, ['Two.'], stop.signal);
  signs(harness, ['Three.']);
  stop.abort();
  assert.equal(await reasonOf(two?.result ?? Promise.resolve()), 'AbortError');
  harness.socket.result();
  assert.equal(harness.socket.last.data, 'Three.');
});

test('the result of an aborted text that was sent is ignored, and the text keeps its slot until the result comes', async () => {
  const harness = await readyHarness({ max_inflight: 1 });
  const stop = new AbortController();
  const { ref, result } = harness.session.sign('One.', { signal: stop.signal });
  void harness.session.sign('Two.');
  stop.abort();
  assert.equal(await reasonOf(result), 'AbortError');
  assert.equal(harness.socket.asked.length, 1);
  harness.socket.ack(ref);
  harness.socket.result(ref);
  assert.equal(harness.socket.last.data, 'Two.');
  assert.deepEqual(harness.details('sign-accepted'), []);
  assert.deepEqual(harness.details('sign-result'), []);
});

test('the error of an aborted text that was sent is ignored too, but the wait that the error asks for is kept', async () => {
  const harness = await readyHarness({ max_inflight: 1 });
  const stop = new AbortController();
  const { ref } = harness.session.sign('One.', { signal: stop.signal });
  void harness.session.sign('Two.');
  stop.abort();
  harness.socket.error('backpressure', {}, ref);
  assert.deepEqual(harness.errors, []);
  await harness.clock.advance(1_999);
  assert.equal(harness.socket.asked.length, 1);
  await harness.clock.advance(1);
  assert.equal(harness.socket.last.data, 'Two.');
});

test('an aborted text that is never answered gives its slot back when its time is up, and is not resent', async () => {
  const harness = await readyHarness({ max_inflight: 1 });
  const stop = new AbortController();
  void harness.session.sign('One.', { signal: stop.signal });
  void harness.session.sign('Two.');
  stop.abort();
  await harness.clock.advance(9_999);
  assert.equal(harness.socket.asked.length, 1);
  harness.socket.say({ type: 'session.summary', usage: {} });
  await harness.clock.advance(1);
  assert.deepEqual(
    harness.socket.asked.map(({ data }) => data),
    ['One.', 'Two.'],
  );
});

test('an aborted text counts against maxUnplayed only until it is answered', async () => {
  const harness = await readyHarness({}, { maxUnplayed: 1 });
  const stop = new AbortController();
  const { ref } = harness.session.sign('One.', { signal: stop.signal });
  void harness.session.sign('Two.');
  stop.abort();
  assert.equal(harness.socket.asked.length, 1);
  harness.socket.result(ref);
  assert.equal(harness.socket.last.data, 'Two.');
});

test('an abort after the result changes nothing', async () => {
  const harness = await readyHarness();
  const stop = new AbortController();
  const { result } = harness.session.sign('One.', { signal: stop.signal });
  harness.socket.result();
  stop.abort();
  assert.equal((await result).text, 'One.');
});

test('a text that is settled leaves no listener on its signal', async () => {
  const harness = await readyHarness();
  const { signal } = new AbortController();
  const done = harness.session.sign('One.', { signal });
  harness.socket.result();
  const failed = harness.session.sign('Two.', { signal });
  harness.socket.error('internal_error');
  const renewed = harness.session.renew(done.ref, { signal });
  assert.equal(getEventListeners(signal, 'abort').length, 1);
  harness.socket.result();
  await Promise.allSettled([done.result, failed.result, renewed]);
  assert.equal(getEventListeners(signal, 'abort').length, 0);
});

test('a listener that aborts on sign-accepted gets no result', async () => {
  const harness = await readyHarness();
  const stop = new AbortController();
  harness.session.on('sign-accepted', () => stop.abort());
  const { result } = harness.session.sign('One.', { signal: stop.signal });
  harness.socket.result();
  assert.equal(await reasonOf(result), 'AbortError');
  assert.deepEqual(harness.details('sign-result'), []);
});

test('clear() rejects unsent texts with an AbortError, and sent texts go on', async () => {
  const harness = await readyHarness({ max_inflight: 1, max_text_length: 5 });
  const [begun, unsent, other] = signs(harness, ['One. Two.', 'Six.', 'Ten.']);
  assert.ok(begun && unsent && other);
  harness.session.clear();
  assert.deepEqual(await Promise.all([unsent, other].map(({ result }) => reasonOf(result))), [
    'AbortError',
    'AbortError',
  ]);
  harness.socket.result();
  assert.equal(harness.socket.last.data, 'Two.', 'a text that was begun is signed to its end');
  harness.socket.result();
  assert.equal((await begun.result).text, 'One. Two.');
  assert.deepEqual(harness.errors, []);
});

test('the result of an aborted text is not fetched after a drop', async () => {
  const harness = await readyHarness();
  const stop = new AbortController();
  void harness.session.sign('Hello.', { signal: stop.signal });
  harness.socket.ack();
  stop.abort();
  harness.socket.drop();
  await harness.reconnected();
  assert.deepEqual(harness.asked[1], []);
});

test('a text aborted while there is no session is not sent on the next one', async () => {
  const harness = await readyHarness();
  const stop = new AbortController();
  const { result } = harness.session.sign('One.', { signal: stop.signal });
  void harness.session.sign('Two.');
  harness.socket.drop();
  stop.abort();
  assert.equal(await reasonOf(result), 'AbortError');
  await harness.reconnected();
  assert.deepEqual(harness.asked[1], ['Two.']);
});

test('clear() while there is no session rejects the texts that were never sent', async () => {
  const harness = await readyHarness({ max_inflight: 1 });
  const [sent, unsent] = ['One.', 'Two.'].map((text) => harness.session.sign(text));
  harness.socket.drop();
  harness.session.clear();
  assert.equal(await reasonOf(unsent?.result ?? Promise.resolve()), 'AbortError');
  await harness.reconnected();
  assert.deepEqual(harness.asked[1], ['One.']);
  harness.socket.result();
  assert.equal((await sent?.result)?.text, 'One.');
});
