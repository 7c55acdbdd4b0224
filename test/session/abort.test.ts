// Texts that are taken back: by their signal, by clear().
import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import test from 'node:test';
import { readyStage, reasonOf, Stage } from './stage.ts';

const signs = (stage: Stage, texts: string[], signal?: AbortSignal) =>
  texts.map((text) => stage.session.sign(text, { signal }));

test('a signal that has aborted already: nothing is sent, nothing opened, no sign-error', async () => {
  const stage = new Stage();
  const { accepted, result } = stage.session.sign('Hello.', { signal: AbortSignal.abort() });
  assert.equal(await reasonOf(accepted), 'AbortError');
  assert.equal(await reasonOf(result), 'AbortError');
  assert.equal(stage.sockets.length, 0);
  assert.deepEqual(stage.errors, []);
});

test('the rejection is the signal’s own reason', async () => {
  const stage = new Stage();
  const stop = new AbortController();
  const { result } = stage.session.sign('Hello.', { signal: stop.signal });
  const reason = new Error('the page moved on');
  stop.abort(reason);
  await assert.rejects(result, reason);
});

test('an unsent text is removed, those around it go on', async () => {
  const stage = await readyStage({ max_inflight: 1 });
  const stop = new AbortController();
  signs(stage, ['One.']);
  const [two] = signs(stage, ['Two.'], stop.signal);
  signs(stage, ['Three.']);
  stop.abort();
  assert.equal(await reasonOf(two?.result ?? Promise.resolve()), 'AbortError');
  stage.socket.result();
  assert.equal(stage.socket.last.data, 'Three.');
});

test('of a sent text the result is ignored, and its slot stays taken until then', async () => {
  const stage = await readyStage({ max_inflight: 1 });
  const stop = new AbortController();
  const { ref, result } = stage.session.sign('One.', { signal: stop.signal });
  void stage.session.sign('Two.');
  stop.abort();
  assert.equal(await reasonOf(result), 'AbortError');
  assert.equal(stage.socket.asked.length, 1);
  stage.socket.ack(ref);
  stage.socket.result(ref);
  assert.equal(stage.socket.last.data, 'Two.');
  assert.deepEqual(stage.details('sign-accepted'), []);
  assert.deepEqual(stage.details('sign-result'), []);
});

test('of a sent text an error is ignored too, but its pace is kept', async () => {
  const stage = await readyStage({ max_inflight: 1 });
  const stop = new AbortController();
  const { ref } = stage.session.sign('One.', { signal: stop.signal });
  void stage.session.sign('Two.');
  stop.abort();
  stage.socket.error('backpressure', {}, ref);
  assert.deepEqual(stage.errors, []);
  await stage.clock.advance(1_999);
  assert.equal(stage.socket.asked.length, 1);
  await stage.clock.advance(1);
  assert.equal(stage.socket.last.data, 'Two.');
});

test('an aborted text that is never answered gives its slot back when its time is up, and is not resent', async () => {
  const stage = await readyStage({ max_inflight: 1 });
  const stop = new AbortController();
  void stage.session.sign('One.', { signal: stop.signal });
  void stage.session.sign('Two.');
  stop.abort();
  await stage.clock.advance(9_999);
  assert.equal(stage.socket.asked.length, 1);
  stage.socket.say({ type: 'session.summary', usage: {} });
  await stage.clock.advance(1);
  assert.deepEqual(
    stage.socket.asked.map(({ data }) => data),
    ['One.', 'Two.'],
  );
});

test('an aborted text counts against maxUnplayed only until it is answered', async () => {
  const stage = await readyStage({}, { maxUnplayed: 1 });
  const stop = new AbortController();
  const { ref } = stage.session.sign('One.', { signal: stop.signal });
  void stage.session.sign('Two.');
  stop.abort();
  assert.equal(stage.socket.asked.length, 1);
  stage.socket.result(ref);
  assert.equal(stage.socket.last.data, 'Two.');
});

test('an abort after the result changes nothing', async () => {
  const stage = await readyStage();
  const stop = new AbortController();
  const { result } = stage.session.sign('One.', { signal: stop.signal });
  stage.socket.result();
  stop.abort();
  assert.equal((await result).text, 'One.');
});

test('a text that is settled leaves no listener on its signal', async () => {
  const stage = await readyStage();
  const { signal } = new AbortController();
  const done = stage.session.sign('One.', { signal });
  stage.socket.result();
  const failed = stage.session.sign('Two.', { signal });
  stage.socket.error('internal_error');
  const renewed = stage.session.renew(done.ref, { signal });
  assert.equal(getEventListeners(signal, 'abort').length, 1);
  stage.socket.result();
  await Promise.allSettled([done.result, failed.result, renewed]);
  assert.equal(getEventListeners(signal, 'abort').length, 0);
});

test('a listener that aborts on sign-accepted gets no result', async () => {
  const stage = await readyStage();
  const stop = new AbortController();
  stage.session.on('sign-accepted', () => stop.abort());
  const { result } = stage.session.sign('One.', { signal: stop.signal });
  stage.socket.result();
  assert.equal(await reasonOf(result), 'AbortError');
  assert.deepEqual(stage.details('sign-result'), []);
});

test('clear() rejects unsent texts with an AbortError; what was sent goes on', async () => {
  const stage = await readyStage({ max_inflight: 1, max_text_length: 5 });
  const [begun, unsent, other] = signs(stage, ['One. Two.', 'Six.', 'Ten.']);
  assert.ok(begun && unsent && other);
  stage.session.clear();
  assert.deepEqual(await Promise.all([unsent, other].map(({ result }) => reasonOf(result))), [
    'AbortError',
    'AbortError',
  ]);
  stage.socket.result();
  assert.equal(stage.socket.last.data, 'Two.', 'a text that was begun is signed to its end');
  stage.socket.result();
  assert.equal((await begun.result).text, 'One. Two.');
  assert.deepEqual(stage.errors, []);
});

test('an aborted text that was under way is not asked for again', async () => {
  const stage = await readyStage();
  const stop = new AbortController();
  void stage.session.sign('Hello.', { signal: stop.signal });
  stage.socket.ack();
  stop.abort();
  stage.socket.drop();
  await stage.reconnected();
  assert.deepEqual(stage.asked[1], []);
});

test('a text aborted while there is no session is not sent on the next one', async () => {
  const stage = await readyStage();
  const stop = new AbortController();
  const { result } = stage.session.sign('One.', { signal: stop.signal });
  void stage.session.sign('Two.');
  stage.socket.drop();
  stop.abort();
  assert.equal(await reasonOf(result), 'AbortError');
  await stage.reconnected();
  assert.deepEqual(stage.asked[1], ['Two.']);
});

test('clear() while there is no session takes back what was never sent', async () => {
  const stage = await readyStage({ max_inflight: 1 });
  const [sent, unsent] = ['One.', 'Two.'].map((text) => stage.session.sign(text));
  stage.socket.drop();
  stage.session.clear();
  assert.equal(await reasonOf(unsent?.result ?? Promise.resolve()), 'AbortError');
  await stage.reconnected();
  assert.deepEqual(stage.asked[1], ['One.']);
  stage.socket.result();
  assert.equal((await sent?.result)?.text, 'One.');
});
