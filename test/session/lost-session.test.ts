// A session that is lost at every stage of a text: the next session continues from there.
import assert from 'node:assert/strict';
import test from 'node:test';
import { readyStage, reasonOf, Stage } from './stage.ts';

const closings: [code: number, reason: string, expected: string][] = [
  [1000, '', 'session_failed'],
  [1005, '', 'session_failed'],
  [1006, '', 'session_failed'],
  [1008, '', 'invalid_request'],
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
  test(`a socket closed with ${code} "${reason}" causes a warning, ${expected}, and the text is signed`, async () => {
    const stage = await readyStage();
    const { ref, result } = stage.session.sign('Sent.');
    stage.socket.drop(code, reason);
    assert.equal(stage.session.state, 'reconnecting');
    assert.deepEqual(stage.errors, [{ code: expected, severity: 'warning', ref: undefined }]);
    await stage.reconnected();
    stage.socket.result();
    assert.equal((await result).ref, ref);
    assert.deepEqual(stage.states, ['connecting', 'ready', 'reconnecting', 'ready']);
  });
}

test('a socket closed with origin_refused fails the session: this proxy does not serve this page', async () => {
  const stage = await readyStage();
  const sent = stage.session.sign('Sent.');
  const ends = [reasonOf(sent.accepted), reasonOf(sent.result)];
  stage.socket.drop(1008, 'origin_refused');
  assert.deepEqual(await Promise.all(ends), ['origin_refused', 'origin_refused']);
  assert.equal(stage.session.state, 'failed');
  assert.deepEqual(stage.errors, [{ code: 'origin_refused', severity: 'session', ref: undefined }]);
  stage.assertNothingLeft();
});

test('the error of a lost session has the session id', async () => {
  const stage = await readyStage();
  stage.socket.drop();
  assert.equal(stage.details('sign-error')[0]?.error.requestId, 'session-1');
});

test('lost before session.ready: the text is sent once, on the session that becomes ready', async () => {
  const stage = new Stage();
  const { ref, result } = stage.session.sign('Hello.');
  stage.socket.open();
  stage.socket.drop();
  await stage.reconnected();
  assert.deepEqual(stage.asked, [[], ['Hello.']]);
  assert.equal(stage.socket.last.id, ref);
  stage.socket.result();
  assert.equal((await result).ref, ref);
});

test('lost after sending: the text is sent again, under a new id', async () => {
  const stage = await readyStage();
  const { ref, result } = stage.session.sign('Hello.');
  stage.socket.drop();
  await stage.reconnected();
  assert.deepEqual(stage.asked, [['Hello.'], ['Hello.']]);
  assert.notEqual(stage.socket.last.id, ref);
  stage.socket.ack();
  stage.socket.result();
  assert.equal((await result).ref, ref);
  assert.equal(stage.details('sign-accepted').length, 1);
});

test('lost between acknowledgement and result: the result is fetched and settles the text', async () => {
  const stage = await readyStage();
  const { ref, result } = stage.session.sign('Hello.');
  stage.socket.ack();
  stage.socket.drop();
  await stage.reconnected();
  assert.deepEqual(stage.socket.asked, [{ type: 'result.fetch', id: ref }]);
  stage.socket.result(ref);
  assert.equal((await result).url, `https://media.example/${ref}.mp4`);
  assert.equal(stage.details('sign-accepted').length, 1);
});

for (const [answer, code] of [
  ['result_expired', 'result_expired'],
  ['an error that is not retryable', 'internal_error'],
  ['a retryable error', 'render_failed'],
] as const) {
  test(`when the fetch of the result is answered by ${answer}, the text is sent again without an event`, async () => {
    const stage = await readyStage();
    const { ref, result } = stage.session.sign('Hello.');
    stage.socket.ack();
    stage.socket.drop();
    await stage.reconnected();
    stage.socket.error(code);
    assert.equal(stage.socket.last.data, 'Hello.');
    assert.notEqual(stage.socket.last.id, ref);
    stage.socket.result();
    assert.equal((await result).ref, ref);
    assert.deepEqual(
      stage.errors.map(({ code: told }) => told),
      ['session_failed'],
    );
  });
}

test('when the fetch of the result ends the session, not retryable, the text is sent again on the next one', async () => {
  const stage = await readyStage();
  const { ref, result } = stage.session.sign('Hello.');
  stage.socket.ack();
  stage.socket.drop();
  await stage.reconnected();
  stage.socket.error('internal_error', { severity: 'session' });
  await stage.reconnected();
  assert.deepEqual(stage.asked, [['Hello.'], [`? ${ref}`], ['Hello.']]);
  stage.socket.result();
  assert.equal((await result).ref, ref);
});

test('when the fetch of the result is answered by a result with no video, the text is sent again', async () => {
  const stage = await readyStage();
  const { ref, result } = stage.session.sign('Hello.');
  stage.socket.ack();
  stage.socket.drop();
  await stage.reconnected();
  stage.socket.say({ type: 'result', ref, url: null });
  assert.deepEqual(stage.asked[1], [`? ${ref}`, 'Hello.']);
  stage.socket.result();
  assert.equal((await result).ref, ref);
});

test('when the fetch of the result is not answered, the text is sent again', async () => {
  const stage = await readyStage();
  const { ref, result } = stage.session.sign('Hello.');
  stage.socket.ack();
  stage.socket.drop();
  await stage.reconnected();
  void stage.session.sign('Other.');
  await stage.clock.advance(5_000);
  stage.socket.ack();
  await stage.clock.advance(5_000);
  assert.deepEqual(stage.asked[1], [`? ${ref}`, 'Other.', 'Hello.']);
  stage.socket.result();
  assert.equal((await result).ref, ref);
});

test('lost again during the fetch of the result: it is fetched again', async () => {
  const stage = await readyStage();
  const { ref, result } = stage.session.sign('Hello.');
  stage.socket.ack();
  stage.socket.drop();
  await stage.reconnected();
  stage.socket.drop();
  await stage.reconnected();
  assert.deepEqual(stage.asked.slice(1), [[`? ${ref}`], [`? ${ref}`]]);
  stage.socket.result(ref);
  assert.equal((await result).ref, ref);
});

test('lost after the result: nothing is fetched or sent again', async () => {
  const stage = await readyStage();
  const { result } = stage.session.sign('Hello.');
  stage.socket.ack();
  stage.socket.result();
  stage.socket.drop();
  await result;
  await stage.reconnected();
  assert.deepEqual(stage.asked, [['Hello.'], []]);
  assert.equal(stage.details('sign-result').length, 1);
});

test('lost with many texts: each continues from its stage, in call order', async () => {
  const stage = await readyStage({ max_inflight: 3 });
  const calls = ['One.', 'Two.', 'Three.', 'Four.', 'Five.'].map((text) => stage.session.sign(text));
  const [one, two, three] = calls.map(({ ref }) => ref);
  stage.socket.result(one);
  stage.socket.ack(three);
  stage.socket.drop();
  await stage.reconnected();
  assert.deepEqual(stage.asked[1], ['Two.', `? ${three}`, 'Four.']);
  assert.equal(
    stage.socket.asked.some(({ id }) => id === two),
    false,
    'an id is never used twice',
  );
  stage.socket.result(three);
  for (let count = 0; count < 3; count += 1) {
    for (const { id, type } of [...stage.socket.asked]) if (type === 'text') stage.socket.result(id);
  }
  const results = await Promise.all(calls.map(({ result }) => result));
  assert.deepEqual(
    results.map(({ text }) => text),
    ['One.', 'Two.', 'Three.', 'Four.', 'Five.'],
  );
  assert.equal(stage.details('sign-result').length, 5);
});

test('each part of a split text continues from its stage', async () => {
  const stage = await readyStage({ max_text_length: 5 });
  const { result } = stage.session.sign('One. Two. Six.');
  const [one, two] = stage.socket.asked.map(({ id }) => id);
  stage.socket.result(one, 1);
  stage.socket.ack(two);
  stage.socket.drop();
  await stage.reconnected({ max_text_length: 5 });
  assert.deepEqual(stage.asked[1], [`? ${two}`, 'Six.']);
  stage.socket.result(two, 2);
  stage.socket.result(stage.socket.last.id, 3);
  assert.equal((await result).durationSeconds, 6);
});

test('a pending renewal is fetched on the next session', async () => {
  const stage = await readyStage();
  const { ref } = stage.session.sign('Hello.');
  stage.socket.result();
  const renewed = stage.session.renew(ref);
  stage.socket.drop();
  await stage.reconnected();
  assert.deepEqual(stage.asked[1], [`? ${ref}`]);
  stage.socket.result(ref);
  assert.equal((await renewed).ref, ref);
});

test('a lost session does not count as a try: after three losses a text still has its three tries', async () => {
  const stage = await readyStage();
  const { result } = stage.session.sign('Hello.');
  for (let drops = 0; drops < 3; drops += 1) {
    stage.socket.drop();
    await stage.reconnected();
    while (stage.socket.asked.length === 0) await stage.clock.advance(250);
  }
  stage.socket.error('render_failed', { retry_after_seconds: 0 });
  stage.socket.error('render_failed', { retry_after_seconds: 0 });
  stage.socket.result();
  assert.equal((await result).text, 'Hello.');
});

test('a text with which eight sessions were lost fails, and the others are signed', async () => {
  const stage = await readyStage({ max_inflight: 1 });
  const poison = stage.session.sign('Poison.');
  const end = reasonOf(poison.result);
  const harmless = stage.session.sign('Harmless.');
  for (let count = 0; count < 20 && stage.session.state !== 'failed'; count += 1) {
    while (stage.socket.asked.length === 0) await stage.clock.advance(1_000);
    if (stage.socket.last.data === 'Harmless.') stage.socket.result();
    while (stage.socket.last.data !== 'Poison.') await stage.clock.advance(1_000);
    stage.socket.drop();
    if (stage.asked.flat().filter((text) => text === 'Poison.').length === 8) break;
    await stage.reconnected({ max_inflight: 1 });
  }
  assert.equal(await end, 'session_failed');
  assert.equal((await harmless.result).text, 'Harmless.');
  assert.deepEqual(stage.errors.at(-1), { code: 'session_failed', severity: 'message', ref: poison.ref });
  assert.equal(stage.session.state, 'reconnecting');
});

test('a socket that was closed without an event is noticed with the next text', async () => {
  const stage = await readyStage();
  stage.socket.readyState = 3;
  const { ref, result } = stage.session.sign('Hello.');
  await stage.clock.advance(0);
  assert.equal(stage.session.state, 'reconnecting');
  await stage.reconnected();
  assert.deepEqual(stage.asked[1], ['Hello.']);
  stage.socket.result();
  assert.equal((await result).ref, ref);
});

test('a text that is added in an event of the loss is sent on the next session with the others', async () => {
  const stage = await readyStage();
  void stage.session.sign('First.');
  stage.session.on('sign-statechange', ({ state }) => {
    if (state === 'reconnecting') void stage.session.sign('Second.');
  });
  stage.socket.drop();
  await stage.reconnected();
  assert.deepEqual(stage.asked[1], ['First.', 'Second.']);
});

test('a text that is added in an event of the failure is not rejected with the others', async () => {
  const stage = await readyStage();
  let again: ReturnType<typeof stage.session.sign> | undefined;
  stage.session.on('sign-statechange', ({ state }) => {
    if (state === 'failed') again = stage.session.sign('Again.');
  });
  stage.socket.drop(1008, 'origin_refused');
  await stage.ready();
  stage.socket.ack();
  stage.socket.result();
  assert.equal((await again?.result)?.text, 'Again.');
});
