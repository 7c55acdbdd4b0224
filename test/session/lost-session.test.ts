// A session that goes without being asked to: everything that waits rejects with the reason.
import assert from 'node:assert/strict';
import test from 'node:test';
import { readyStage, reasonOf, Stage } from './stage.ts';

const closings: [code: number, reason: string, expected: string][] = [
  [1000, '', 'session_failed'],
  [1005, '', 'session_failed'],
  [1006, '', 'session_failed'],
  [1008, '', 'invalid_request'],
  [1008, 'origin_refused', 'origin_refused'],
  [1008, 'rate_limited', 'rate_limited'],
  [1009, '', 'invalid_request'],
  [1011, '', 'upstream_unreachable'],
  [1011, 'session_failed', 'session_failed'],
  [1011, 'toString', 'upstream_unreachable'],
  [1012, 'restarting', 'session_failed'],
  [1013, 'overloaded', 'session_failed'],
  [1013, 'too_many_sockets', 'too_many_sockets'],
  [4999, 'whatever', 'session_failed'],
];

for (const [code, reason, expected] of closings) {
  test(`a socket closed with ${code} "${reason}" is ${expected}`, async () => {
    const stage = await readyStage();
    const sent = stage.session.sign('Sent.');
    const ends = [reasonOf(sent.accepted), reasonOf(sent.result)];
    stage.socket.drop(code, reason);
    assert.deepEqual(await Promise.all(ends), [expected, expected]);
    assert.equal(stage.session.state, 'failed');
    assert.deepEqual(stage.errors, [{ code: expected, severity: 'session', ref: undefined }]);
    stage.assertNothingLeft();
  });
}

test('a close before session.ready is read the same way, without asking over HTTP', async () => {
  let asked = 0;
  const stage = new Stage({
    fetch: () => {
      asked += 1;
      return Promise.reject(new TypeError());
    },
  });
  const reason = reasonOf(stage.session.connect());
  stage.socket.open();
  stage.socket.drop(1011, 'upstream_unreachable');
  assert.equal(await reason, 'upstream_unreachable');
  assert.equal(asked, 0);
});

test('the error of a lost session quotes the session', async () => {
  const stage = await readyStage();
  stage.socket.drop();
  assert.equal(stage.details('sign-error')[0]?.error.requestId, 'session-1');
});

test('sent, waiting and renewing texts all reject; what was answered stays answered', async () => {
  const stage = await readyStage({ max_inflight: 2 });
  const [done, sent, waiting] = ['One.', 'Two.', 'Three.'].map((text) => stage.session.sign(text));
  assert.ok(done && sent && waiting);
  stage.socket.result(done.ref);
  const renewed = stage.session.renew(done.ref);
  const ends = [done.result, sent.result, waiting.result, renewed].map(reasonOf);
  stage.socket.drop();
  assert.deepEqual(await Promise.all(ends), [
    'resolved',
    'session_failed',
    'session_failed',
    'session_failed',
  ]);
});

for (const code of ['session_expired', 'gloss_unavailable']) {
  test(`${code} ends the session, whichever text it names`, async () => {
    const stage = await readyStage();
    const [one, two] = ['One.', 'Two.'].map((text) => stage.session.sign(text));
    assert.ok(one && two);
    const ends = [one, two].map(({ result }) => reasonOf(result));
    stage.socket.error(code, {}, one.ref);
    assert.deepEqual(await Promise.all(ends), [code, code]);
    assert.equal(stage.session.state, 'failed');
    assert.deepEqual(stage.errors, [{ code, severity: 'session', ref: undefined }]);
    stage.assertNothingLeft();
  });
}

test('an error of severity session ends the session even when it names no text', async () => {
  const stage = await readyStage();
  stage.socket.error('internal_error', { severity: 'session' }, '');
  assert.equal(stage.session.state, 'failed');
  assert.deepEqual(stage.errors, [{ code: 'internal_error', severity: 'session', ref: undefined }]);
});

test('a text signed from within the news of the failure is not lost with the others', async () => {
  const stage = await readyStage();
  let again: ReturnType<typeof stage.session.sign> | undefined;
  stage.session.on('sign-statechange', ({ state }) => {
    if (state === 'failed') again = stage.session.sign('Again.');
  });
  stage.socket.drop();
  await stage.ready();
  stage.socket.ack();
  stage.socket.result();
  assert.equal((await again?.result)?.text, 'Again.');
});
