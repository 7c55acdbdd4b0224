// Each fault does what its line in the table says, and no more often than its count says.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultTable } from '../../demo/sandbox/fault-table.ts';
import { FaultListError, faultMenu, parseFaults } from '../../demo/sandbox/faults.ts';
import { serviceErrors, type ServiceErrorCode } from '../../src/protocol/service-errors.ts';
import { V3Harness } from './v3/harness.ts';
import { eachCase } from './each-case.ts';
import { promisesSettled } from '../promises-settled.ts';

test('the fault `error` gives a documented error, in place of the ack of its text or after it', () =>
  eachCase(
    Object.entries(serviceErrors) as [ServiceErrorCode, (typeof serviceErrors)['duplicate_id']][],
    ([code, known]) => {
      const core = (known.stage as string) === 'core';
      const fatal = (known.severity as string) === 'session';
      const harness = new V3Harness();
      harness.fault({ fault: 'error', code, text: 2 });
      const socket = harness.session().text('a').text('b');
      assert.deepEqual(
        socket.of('text.ack').map(({ ref }) => ref),
        core ? ['a'] : ['a', 'b'],
      );
      const { message, ...error } = socket.last;
      assert.equal(typeof message, 'string');
      assert.deepEqual(error, {
        type: 'error',
        ref: 'b',
        code,
        stage: known.stage,
        severity: known.severity,
        retryable: known.retryable,
        retry_after_seconds: code === 'rate_limited' ? 1 : known.retryAfterSeconds,
      });
      assert.equal(socket.end, fatal ? 1000 : null);
      if (!fatal) assert.equal(socket.text('c').last.type, 'text.ack');
    },
  ));

test('a text that failed with a retryable error may come again under its id', () => {
  for (const code of ['gloss_timeout', 'render_failed', 'encode_failed'] as const) {
    const harness = new V3Harness();
    harness.fault({ fault: 'error', code, count: 1 });
    assert.equal(harness.session().text('a').text('a').last.type, 'text.ack', code);
  }
});

test('an error can have a wait, before the ack and after it', () => {
  for (const code of ['backpressure', 'render_failed'] as const) {
    const harness = new V3Harness();
    harness.fault({ fault: 'error', code, retry_after_seconds: 0.5 });
    assert.equal(harness.session().text('a').last['retry_after_seconds'], 0.5);
  }
});

test('a fault applies as often as its count says', () => {
  const harness = new V3Harness();
  harness.fault({ fault: 'error', code: 'render_failed', count: 2 });
  const codes = ['a', 'b', 'c'].map((id) => harness.session().text(id).last['code']);
  assert.deepEqual(codes, ['render_failed', 'render_failed', undefined]);
});

test('each session has its own text count', () => {
  const harness = new V3Harness();
  harness.fault({ fault: 'error', code: 'render_failed', text: 1 });
  assert.equal(harness.session().text('a').text('b').of('error').length, 1);
  assert.equal(harness.session().text('c').text('d').of('error').length, 1);
});

test('latency holds back a result, also from result.fetch', async () => {
  const harness = new V3Harness();
  harness.fault({ fault: 'latency', ms: 500 });
  const socket = harness.session().text('a');
  await harness.finish('text a');
  harness.clock.advance(499);
  assert.equal(socket.last.type, 'text.ack');
  assert.equal(harness.session().send({ type: 'result.fetch', id: 'a' }).last['code'], 'result_expired');
  harness.clock.advance(1);
  assert.equal(socket.last.type, 'result');
  assert.equal(socket.last['url_expires_at'], '2030-01-01T00:05:00.500Z');
});

test('with latency of one text the next one overtakes it', async () => {
  const harness = new V3Harness();
  harness.fault({ fault: 'latency', ms: 500, text: 1 });
  const socket = harness.session().text('a').text('b');
  await harness.finish('text a');
  await harness.finish('text b');
  harness.clock.advance(500);
  assert.deepEqual(
    socket.of('result').map(({ ref }) => ref),
    ['b', 'a'],
  );
});

test('the socket drops after the frame that the fault names', () => {
  const harness = new V3Harness();
  harness.fault({ fault: 'drop_socket', after_frames: 3, count: 1 });
  const socket = harness.session().text('a');
  assert.equal(socket.end, null);
  socket.text('b').text('c');
  assert.equal(socket.end, 'dropped');
  assert.equal(socket.frames.length, 3);
  assert.equal(harness.session().text('d').text('e').end, null);
});

for (const [of, acked, answered] of [
  ['ack', false, true],
  ['result', true, false],
  ['both', false, false],
] as const) {
  test(`silence of ${of} holds back only that, and the result can still be fetched`, async () => {
    const harness = new V3Harness();
    harness.fault({ fault: 'silence', of });
    const socket = harness.session().text('a');
    await harness.finish('text a');
    assert.equal(socket.of('text.ack').length, acked ? 1 : 0);
    assert.equal(socket.of('result').length, answered ? 1 : 0);
    assert.equal(socket.send({ type: 'result.fetch', id: 'a' }).last.type, 'result');
  });
}

test('a text that is never answered stays in flight', async () => {
  const harness = new V3Harness();
  harness.fault({ fault: 'silence', of: 'result', text: 1 });
  harness.limits = { ...harness.limits, max_inflight: 1 };
  const socket = harness.session().text('a');
  await harness.finish('text a');
  assert.equal(socket.text('b').last['code'], 'backpressure');
});

test('a malformed frame, which is not JSON or has wrong fields, takes the place of a result', async () => {
  const harness = new V3Harness();
  harness.fault({ fault: 'malformed_frame', shape: 'not_json' });
  const broken = harness.session().text('a');
  await harness.finish('text a');
  assert.throws(() => JSON.parse(broken.raw.at(-1) ?? '{}') as unknown, SyntaxError);
  harness.fault({ fault: 'malformed_frame', shape: 'wrong_fields' });
  const wrong = harness.session().text('b');
  await harness.finish('text b');
  assert.equal(wrong.last['ref'], 'b');
  assert.equal(wrong.last['url'], 7);
});

test('an unknown frame comes before a result', async () => {
  const harness = new V3Harness();
  harness.fault({ fault: 'unknown_frame' });
  const socket = harness.session().text('a');
  await harness.finish('text a');
  assert.deepEqual(
    socket.frames.slice(-2).map(({ type }) => type),
    ['sandbox.unknown', 'result'],
  );
});

test('a failure inside the sandbox is internal_error without its message, and uses up the id', async (t) => {
  const logged = t.mock.method(console, 'error', () => {});
  const harness = new V3Harness();
  const socket = harness.session().text('a');
  await harness.break('text a', new Error('secret inside'));
  await promisesSettled();
  assert.equal(socket.last['code'], 'internal_error');
  assert.doesNotMatch(JSON.stringify(socket.last), /secret/);
  assert.equal(logged.mock.callCount(), 1);
  assert.equal(socket.text('a').last['code'], 'duplicate_id');
});

const wrongLists: readonly (readonly [why: string, list: unknown, names: RegExp])[] = [
  ['no list', { fault: 'latency', ms: 1 }, /list: .*array/],
  ['an unknown fault', [{ fault: 'lateness' }], /0\.fault/],
  ['a missing field', [{ fault: 'media_refused' }, { fault: 'latency' }], /1\.ms: .*number/],
  ['an unknown field', [{ fault: 'latency', ms: 1, seconds: 2 }], /0: .*seconds/],
  ['an unknown code', [{ fault: 'error', code: 'oops' }], /0\.code: .*gloss_timeout/],
  ['a negative time', [{ fault: 'latency', ms: -1 }], /0\.ms: .*>=0/],
  ['a count of none', [{ fault: 'media_refused', count: 0 }], /0\.count: .*>=1/],
  ['an unknown limit', [{ fault: 'limits', limits: { max_speed: 1 } }], /0\.limits: .*max_speed/],
  ['too many', Array.from({ length: 101 }, () => ({ fault: 'media_refused' })), /list: .*100/],
];

test('a list of faults that is wrong is refused, naming what is wrong', () =>
  eachCase(wrongLists, ([, list, names]) => {
    assert.throws(
      () => parseFaults(list),
      (error) => error instanceof FaultListError && names.test(error.problems.join('\n')),
    );
  }));

test('the menu lists every fault with its words and a schema', () => {
  assert.deepEqual(
    faultMenu.map(({ fault }) => fault),
    Object.keys(faultTable),
  );
  for (const { about, schema } of JSON.parse(JSON.stringify(faultMenu)) as typeof faultMenu) {
    assert.ok(about.length > 10);
    assert.ok(schema.properties?.['fault']);
  }
});
