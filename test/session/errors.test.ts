// What each error of the service does to the text it names, and to the others.
import assert from 'node:assert/strict';
import test from 'node:test';
import { isPacing, serviceErrors, type ServiceErrorCode } from '../../src/protocol/service-errors.ts';
import { readyHarness, reasonOf } from './harness.ts';

for (const code of Object.keys(serviceErrors) as ServiceErrorCode[]) {
  const { severity, retryable, stage: pipelineStage, retryAfterSeconds } = serviceErrors[code];
  const outcome =
    severity === 'session'
      ? 'ends the session and is sent again on the next'
      : retryable
        ? 'is sent again'
        : 'rejects at once and is never resent';

  test(`a text refused with ${code} ${outcome}`, async () => {
    const harness = await readyHarness();
    const { ref, result } = harness.session.sign('Hello.');
    const end = reasonOf(result);
    // The shortest frame there is: what it leaves out comes from the table (service-errors.ts).
    harness.socket.say({ type: 'error', ref, code });
    const { error } = harness.details('sign-error')[0] ?? assert.fail('no sign-error');
    assert.equal(error.code, code);
    assert.equal(error.stage, pipelineStage);
    assert.equal(error.retryable, retryable);
    assert.equal(error.retryAfterSeconds, retryAfterSeconds);
    assert.equal(error.requestId, 'session-1');
    await harness.clock.advance((retryAfterSeconds ?? 0.25) * 1000);
    if (severity === 'session') {
      assert.deepEqual(harness.errors, [{ code, severity: 'warning', ref: undefined }]);
      await harness.ready();
      assert.equal(harness.socket.last.data, 'Hello.');
      harness.socket.result();
      assert.equal((await result).ref, ref);
    } else if (retryable) {
      assert.deepEqual(harness.errors[0], { code, severity: 'warning', ref });
      const [first, second] = harness.socket.asked;
      assert.equal(second?.data, 'Hello.');
      assert.notEqual(second?.id, first?.id, 'an id is never used twice');
      harness.socket.result(second?.id);
      assert.equal((await result).ref, ref);
    } else {
      assert.equal(await end, code);
      assert.deepEqual(harness.errors, [{ code, severity, ref }]);
      assert.equal(harness.socket.asked.length, 1);
      assert.equal(harness.session.state, 'ready');
    }
  });
}

test('the fields of an error frame override the table', async () => {
  const harness = await readyHarness();
  const { result } = harness.session.sign('Hello.');
  harness.socket.error('render_failed', { retryable: false, stage: 'elsewhere' });
  assert.equal(await reasonOf(result), 'render_failed');
  assert.equal(harness.details('sign-error')[0]?.error.stage, 'elsewhere');
});

test('a warning that is not retryable is reported, and the session still waits for the answer to its text', async () => {
  const harness = await readyHarness();
  const { ref, result } = harness.session.sign('Hello.');
  harness.socket.ack();
  harness.socket.error('glosses_guessed', { severity: 'warning', retryable: false });
  assert.deepEqual(harness.errors, [{ code: 'glosses_guessed', severity: 'warning', ref }]);
  harness.socket.result();
  assert.equal((await result).ref, ref);
  assert.equal(harness.socket.asked.length, 1);
  const silent = harness.session.sign('Bye.');
  harness.socket.error('glosses_guessed', { severity: 'warning', retryable: false });
  await harness.murmur(10_000);
  assert.equal(harness.socket.asked.length, 3, 'the watch over the answer goes on');
  harness.socket.result();
  assert.equal((await silent.result).ref, silent.ref);
});

test('a refusal that document 3 names fails its text whatever severity it claims, and no warning is an answer to a fetch', async () => {
  const harness = await readyHarness();
  const refused = harness.session.sign('Hello.');
  harness.socket.error('text_too_long', { severity: 'warning' });
  assert.equal(await reasonOf(refused.result), 'text_too_long');
  const { result } = harness.session.sign('Bye.');
  harness.socket.ack();
  harness.socket.drop();
  await harness.reconnected();
  assert.equal(harness.socket.last.type, 'result.fetch');
  harness.socket.error('cache_is_cold', { severity: 'warning', retryable: false });
  assert.equal(harness.socket.last.data, 'Bye.');
  harness.socket.result();
  assert.equal(await reasonOf(result), 'resolved');
});

test('the error of a text that has failed is no warning, whatever severity it claims', async () => {
  const harness = await readyHarness();
  const refused = harness.session.sign('Hello.');
  harness.socket.error('text_too_long', { severity: 'warning' });
  assert.equal(await reasonOf(refused.result), 'text_too_long');
  const unlucky = harness.session.sign('Bye.');
  for (let tries = 0; tries < 3; tries += 1) {
    harness.socket.error('signer_asleep', { severity: 'warning', retryable: true, retry_after_seconds: 0 });
    await harness.clock.advance(0);
  }
  assert.equal(await reasonOf(unlucky.result), 'signer_asleep');
  assert.deepEqual(
    harness.errors.map(({ code, severity }) => `${code} ${severity}`),
    ['text_too_long message', 'signer_asleep warning', 'signer_asleep warning', 'signer_asleep message'],
  );
});

test('a code of a later protocol is final for its text unless the frame says otherwise', async () => {
  const harness = await readyHarness();
  const refused = harness.session.sign('One.');
  harness.socket.error('signer_on_holiday');
  assert.equal(await reasonOf(refused.result), 'signer_on_holiday');
  void harness.session.sign('Two.');
  harness.socket.error('signer_asleep', { retryable: true, retry_after_seconds: 1 });
  await harness.clock.advance(1_000);
  assert.deepEqual(
    harness.socket.asked.map(({ data }) => data),
    ['One.', 'Two.', 'Two.'],
  );
});

test('a retryable error is tried three times in all, then rejects with the error', async () => {
  const harness = await readyHarness();
  const { ref, result } = harness.session.sign('Hello.');
  const end = reasonOf(result);
  for (const tries of [1, 2, 3]) {
    assert.equal(harness.socket.asked.length, tries);
    harness.socket.error('render_failed');
    await harness.clock.advance(1_000);
  }
  assert.equal(harness.socket.asked.length, 3);
  assert.equal(await end, 'render_failed');
  assert.deepEqual(harness.errors, [
    { code: 'render_failed', severity: 'warning', ref },
    { code: 'render_failed', severity: 'warning', ref },
    { code: 'render_failed', severity: 'message', ref },
  ]);
});

test('without a hint the backoff is full jitter below 0.5 s, then below 1 s', async () => {
  const harness = await readyHarness();
  void harness.session.sign('Hello.');
  harness.socket.error('encode_failed');
  await harness.clock.advance(249);
  assert.equal(harness.socket.asked.length, 1);
  await harness.clock.advance(1);
  assert.equal(harness.socket.asked.length, 2, 'half of 0.5 s');
  harness.socket.error('encode_failed');
  await harness.clock.advance(499);
  assert.equal(harness.socket.asked.length, 2);
  await harness.clock.advance(1);
  assert.equal(harness.socket.asked.length, 3, 'half of 1 s');
});

test('with a hint the wait is the hint, and the texts behind go on meanwhile', async () => {
  const harness = await readyHarness({ max_inflight: 1 });
  void harness.session.sign('One.');
  void harness.session.sign('Two.');
  harness.socket.error('gloss_timeout');
  assert.equal(harness.socket.last.data, 'Two.');
  harness.socket.result();
  await harness.clock.advance(29_999);
  assert.equal(harness.socket.asked.length, 2);
  await harness.clock.advance(1);
  assert.equal(harness.socket.last.data, 'One.');
});

for (const code of Object.keys(serviceErrors).filter(isPacing)) {
  test(`${code} stops all sending for its hint, to the millisecond; then the refused text goes first`, async () => {
    const harness = await readyHarness();
    void harness.session.sign('One.');
    harness.socket.error(code, { retry_after_seconds: 1.234 });
    void harness.session.sign('Two.');
    await harness.clock.advance(1_233);
    assert.equal(harness.socket.asked.length, 1);
    await harness.clock.advance(1);
    assert.deepEqual(
      harness.socket.asked.map(({ data }) => data),
      ['One.', 'One.', 'Two.'],
    );
  });

  test(`${code} does not count as a try, however often it comes`, async () => {
    const harness = await readyHarness();
    const { ref, result } = harness.session.sign('Hello.');
    for (let refusals = 0; refusals < 10; refusals += 1) {
      harness.socket.error(code, { retry_after_seconds: 2 });
      await harness.clock.advance(2_000);
    }
    harness.socket.error('render_failed', { retry_after_seconds: 0 });
    harness.socket.error('render_failed', { retry_after_seconds: 0 });
    harness.socket.result();
    assert.equal((await result).ref, ref);
    assert.deepEqual(
      harness.errors.map(({ severity }) => severity),
      Array.from({ length: 12 }, () => 'warning'),
    );
    const ids = harness.socket.asked.map(({ id }) => id);
    assert.deepEqual([ids.length, new Set(ids).size], [13, 13]);
  });
}

test('rate_limited without a hint backs off further each time', async () => {
  const harness = await readyHarness({ max_messages_per_minute: 1000 });
  void harness.session.sign('Hello.');
  for (const halfMs of [250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]) {
    const before = harness.socket.asked.length;
    harness.socket.error('rate_limited');
    await harness.clock.advance(halfMs - 1);
    assert.equal(harness.socket.asked.length, before);
    await harness.clock.advance(1);
    assert.equal(harness.socket.asked.length, before + 1);
  }
});

test('a pacing error that names no text stops sending as well', async () => {
  const harness = await readyHarness();
  harness.socket.error('rate_limited', { retry_after_seconds: 3 }, '');
  void harness.session.sign('Hello.');
  await harness.clock.advance(2_999);
  assert.equal(harness.socket.asked.length, 0);
  await harness.clock.advance(1);
  assert.equal(harness.socket.asked.length, 1);
});

test('a hint longer than a timer can wait does not make the next try immediate', async () => {
  const harness = await readyHarness();
  void harness.session.sign('Hello.');
  harness.socket.error('backpressure', { retry_after_seconds: 1e12 });
  await harness.clock.advance(2 ** 31 - 2);
  assert.equal(harness.socket.asked.length, 1);
  await harness.clock.advance(1);
  assert.equal(harness.socket.asked.length, 2);
});

test('an error that names no text of the session is reported as a warning and changes nothing', async () => {
  const harness = await readyHarness();
  const { ref, result } = harness.session.sign('Hello.');
  harness.socket.error('invalid_message', {}, '');
  harness.socket.say({ type: 'error', code: 'render_failed' });
  harness.socket.error('unknown_field', {}, 'never-sent');
  assert.deepEqual(harness.errors, [
    { code: 'invalid_message', severity: 'warning', ref: undefined },
    { code: 'render_failed', severity: 'warning', ref: undefined },
    { code: 'unknown_field', severity: 'warning', ref: undefined },
  ]);
  harness.socket.result(ref);
  assert.equal((await result).ref, ref);
});
