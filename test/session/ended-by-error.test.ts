// Errors of severity session: another session follows, and what becomes of the text that the error names.
import assert from 'node:assert/strict';
import test from 'node:test';
import { readyStage, reasonOf, Stage } from './stage.ts';

for (const [code, seconds] of [
  ['session_expired', 0.25],
  ['gloss_unavailable', 30],
] as const) {
  test(`${code} opens another session after ${seconds} s, and the text it names goes on there`, async () => {
    const stage = await readyStage();
    const [one, two] = ['One.', 'Two.'].map((text) => stage.session.sign(text));
    stage.socket.error(code, {}, one?.ref);
    assert.equal(stage.session.state, 'reconnecting');
    assert.deepEqual(stage.errors, [{ code, severity: 'warning', ref: undefined }]);
    await stage.clock.advance(seconds * 1000 - 1);
    assert.equal(stage.sockets.length, 1);
    await stage.clock.advance(1);
    assert.equal(stage.sockets.length, 2);
    await stage.ready();
    assert.deepEqual(stage.asked[1], ['One.', 'Two.']);
    for (const { id } of [...stage.socket.asked]) stage.socket.result(id);
    assert.equal((await one?.result)?.text, 'One.');
    assert.equal((await two?.result)?.text, 'Two.');
  });
}

test('session_expired with nothing to sign ends quietly; the next text opens a session', async () => {
  const stage = await readyStage();
  stage.socket.error('session_expired', {}, '');
  stage.socket.drop(1000);
  assert.deepEqual(stage.states, ['connecting', 'ready', 'ended']);
  assert.deepEqual(stage.errors, []);
  stage.assertNothingLeft();
  const { result } = stage.session.sign('Next.');
  await stage.ready();
  stage.socket.result();
  assert.equal((await result).text, 'Next.');
});

test('session_expired before session.ready with nothing left to sign ends too; the next text opens a session', async () => {
  const stage = new Stage();
  const stop = new AbortController();
  void stage.session.sign('Aborted.', { signal: stop.signal });
  stop.abort();
  stage.socket.open();
  stage.socket.error('session_expired', {}, '');
  assert.equal(stage.session.state, 'ended');
  void stage.session.sign('Next.');
  assert.equal(stage.sockets.length, 2);
});

test('internal_error that ends the session rejects the text it names, quotes the session, and spares the others', async () => {
  const stage = await readyStage();
  const [one, two] = ['One.', 'Two.'].map((text) => stage.session.sign(text));
  const end = reasonOf(one?.result ?? Promise.resolve());
  stage.socket.error('internal_error', { severity: 'session' }, one?.ref);
  assert.equal(await end, 'internal_error');
  assert.deepEqual(
    stage.details('sign-error').map(({ error: { requestId, severity }, ref }) => [requestId, severity, ref]),
    [
      ['session-1', 'message', one?.ref],
      ['session-1', 'warning', undefined],
    ],
  );
  await stage.reconnected();
  assert.deepEqual(stage.asked[1], ['Two.']);
  stage.socket.result();
  assert.equal((await two?.result)?.text, 'Two.');
});

test('an error of severity session opens another session even when it names no text', async () => {
  const stage = await readyStage();
  stage.socket.error('internal_error', { severity: 'session' }, '');
  assert.equal(stage.session.state, 'reconnecting');
  assert.deepEqual(stage.errors, [{ code: 'internal_error', severity: 'warning', ref: undefined }]);
});
