// Errors of severity session: another session follows, and what happens to the text that the error names.
import assert from 'node:assert/strict';
import test from 'node:test';
import { readyHarness, reasonOf, Harness } from './harness.ts';

for (const [code, seconds] of [
  ['session_expired', 0.25],
  ['gloss_unavailable', 30],
] as const) {
  test(`${code} opens another session after ${seconds} s, and the text that it names goes on there`, async () => {
    const harness = await readyHarness();
    const [one, two] = ['One.', 'Two.'].map((text) => harness.session.sign(text));
    harness.socket.error(code, {}, one?.ref);
    assert.equal(harness.session.state, 'reconnecting');
    assert.deepEqual(harness.errors, [{ code, severity: 'warning', ref: undefined }]);
    await harness.clock.advance(seconds * 1000 - 1);
    assert.equal(harness.sockets.length, 1);
    await harness.clock.advance(1);
    assert.equal(harness.sockets.length, 2);
    await harness.ready();
    assert.deepEqual(harness.asked[1], ['One.', 'Two.']);
    for (const { id } of [...harness.socket.asked]) harness.socket.result(id);
    assert.equal((await one?.result)?.text, 'One.');
    assert.equal((await two?.result)?.text, 'Two.');
  });
}

test('session_expired with nothing to sign ends quietly; the next text opens a session', async () => {
  const harness = await readyHarness();
  harness.socket.error('session_expired', {}, '');
  harness.socket.drop(1000);
  assert.deepEqual(harness.states, ['connecting', 'ready', 'ended']);
  assert.deepEqual(harness.errors, []);
  harness.assertNothingLeft();
  const { result } = harness.session.sign('Next.');
  await harness.ready();
  harness.socket.result();
  assert.equal((await result).text, 'Next.');
});

test('session_expired before session.ready with nothing left to sign ends too; the next text opens a session', async () => {
  const harness = new Harness();
  const stop = new AbortController();
  void harness.session.sign('Aborted.', { signal: stop.signal });
  stop.abort();
  harness.socket.open();
  harness.socket.error('session_expired', {}, '');
  assert.equal(harness.session.state, 'ended');
  void harness.session.sign('Next.');
  assert.equal(harness.sockets.length, 2);
});

test('an internal_error that ends the session rejects the text that it names, with the id of the session, and the other texts are signed', async () => {
  const harness = await readyHarness();
  const [one, two] = ['One.', 'Two.'].map((text) => harness.session.sign(text));
  const end = reasonOf(one?.result ?? Promise.resolve());
  harness.socket.error('internal_error', { severity: 'session' }, one?.ref);
  assert.equal(await end, 'internal_error');
  assert.deepEqual(
    harness
      .details('sign-error')
      .map(({ error: { requestId, severity }, ref }) => [requestId, severity, ref]),
    [
      ['session-1', 'message', one?.ref],
      ['session-1', 'warning', undefined],
    ],
  );
  await harness.reconnected();
  assert.deepEqual(harness.asked[1], ['Two.']);
  harness.socket.result();
  assert.equal((await two?.result)?.text, 'Two.');
});

test('an error of severity session opens another session even when it names no text', async () => {
  const harness = await readyHarness();
  harness.socket.error('internal_error', { severity: 'session' }, '');
  assert.equal(harness.session.state, 'reconnecting');
  assert.deepEqual(harness.errors, [{ code: 'internal_error', severity: 'warning', ref: undefined }]);
});
