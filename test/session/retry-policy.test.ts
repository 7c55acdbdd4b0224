// The table of what an error means, row by row.
import assert from 'node:assert/strict';
import test from 'node:test';
import { SignError, type SignErrorInit } from '../../src/protocol/sign-error.ts';
import { backoffMs, decide, type Verdict } from '../../src/session/retry-policy.ts';

const rows: [behaviour: string, code: string, init: SignErrorInit, tries: number, verdict: Verdict][] = [
  [
    'severity session ends the session',
    'any',
    { severity: 'session', retryable: true },
    1,
    { kind: 'end-session' },
  ],
  ['even of a pacing code', 'rate_limited', { severity: 'session' }, 1, { kind: 'end-session' }],
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
  ['after the third they surface', 'any', { retryable: true }, 3, { kind: 'surface' }],
  ['what is not retryable surfaces', 'any', { severity: 'message' }, 1, { kind: 'surface' }],
  ['a warning is no reason to retry', 'any', { severity: 'warning' }, 1, { kind: 'surface' }],
];

for (const [behaviour, code, init, tries, verdict] of rows) {
  test(behaviour, () => {
    assert.deepEqual(
      decide(new SignError(code, '', init), { tries, refusals: 0 }, () => 1),
      verdict,
    );
  });
}

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
    decide(error, { tries: 1, refusals: 0 }, () => 1),
    { kind: 'retry', delayMs: 2 ** 31 - 1 },
  );
});
