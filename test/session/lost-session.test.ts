// A session that is lost at every stage of a text: the next session continues from there.
import assert from 'node:assert/strict';
import test from 'node:test';
import { readyHarness, reasonOf, Harness } from './harness.ts';

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
    const harness = await readyHarness();
    const { ref, result } = harness.session.sign('Sent.');
    harness.socket.drop(code, reason);
    assert.equal(harness.session.state, 'reconnecting');
    assert.deepEqual(harness.errors, [{ code: expected, severity: 'warning', ref: undefined }]);
    await harness.reconnected();
    harness.socket.result();
    assert.equal((await result).ref, ref);
    assert.deepEqual(harness.states, ['connecting', 'ready', 'reconnecting', 'ready']);
  });
}

test('a socket closed with origin_refused fails the session, because this proxy does not serve this page', async () => {
  const harness = await readyHarness();
  const sent = harness.session.sign('Sent.');
  const ends = [reasonOf(sent.accepted), reasonOf(sent.result)];
  harness.socket.drop(1008, 'origin_refused');
  assert.deepEqual(await Promise.all(ends), ['origin_refused', 'origin_refused']);
  assert.equal(harness.session.state, 'failed');
  assert.deepEqual(harness.errors, [{ code: 'origin_refused', severity: 'session', ref: undefined }]);
  harness.assertNothingLeft();
});

test('the error of a lost session has the session id', async () => {
  const harness = await readyHarness();
  harness.socket.drop();
  assert.equal(harness.details('sign-error')[0]?.error.requestId, 'session-1');
});

test('when a session is lost before session.ready, the text is sent once, on the session that becomes ready', async () => {
  const harness = new Harness();
  const { ref, result } = harness.session.sign('Hello.');
  harness.socket.open();
  harness.socket.drop();
  await harness.reconnected();
  assert.deepEqual(harness.asked, [[], ['Hello.']]);
  assert.equal(harness.socket.last.id, ref);
  harness.socket.result();
  assert.equal((await result).ref, ref);
});

test('when a session is lost after a text was sent, the text is sent again under a new id', async () => {
  const harness = await readyHarness();
  const { ref, result } = harness.session.sign('Hello.');
  harness.socket.drop();
  await harness.reconnected();
  assert.deepEqual(harness.asked, [['Hello.'], ['Hello.']]);
  assert.notEqual(harness.socket.last.id, ref);
  harness.socket.ack();
  harness.socket.result();
  assert.equal((await result).ref, ref);
  assert.equal(harness.details('sign-accepted').length, 1);
});

test('when a session is lost between acknowledgement and result, the result is fetched and settles the text', async () => {
  const harness = await readyHarness();
  const { ref, result } = harness.session.sign('Hello.');
  harness.socket.ack();
  harness.socket.drop();
  await harness.reconnected();
  assert.deepEqual(harness.socket.asked, [{ type: 'result.fetch', id: ref }]);
  harness.socket.result(ref);
  assert.equal((await result).url, `https://media.example/${ref}.mp4`);
  assert.equal(harness.details('sign-accepted').length, 1);
});

for (const [answer, code] of [
  ['result_expired', 'result_expired'],
  ['an error that is not retryable', 'internal_error'],
  ['a retryable error', 'render_failed'],
] as const) {
  test(`when the fetch of the result is answered by ${answer}, the text is sent again without an event`, async () => {
    const harness = await readyHarness();
    const { ref, result } = harness.session.sign('Hello.');
    harness.socket.ack();
    harness.socket.drop();
    await harness.reconnected();
    harness.socket.error(code);
    assert.equal(harness.socket.last.data, 'Hello.');
    assert.notEqual(harness.socket.last.id, ref);
    harness.socket.result();
    assert.equal((await result).ref, ref);
    assert.deepEqual(
      harness.errors.map(({ code: reported }) => reported),
      ['session_failed'],
    );
  });
}

test('when the answer to the fetch is an error that ends the session and is not retryable, the text is sent again on the next session', async () => {
  const harness = await readyHarness();
  const { ref, result } = harness.session.sign('Hello.');
  harness.socket.ack();
  harness.socket.drop();
  await harness.reconnected();
  harness.socket.error('internal_error', { severity: 'session' });
  await harness.reconnected();
  assert.deepEqual(harness.asked, [['Hello.'], [`? ${ref}`], ['Hello.']]);
  harness.socket.result();
  assert.equal((await result).ref, ref);
});

test('when the fetch of the result is answered by a result with no video, the text is sent again', async () => {
  const harness = await readyHarness();
  const { ref, result } = harness.session.sign('Hello.');
  harness.socket.ack();
  harness.socket.drop();
  await harness.reconnected();
  harness.socket.say({ type: 'result', ref, url: null });
  assert.deepEqual(harness.asked[1], [`? ${ref}`, 'Hello.']);
  harness.socket.result();
  assert.equal((await result).ref, ref);
});

test('when the fetch of the result is not answered, the text is sent again', async () => {
  const harness = await readyHarness();
  const { ref, result } = harness.session.sign('Hello.');
  harness.socket.ack();
  harness.socket.drop();
  await harness.reconnected();
  void harness.session.sign('Other.');
  await harness.clock.advance(5_000);
  harness.socket.ack();
  await harness.clock.advance(5_000);
  assert.deepEqual(harness.asked[1], [`? ${ref}`, 'Other.', 'Hello.']);
  harness.socket.result();
  assert.equal((await result).ref, ref);
});

test('when the next session is lost during the fetch of the result, the result is fetched again', async () => {
  const harness = await readyHarness();
  const { ref, result } = harness.session.sign('Hello.');
  harness.socket.ack();
  harness.socket.drop();
  await harness.reconnected();
  harness.socket.drop();
  await harness.reconnected();
  assert.deepEqual(harness.asked.slice(1), [[`? ${ref}`], [`? ${ref}`]]);
  harness.socket.result(ref);
  assert.equal((await result).ref, ref);
});

test('when a session is lost after the result, nothing is fetched or sent again', async () => {
  const harness = await readyHarness();
  const { result } = harness.session.sign('Hello.');
  harness.socket.ack();
  harness.socket.result();
  harness.socket.drop();
  await result;
  await harness.reconnected();
  assert.deepEqual(harness.asked, [['Hello.'], []]);
  assert.equal(harness.details('sign-result').length, 1);
});

test('when a session is lost with many texts, each continues from its stage, in call order', async () => {
  const harness = await readyHarness({ max_inflight: 3 });
  const calls = ['One.', 'Two.', 'Three.', 'Four.', 'Five.'].map((text) => harness.session.sign(text));
  const [one, two, three] = calls.map(({ ref }) => ref);
  harness.socket.result(one);
  harness.socket.ack(three);
  harness.socket.drop();
  await harness.reconnected();
  assert.deepEqual(harness.asked[1], ['Two.', `? ${three}`, 'Four.']);
  assert.equal(
    harness.socket.asked.some(({ id }) => id === two),
    false,
    'an id is never used twice',
  );
  harness.socket.result(three);
  for (let count = 0; count < 3; count += 1) {
    for (const { id, type } of [...harness.socket.asked]) if (type === 'text') harness.socket.result(id);
  }
  const results = await Promise.all(calls.map(({ result }) => result));
  assert.deepEqual(
    results.map(({ text }) => text),
    ['One.', 'Two.', 'Three.', 'Four.', 'Five.'],
  );
  assert.equal(harness.details('sign-result').length, 5);
});

test('each part of a split text continues from its stage', async () => {
  const harness = await readyHarness({ max_text_length: 5 });
  const { result } = harness.session.sign('One. Two. Six.');
  const [one, two] = harness.socket.asked.map(({ id }) => id);
  harness.socket.result(one, 1);
  harness.socket.ack(two);
  harness.socket.drop();
  await harness.reconnected({ max_text_length: 5 });
  assert.deepEqual(harness.asked[1], [`? ${two}`, 'Six.']);
  harness.socket.result(two, 2);
  harness.socket.result(harness.socket.last.id, 3);
  assert.equal((await result).durationSeconds, 6);
});

test('a pending renewal is fetched on the next session', async () => {
  const harness = await readyHarness();
  const { ref } = harness.session.sign('Hello.');
  harness.socket.result();
  const renewed = harness.session.renew(ref);
  harness.socket.drop();
  await harness.reconnected();
  assert.deepEqual(harness.asked[1], [`? ${ref}`]);
  harness.socket.result(ref);
  assert.equal((await renewed).ref, ref);
});

test('a lost session does not count as a try: after three losses a text still has its three tries', async () => {
  const harness = await readyHarness();
  const { result } = harness.session.sign('Hello.');
  for (let drops = 0; drops < 3; drops += 1) {
    harness.socket.drop();
    await harness.reconnected();
    while (harness.socket.asked.length === 0) await harness.clock.advance(250);
  }
  harness.socket.error('render_failed', { retry_after_seconds: 0 });
  harness.socket.error('render_failed', { retry_after_seconds: 0 });
  harness.socket.result();
  assert.equal((await result).text, 'Hello.');
});

test('a text with which eight sessions were lost fails, and the others are signed', async () => {
  const harness = await readyHarness({ max_inflight: 1 });
  const poison = harness.session.sign('Poison.');
  const end = reasonOf(poison.result);
  const harmless = harness.session.sign('Harmless.');
  for (let count = 0; count < 20 && harness.session.state !== 'failed'; count += 1) {
    while (harness.socket.asked.length === 0) await harness.clock.advance(1_000);
    if (harness.socket.last.data === 'Harmless.') harness.socket.result();
    while (harness.socket.last.data !== 'Poison.') await harness.clock.advance(1_000);
    harness.socket.drop();
    if (harness.asked.flat().filter((text) => text === 'Poison.').length === 8) break;
    await harness.reconnected({ max_inflight: 1 });
  }
  assert.equal(await end, 'session_failed');
  assert.equal((await harmless.result).text, 'Harmless.');
  assert.deepEqual(harness.errors.at(-1), { code: 'session_failed', severity: 'message', ref: poison.ref });
  assert.equal(harness.session.state, 'reconnecting');
});

test('a socket that was closed without an event is noticed with the next text', async () => {
  const harness = await readyHarness();
  harness.socket.readyState = 3;
  const { ref, result } = harness.session.sign('Hello.');
  await harness.clock.advance(0);
  assert.equal(harness.session.state, 'reconnecting');
  await harness.reconnected();
  assert.deepEqual(harness.asked[1], ['Hello.']);
  harness.socket.result();
  assert.equal((await result).ref, ref);
});

test('a text that is added in an event of the loss is sent on the next session with the others', async () => {
  const harness = await readyHarness();
  void harness.session.sign('First.');
  harness.session.on('sign-statechange', ({ state }) => {
    if (state === 'reconnecting') void harness.session.sign('Second.');
  });
  harness.socket.drop();
  await harness.reconnected();
  assert.deepEqual(harness.asked[1], ['First.', 'Second.']);
});

test('a text that is added in an event of the failure is not rejected with the others', async () => {
  const harness = await readyHarness();
  let again: ReturnType<typeof harness.session.sign> | undefined;
  harness.session.on('sign-statechange', ({ state }) => {
    if (state === 'failed') again = harness.session.sign('Again.');
  });
  harness.socket.drop(1008, 'origin_refused');
  await harness.ready();
  harness.socket.ack();
  harness.socket.result();
  assert.equal((await again?.result)?.text, 'Again.');
});
