// A session that goes without being asked to, at every point of a text's way: the next one takes up where it stopped.
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
  test(`a socket closed with ${code} "${reason}" is told as a warning, ${expected}, and the text goes on`, async () => {
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

test('a socket closed with origin_refused is the end: this proxy will not serve this page', async () => {
  const stage = await readyStage();
  const sent = stage.session.sign('Sent.');
  const ends = [reasonOf(sent.accepted), reasonOf(sent.result)];
  stage.socket.drop(1008, 'origin_refused');
  assert.deepEqual(await Promise.all(ends), ['origin_refused', 'origin_refused']);
  assert.equal(stage.session.state, 'failed');
  assert.deepEqual(stage.errors, [{ code: 'origin_refused', severity: 'session', ref: undefined }]);
  stage.assertNothingLeft();
});

test('the error of a lost session quotes the session', async () => {
  const stage = await readyStage();
  stage.socket.drop();
  assert.equal(stage.details('sign-error')[0]?.error.requestId, 'session-1');
});

test('lost before session.ready: the text is sent once, on the session that gets ready', async () => {
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

test('lost after send: the text is sent again, under a fresh id', async () => {
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

test('lost between acknowledgement and result: the result is asked for, and what comes is the text’s', async () => {
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
  test(`asked for on the next session and answered by ${answer}, the text is sent again without a word`, async () => {
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

test('asked for on the next session and answered by silence, the text is sent again', async () => {
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

test('lost again while the result is asked for, it is asked for again', async () => {
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

test('lost after the result: nothing is asked again', async () => {
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

test('lost in a burst: each text goes on from where it was, in call order', async () => {
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

test('of a text in pieces each goes on from where it was', async () => {
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

test('a renewal that was under way is asked for on the next session', async () => {
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

test('a drop is no try of a text: three drops, and it still has its three tries', async () => {
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

test('a text that eight sessions are lost with is given up, and the others go on', async () => {
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

test('a socket that the platform closed without a word is noticed with the next text', async () => {
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

test('a text signed from within the news of the loss goes to the next session with the others', async () => {
  const stage = await readyStage();
  void stage.session.sign('First.');
  stage.session.on('sign-statechange', ({ state }) => {
    if (state === 'reconnecting') void stage.session.sign('Second.');
  });
  stage.socket.drop();
  await stage.reconnected();
  assert.deepEqual(stage.asked[1], ['First.', 'Second.']);
});

test('a text signed from within the news of the failure is not lost with the others', async () => {
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
