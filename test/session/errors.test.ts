// What each error of the service does to the text it names, and to the others.
import assert from 'node:assert/strict';
import test from 'node:test';
import { isPacing, serviceErrors, type ServiceErrorCode } from '../../src/protocol/service-errors.ts';
import { readyStage, reasonOf } from './stage.ts';

for (const code of Object.keys(serviceErrors) as ServiceErrorCode[]) {
  const { severity, retryable, stage: pipelineStage, retryAfterSeconds } = serviceErrors[code];
  const fate =
    severity === 'session'
      ? 'ends the session and is sent again on the next'
      : retryable
        ? 'is sent again'
        : 'rejects at once and is never resent';

  test(`a text refused with ${code} ${fate}`, async () => {
    const stage = await readyStage();
    const { ref, result } = stage.session.sign('Hello.');
    const end = reasonOf(result);
    // The tersest frame there is: the table fills in the rest.
    stage.socket.say({ type: 'error', ref, code });
    const { error } = stage.details('sign-error')[0] ?? assert.fail('no sign-error');
    assert.equal(error.code, code);
    assert.equal(error.stage, pipelineStage);
    assert.equal(error.retryable, retryable);
    assert.equal(error.retryAfterSeconds, retryAfterSeconds);
    assert.equal(error.requestId, 'session-1');
    await stage.clock.advance((retryAfterSeconds ?? 0.25) * 1000);
    if (severity === 'session') {
      assert.deepEqual(stage.errors, [{ code, severity: 'warning', ref: undefined }]);
      await stage.ready();
      assert.equal(stage.socket.last.data, 'Hello.');
      stage.socket.result();
      assert.equal((await result).ref, ref);
    } else if (retryable) {
      assert.deepEqual(stage.errors[0], { code, severity: 'warning', ref });
      const [first, second] = stage.socket.asked;
      assert.equal(second?.data, 'Hello.');
      assert.notEqual(second?.id, first?.id, 'an id is never used twice');
      stage.socket.result(second?.id);
      assert.equal((await result).ref, ref);
    } else {
      assert.equal(await end, code);
      assert.deepEqual(stage.errors, [{ code, severity, ref }]);
      assert.equal(stage.socket.asked.length, 1);
      assert.equal(stage.session.state, 'ready');
    }
  });
}

test('what the frame says wins over the table', async () => {
  const stage = await readyStage();
  const { result } = stage.session.sign('Hello.');
  stage.socket.error('render_failed', { retryable: false, stage: 'elsewhere' });
  assert.equal(await reasonOf(result), 'render_failed');
  assert.equal(stage.details('sign-error')[0]?.error.stage, 'elsewhere');
});

test('a code of a later protocol is final for its text unless the frame says otherwise', async () => {
  const stage = await readyStage();
  const refused = stage.session.sign('One.');
  stage.socket.error('signer_on_holiday');
  assert.equal(await reasonOf(refused.result), 'signer_on_holiday');
  void stage.session.sign('Two.');
  stage.socket.error('signer_asleep', { retryable: true, retry_after_seconds: 1 });
  await stage.clock.advance(1_000);
  assert.deepEqual(
    stage.socket.asked.map(({ data }) => data),
    ['One.', 'Two.', 'Two.'],
  );
});

test('a retryable error is tried three times in all, then rejects with the error', async () => {
  const stage = await readyStage();
  const { ref, result } = stage.session.sign('Hello.');
  const end = reasonOf(result);
  for (const tries of [1, 2, 3]) {
    assert.equal(stage.socket.asked.length, tries);
    stage.socket.error('render_failed');
    await stage.clock.advance(1_000);
  }
  assert.equal(stage.socket.asked.length, 3);
  assert.equal(await end, 'render_failed');
  assert.deepEqual(stage.errors, [
    { code: 'render_failed', severity: 'warning', ref },
    { code: 'render_failed', severity: 'warning', ref },
    { code: 'render_failed', severity: 'message', ref },
  ]);
});

test('without a hint the backoff is full jitter below 0.5 s, then below 1 s', async () => {
  const stage = await readyStage();
  void stage.session.sign('Hello.');
  stage.socket.error('encode_failed');
  await stage.clock.advance(249);
  assert.equal(stage.socket.asked.length, 1);
  await stage.clock.advance(1);
  assert.equal(stage.socket.asked.length, 2, 'half of 0.5 s');
  stage.socket.error('encode_failed');
  await stage.clock.advance(499);
  assert.equal(stage.socket.asked.length, 2);
  await stage.clock.advance(1);
  assert.equal(stage.socket.asked.length, 3, 'half of 1 s');
});

test('with a hint the wait is the hint, and the texts behind go on meanwhile', async () => {
  const stage = await readyStage({ max_inflight: 1 });
  void stage.session.sign('One.');
  void stage.session.sign('Two.');
  stage.socket.error('gloss_timeout');
  assert.equal(stage.socket.last.data, 'Two.');
  stage.socket.result();
  await stage.clock.advance(29_999);
  assert.equal(stage.socket.asked.length, 2);
  await stage.clock.advance(1);
  assert.equal(stage.socket.last.data, 'One.');
});

for (const code of Object.keys(serviceErrors).filter(isPacing)) {
  test(`${code} stops all sending for its hint, to the millisecond; then the refused text goes first`, async () => {
    const stage = await readyStage();
    void stage.session.sign('One.');
    stage.socket.error(code, { retry_after_seconds: 1.234 });
    void stage.session.sign('Two.');
    await stage.clock.advance(1_233);
    assert.equal(stage.socket.asked.length, 1);
    await stage.clock.advance(1);
    assert.deepEqual(
      stage.socket.asked.map(({ data }) => data),
      ['One.', 'One.', 'Two.'],
    );
  });

  test(`${code} does not count as a try, however often it comes`, async () => {
    const stage = await readyStage();
    const { ref, result } = stage.session.sign('Hello.');
    for (let refusals = 0; refusals < 10; refusals += 1) {
      stage.socket.error(code, { retry_after_seconds: 2 });
      await stage.clock.advance(2_000);
    }
    stage.socket.error('render_failed', { retry_after_seconds: 0 });
    stage.socket.error('render_failed', { retry_after_seconds: 0 });
    stage.socket.result();
    assert.equal((await result).ref, ref);
    assert.deepEqual(
      stage.errors.map(({ severity }) => severity),
      Array.from({ length: 12 }, () => 'warning'),
    );
    const ids = stage.socket.asked.map(({ id }) => id);
    assert.deepEqual([ids.length, new Set(ids).size], [13, 13]);
  });
}

test('rate_limited without a hint backs off further each time', async () => {
  const stage = await readyStage({ max_messages_per_minute: 1000 });
  void stage.session.sign('Hello.');
  for (const halfMs of [250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]) {
    const before = stage.socket.asked.length;
    stage.socket.error('rate_limited');
    await stage.clock.advance(halfMs - 1);
    assert.equal(stage.socket.asked.length, before);
    await stage.clock.advance(1);
    assert.equal(stage.socket.asked.length, before + 1);
  }
});

test('a pacing error that names no text stops sending as well', async () => {
  const stage = await readyStage();
  stage.socket.error('rate_limited', { retry_after_seconds: 3 }, '');
  void stage.session.sign('Hello.');
  await stage.clock.advance(2_999);
  assert.equal(stage.socket.asked.length, 0);
  await stage.clock.advance(1);
  assert.equal(stage.socket.asked.length, 1);
});

test('a hint longer than a timer can wait is not a hint to go at once', async () => {
  const stage = await readyStage();
  void stage.session.sign('Hello.');
  stage.socket.error('backpressure', { retry_after_seconds: 1e12 });
  await stage.clock.advance(2 ** 31 - 2);
  assert.equal(stage.socket.asked.length, 1);
  await stage.clock.advance(1);
  assert.equal(stage.socket.asked.length, 2);
});

test('an error that names no text we know is told and changes nothing', async () => {
  const stage = await readyStage();
  const { ref, result } = stage.session.sign('Hello.');
  stage.socket.error('invalid_message', {}, '');
  stage.socket.say({ type: 'error', code: 'render_failed' });
  stage.socket.error('unknown_field', {}, 'never-sent');
  assert.deepEqual(stage.errors, [
    { code: 'invalid_message', severity: 'message', ref: undefined },
    { code: 'render_failed', severity: 'message', ref: undefined },
    { code: 'unknown_field', severity: 'message', ref: undefined },
  ]);
  stage.socket.result(ref);
  assert.equal((await result).ref, ref);
});
