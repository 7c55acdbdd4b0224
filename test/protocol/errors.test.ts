// The two tables of error codes, and the one error type that carries them.
import assert from 'node:assert/strict';
import test from 'node:test';
import { errorFromFrame, isPacing, serviceErrors } from '../../src/protocol/service-errors.ts';
import { isOwnErrorCode, ownError, type OwnErrorCode, ownErrors } from '../../src/protocol/own-errors.ts';
import { loadFailed, SignError } from '../../src/protocol/sign-error.ts';
import { resolveSigner } from '../../src/protocol/signers.ts';

/** Document 3, Errors: code, stage, severity, retryable, and the seconds that its text names. */
const document3 = `
invalid_message        core               message  no   -
invalid_session_start  core               message  no   -
unknown_field          core               message  no   -
session_not_started    core               message  no   -
text_too_long          core               message  no   -
duplicate_id           core               message  no   -
rate_limited           core               warning  yes  -
backpressure           core               message  yes  2
result_expired         core               message  no   -
mode_not_allowed       core               message  no   -
session_expired        core               session  no   -
internal_error         core               message  no   -
gloss_timeout          text_to_gloss      message  yes  30
gloss_unavailable      text_to_gloss      session  yes  30
render_failed          gloss_translation  message  yes  -
render_timeout         gloss_translation  message  yes  -
encode_failed          stream_generator   message  yes  -
`
  .trim()
  .split('\n')
  .map((line) => line.split(/\s+/));

test('the table has the 17 codes of document 3 and no other', () => {
  assert.deepEqual(
    Object.keys(serviceErrors),
    document3.map(([code]) => code),
  );
});

for (const [code = '', stage, severity, retryable, seconds] of document3) {
  test(`a ${code} frame without details is filled in from document 3`, () => {
    const error = errorFromFrame({ type: 'error', code }, 'session-1');
    assert.deepEqual(
      { ...error },
      {
        name: 'SignError',
        code,
        stage,
        severity,
        retryable: retryable === 'yes',
        retryAfterSeconds: seconds === '-' ? null : Number(seconds),
        requestId: 'session-1',
      },
    );
  });
}

test('the fields of a frame override the table', () => {
  const error = errorFromFrame(
    {
      type: 'error',
      code: 'gloss_timeout',
      stage: 'elsewhere',
      message: 'slow',
      severity: 'warning',
      retryable: false,
      retry_after_seconds: 0,
    },
    null,
  );
  const { stage, message, severity, retryable, retryAfterSeconds, requestId } = error;
  assert.deepEqual(
    [stage, message, severity, retryable, retryAfterSeconds, requestId],
    ['elsewhere', 'slow', 'warning', false, 0, null],
  );
});

for (const code of ['of_a_later_version', 'constructor', '__proto__']) {
  test(`${code} is kept and final for its message`, () => {
    const { severity, retryable, stage, ...rest } = errorFromFrame({ type: 'error', code }, null);
    assert.deepEqual([rest.code, severity, retryable, stage], [code, 'message', false, null]);
  });
}

test('two codes only ask for a slower pace', () => {
  assert.deepEqual(Object.keys(serviceErrors).filter(isPacing), ['rate_limited', 'backpressure']);
});

for (const code of Object.keys(ownErrors) as OwnErrorCode[]) {
  test(`our own ${code} has its row and is no code of the service`, () => {
    const { severity, retryable, meaning } = ownErrors[code];
    const error = ownError(code);
    assert.deepEqual(
      [error.code, error.severity, error.retryable, error.message],
      [code, severity, retryable, meaning],
    );
    assert.equal(Object.hasOwn(serviceErrors, code), false);
    assert.equal(isOwnErrorCode(code), true);
  });
}

test('an error that is created before the table is loaded has the values of the table', () => {
  const cause = new TypeError('no');
  const failed = loadFailed(cause);
  assert.deepEqual(failed, ownError('load_failed', undefined, { cause }));
  assert.throws(
    () => resolveSigner('JAY', 'BSL'),
    (error) => {
      assert.deepEqual(error, ownError('invalid_signer', 'signer JAY signs ASL, not BSL'));
      return true;
    },
  );
  for (const code of ['empty_text', 'invalid_request'] as const) {
    const { meaning } = ownErrors[code];
    assert.deepEqual(new SignError(code, meaning), ownError(code), code);
  }
});

test('an inherited property is no code of ours', () => {
  assert.deepEqual(['toString', 'constructor', '__proto__', ''].filter(isOwnErrorCode), []);
});

test('an own error takes another message, severity and cause', () => {
  const cause = new TypeError('no');
  const error = ownError('invalid_request', 'too big', { severity: 'session', requestId: 'r-1', cause });
  assert.deepEqual(
    [error.message, error.severity, error.requestId, error.cause],
    ['too big', 'session', 'r-1', cause],
  );
});

test('a SignError is an Error with safe defaults', () => {
  const error = new SignError('any_code', 'any message');
  assert.ok(error instanceof Error);
  assert.equal(String(error), 'SignError: any message');
  assert.deepEqual(
    { ...error },
    {
      name: 'SignError',
      code: 'any_code',
      severity: 'message',
      retryable: false,
      retryAfterSeconds: null,
      stage: null,
      requestId: null,
    },
  );
  assert.equal('cause' in error, false);
});

test('asWarning() is the same error with severity warning', () => {
  const error = new SignError('render_failed', 'no video', {
    severity: 'message',
    retryable: true,
    retryAfterSeconds: 3,
    stage: 'gloss_translation',
    requestId: 's-1',
  });
  const warning = error.asWarning();
  assert.deepEqual(
    { ...warning, message: warning.message },
    { ...error, message: 'no video', severity: 'warning' },
  );
  assert.equal(error.severity, 'message');
});
