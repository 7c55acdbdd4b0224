// The table of what an error means, row by row.
import assert from 'node:assert/strict';
import test from 'node:test';
import { ownError, type OwnErrorCode, ownErrors } from '../../src/protocol/own-errors.ts';
import { SignError, type SignErrorInit } from '../../src/protocol/sign-error.ts';
import { errorFromFrame, serviceErrors } from '../../src/protocol/service-errors.ts';
import {
  actionForSession,
  actionForText,
  backoffMs,
  ReconnectPolicy,
  type SessionAction,
  type TextAction,
} from '../../src/session/retry-policy.ts';
import type { NetworkStatus } from '../../src/session/network.ts';
import { ManualClock } from './manual-clock.ts';

const rows: [behaviour: string, code: string, init: SignErrorInit, tries: number, action: TextAction][] = [
  [
    'severity session ends the session',
    'any',
    { severity: 'session', retryable: true },
    1,
    { kind: 'end-session', failsText: false },
  ],
  [
    'and rejects the text when the same text may not be sent again',
    'any',
    { severity: 'session', retryable: false },
    1,
    { kind: 'end-session', failsText: true },
  ],
  [
    'but not when the session was merely too old for it',
    'session_expired',
    { severity: 'session', retryable: false },
    1,
    { kind: 'end-session', failsText: false },
  ],
  [
    'a pacing code of severity session ends the session too',
    'rate_limited',
    { severity: 'session', retryable: true },
    1,
    { kind: 'end-session', failsText: false },
  ],
  ['pacing codes pace', 'backpressure', { retryAfterSeconds: 2 }, 1, { kind: 'pace', delayMs: 2_000 }],
  [
    'however often they came',
    'rate_limited',
    { retryAfterSeconds: 1.5 },
    9,
    { kind: 'pace', delayMs: 1_500 },
  ],
  [
    'retryable codes are retried',
    'any',
    { retryable: true, retryAfterSeconds: 30 },
    1,
    { kind: 'retry', delayMs: 30_000 },
  ],
  [
    'for the second time too',
    'any',
    { retryable: true, retryAfterSeconds: 0 },
    2,
    { kind: 'retry', delayMs: 0 },
  ],
  ['after the third they fail', 'any', { retryable: true }, 3, { kind: 'fail' }],
  ['what is not retryable fails', 'any', { severity: 'message' }, 1, { kind: 'fail' }],
  ['a warning is no reason to retry', 'any', { severity: 'warning' }, 1, { kind: 'fail' }],
];

for (const [behaviour, code, init, tries, action] of rows) {
  test(behaviour, () => {
    assert.deepEqual(
      actionForText(new SignError(code, '', init), { tries, refusals: 0 }, () => 1),
      action,
    );
  });
}

/** What each code means in the tables of the documents: for the text that it names, and for a session that ends with it. */
const codes: Readonly<
  Record<string, [text: TextAction['kind'], beforeReady: SessionAction, afterReady: SessionAction]>
> = {
  invalid_message: ['fail', 'fail', 'reconnect'],
  invalid_session_start: ['fail', 'fail', 'reconnect'],
  unknown_field: ['fail', 'fail', 'reconnect'],
  session_not_started: ['fail', 'fail', 'reconnect'],
  text_too_long: ['fail', 'fail', 'reconnect'],
  duplicate_id: ['fail', 'fail', 'reconnect'],
  rate_limited: ['pace', 'reconnect', 'reconnect'],
  backpressure: ['pace', 'reconnect', 'reconnect'],
  result_expired: ['fail', 'fail', 'reconnect'],
  mode_not_allowed: ['fail', 'fail', 'reconnect'],
  session_expired: ['end-session', 'reconnect', 'reconnect'],
  internal_error: ['fail', 'fail', 'reconnect'],
  gloss_timeout: ['retry', 'reconnect', 'reconnect'],
  gloss_unavailable: ['end-session', 'reconnect', 'reconnect'],
  render_failed: ['retry', 'reconnect', 'reconnect'],
  render_timeout: ['retry', 'reconnect', 'reconnect'],
  encode_failed: ['retry', 'reconnect', 'reconnect'],
};

test('all 17 codes of the service are in this table', () => {
  assert.deepEqual(Object.keys(codes), Object.keys(serviceErrors));
  assert.equal(Object.keys(codes).length, 17);
});

for (const [code, [action, beforeReady, afterReady]] of Object.entries(codes)) {
  test(`${code}: ${action}; a session that ends with it: ${beforeReady} before ready, ${afterReady} after`, () => {
    const error = errorFromFrame({ type: 'error', code }, null);
    const attempts = { tries: 1, refusals: 0 };
    assert.deepEqual(
      [
        actionForText(error, attempts, () => 1).kind,
        actionForSession(error, false, true),
        actionForSession(error, true, true),
      ],
      [action, beforeReady, afterReady],
    );
  });
}

const ends: Readonly<Partial<Record<OwnErrorCode, [beforeReady: SessionAction, afterReady: SessionAction]>>> =
  {
    proxy_unreachable: ['reconnect', 'reconnect'],
    origin_refused: ['fail', 'fail'],
    ticket_refused: ['fail', 'reconnect'],
    budget_spent: ['fail', 'reconnect'],
    too_many_sockets: ['reconnect', 'reconnect'],
    upstream_unreachable: ['reconnect', 'reconnect'],
    handshake_timeout: ['reconnect', 'reconnect'],
    session_failed: ['reconnect', 'reconnect'],
    load_failed: ['reconnect', 'reconnect'],
  };

test('every code of ours that ends sessions is in this table', () => {
  const ending = Object.entries(ownErrors).filter(([, { severity }]) => severity === 'session');
  assert.deepEqual(
    ending.map(([code]) => code),
    Object.keys(ends),
  );
});

for (const [code, [beforeReady, afterReady]] of Object.entries(ends)) {
  test(`a session that ends with ${code}: ${beforeReady} before ready, ${afterReady} after`, () => {
    const error = ownError(code as OwnErrorCode);
    assert.deepEqual(
      [actionForSession(error, false, false), actionForSession(error, true, false)],
      [beforeReady, afterReady],
    );
  });
}

test('session_expired opens another session only when a text waits for it', () => {
  const error = errorFromFrame({ type: 'error', code: 'session_expired' }, 's');
  assert.deepEqual(
    [actionForSession(error, true, true), actionForSession(error, true, false)],
    ['reconnect', 'end'],
  );
});

test('the ceiling of the backoff doubles from 0.5 s to 30 s', () => {
  const ceilings = [0, 1, 2, 3, 4, 5, 6, 7, 2000].map((earlier) => backoffMs(earlier, () => 1));
  assert.deepEqual(ceilings, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
});

test('the jitter is full: from nothing up to the ceiling', () => {
  assert.equal(
    backoffMs(3, () => 0),
    0,
  );
  assert.equal(
    backoffMs(3, () => 0.25),
    1_000,
  );
});

test('a hint beyond the range of a timer is clamped to it', () => {
  const error = new SignError('any', '', { retryable: true, retryAfterSeconds: Number.MAX_VALUE });
  assert.deepEqual(
    actionForText(error, { tries: 1, refusals: 0 }, () => 1),
    { kind: 'retry', delayMs: 2 ** 31 - 1 },
  );
});

/** A policy without jitter, whose attempts are counted. */
function reconnecting() {
  const clock = new ManualClock();
  let attempts = 0;
  const network = { offline: false } as NetworkStatus;
  const policy = new ReconnectPolicy({ clock, random: () => 0, network, attempt: () => (attempts += 1) });
  const losses = (count: number, code: string): boolean[] =>
    Array.from({ length: count }, () => policy.lost(new SignError(code, '', { retryable: true })));
  return { clock, policy, losses, attempts: () => attempts };
}

for (const [code, isLast] of [
  ['gloss_unavailable', true],
  ['rate_limited', false],
  ['overloaded', false],
  ['upstream_unreachable', false],
] as const) {
  test(`the eighth ${code} in a row within a minute is ${isLast ? '' : 'not '}the last`, () => {
    assert.deepEqual(reconnecting().losses(8, code), [...Array(7).fill(true), !isLast]);
  });
}

test('the minute in which tries go on begins anew at the event online', async () => {
  for (const [seconds, goesOn] of [
    [59, true],
    [61, false],
  ] as const) {
    const { clock, policy, losses } = reconnecting();
    losses(8, 'upstream_unreachable');
    await clock.advance(50_000);
    policy.online();
    await clock.advance(seconds * 1000);
    assert.deepEqual(losses(1, 'upstream_unreachable'), [goesOn], `${seconds} s later`);
  }
});

test('after the eighth attempt the wait is at least 5 s', async () => {
  const { clock, losses, attempts } = reconnecting();
  losses(7, 'upstream_unreachable');
  await clock.advance(0);
  assert.equal(attempts(), 1);
  losses(1, 'upstream_unreachable');
  await clock.advance(4_999);
  assert.equal(attempts(), 1);
  await clock.advance(1);
  assert.equal(attempts(), 2);
});
