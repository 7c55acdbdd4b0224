// When `transport="auto"` leaves V3 for REST: the table, and the 10 s.
import assert from 'node:assert/strict';
import test from 'node:test';
import { SignError } from '../../src/protocol/sign-error.ts';
import { leavesV3, SessionTimeout, V3Probe } from '../../src/session/transports/selector-policy.ts';
import { ManualClock } from './manual-clock.ts';

const base = { hasFailed: false, hadSession: false, offline: false };

for (const [behaviour, failure, leaves] of [
  ['a first attempt that the proxy refuses', { ...base, code: 'upstream_unreachable' }, true],
  ['a first attempt with too many sockets', { ...base, code: 'too_many_sockets' }, true],
  ['a first attempt that a gateway limits', { ...base, code: 'rate_limited' }, true],
  ['a first attempt at a proxy with too many requests', { ...base, code: 'overloaded' }, true],
  ['a first attempt that comes to nothing', { ...base, code: 'handshake_timeout' }, false],
  ['a first attempt that is dropped', { ...base, code: 'session_failed' }, false],
  ['a first attempt that is refused with a hint', { ...base, code: 'too_many_sockets', hint: 30 }, false],
  [
    'a first attempt that is refused while offline',
    { ...base, code: 'upstream_unreachable', offline: true },
    false,
  ],
  ['a session that is lost', { ...base, code: 'upstream_unreachable', hadSession: true }, false],
  ['V3 that has failed', { ...base, code: 'upstream_unreachable', hasFailed: true, hadSession: true }, true],
  [
    'V3 that is not spoken there',
    { ...base, code: 'protocol_error', hasFailed: true, retryable: false },
    true,
  ],
  [
    'no socket allowed',
    { ...base, code: 'proxy_unreachable', hasFailed: true, retryable: false, cause: new Error('refused') },
    true,
  ],
  ['no proxy there', { ...base, code: 'proxy_unreachable', hasFailed: true, retryable: false }, false],
  [
    'an origin that is refused',
    { ...base, code: 'origin_refused', hasFailed: true, retryable: false },
    false,
  ],
  ['a config that is refused', { ...base, code: 'unknown_field', hasFailed: true, retryable: false }, false],
  ['a ticket that is refused', { ...base, code: 'ticket_refused', hasFailed: true, retryable: false }, false],
  ['a V3 that fails by itself', { ...base, code: 'internal_error', hasFailed: true, retryable: false }, true],
  [
    'an account without V3, in words that no document has',
    { ...base, code: 'beta_only', hasFailed: true, retryable: false },
    true,
  ],
] as const) {
  test(`${behaviour}: ${leaves ? 'to REST at once' : 'not to REST at once'}`, () => {
    const { code, ...rest } = failure;
    const { retryable, hint, cause } = { retryable: true, hint: null, cause: undefined, ...rest };
    const error = new SignError(code, '', { severity: 'session', retryable, retryAfterSeconds: hint, cause });
    assert.equal(leavesV3({ ...rest, error }), leaves);
  });
}

function startTimeout(): { clock: ManualClock; watch: SessionTimeout; over: number[] } {
  const clock = new ManualClock();
  const over: number[] = [];
  return { clock, over, watch: new SessionTimeout(clock, () => over.push(clock.now())) };
}

test('10 s without a session are reported once', async () => {
  const { clock, watch, over } = startTimeout();
  watch.watch(true, true);
  await clock.advance(9_999);
  watch.watch(true, true);
  assert.deepEqual(over, []);
  await clock.advance(1);
  await clock.advance(60_000);
  assert.deepEqual(over, [10_000]);
});

test('time offline or inside a hint does not count', async () => {
  const { clock, watch, over } = startTimeout();
  watch.watch(true, true);
  await clock.advance(4_000);
  watch.watch(true, false);
  await clock.advance(3_600_000);
  watch.watch(true, true);
  await clock.advance(5_999);
  assert.deepEqual(over, []);
  await clock.advance(1);
  assert.equal(over.length, 1);
});

test('the 10 s begin anew after a session in between, which leaves no timer', async () => {
  const { clock, watch, over } = startTimeout();
  watch.watch(true, true);
  await clock.advance(9_000);
  watch.watch(false, true);
  assert.equal(clock.pending, 0);
  watch.watch(true, true);
  await clock.advance(9_999);
  assert.deepEqual(over, []);
});

test('a probe also waits for the hint of the service, and while one is under way no other is made', async () => {
  const clock = new ManualClock();
  let asked = 0;
  const probe = new V3Probe({ clock, random: () => 0, ask: () => (asked += 1) });
  probe.start();
  probe.watch(true, 45_000);
  await clock.advance(44_999);
  assert.equal(asked, 0);
  await clock.advance(1);
  assert.equal(asked, 1);
  probe.watch(true, 0);
  await clock.advance(600_000);
  assert.equal(asked, 1);
});
