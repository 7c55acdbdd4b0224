// Errors of failed REST requests, in the four envelopes of the documents.
import assert from 'node:assert/strict';
import test from 'node:test';
import { errorFromAnswer } from '../../src/protocol/rest-error.ts';

const errorOf = (status: number, body: unknown, retryAfterSeconds: number | null = null) => {
  const { code, message, severity, retryable, requestId, ...rest } = errorFromAnswer({
    status,
    body,
    retryAfterSeconds,
    requestId: 'header-1',
  });
  return { code, message, severity, retryable, requestId, retryAfterSeconds: rest.retryAfterSeconds };
};

const rows: [
  sentence: string,
  status: number,
  body: unknown,
  code: string,
  message: string,
  retryable: boolean,
][] = [
  [
    'a flat code with details',
    400,
    { error: 'validation_error', details: 'content: missing' },
    'validation_error',
    'content: missing',
    false,
  ],
  [
    'a flat code whose details are no text',
    400,
    { error: 'validation_error', details: { field: 'content' } },
    'validation_error',
    'the service answered 400',
    false,
  ],
  [
    'a live code whose message is no text',
    503,
    { error: { code: 'HLS_INPUT_NORMALIZE_CAPACITY', message: { en: 'busy' }, requestId: 7 } },
    'HLS_INPUT_NORMALIZE_CAPACITY',
    'the service answered 503',
    true,
  ],
  ['a flat code alone', 500, { error: 'presign_failed' }, 'presign_failed', 'the service answered 500', true],
  [
    'a flat sentence',
    400,
    { error: 'invalid language: xyz' },
    'invalid_request',
    'invalid language: xyz',
    false,
  ],
  [
    'the announcement envelope',
    400,
    { data: { status: 'FAILED', errorLog: 'destination: unknown' } },
    'invalid_request',
    'destination: unknown',
    false,
  ],
  [
    'an announcement that is not there',
    404,
    { data: { status: 'FAILED', errorLog: 'no such id' } },
    'not_found',
    'no such id',
    false,
  ],
  [
    'a problem of the proxy',
    502,
    { code: 'upstream_unreachable', title: 'Bad Gateway', detail: 'not there' },
    'upstream_unreachable',
    'not there',
    true,
  ],
  [
    'a problem that no other try helps',
    502,
    { code: 'protocol_error', title: 'Bad Gateway' },
    'protocol_error',
    'Bad Gateway',
    false,
  ],
  [
    'a problem whose code is not ours',
    503,
    { code: 'restarting' },
    'restarting',
    'the service answered 503',
    true,
  ],
  ['a time-out of the proxy', 504, { code: 'no_answer', detail: 'too slow' }, 'no_answer', 'too slow', false],
  [
    'a refused origin',
    403,
    { code: 'origin_refused', title: 'Forbidden' },
    'origin_refused',
    'Forbidden',
    false,
  ],
  ['too many requests, in no envelope', 429, null, 'rate_limited', 'the service answered 429', true],
  [
    'a broken server, in no envelope',
    500,
    '<html>',
    'upstream_unreachable',
    'the proxy does not reach the signing service',
    true,
  ],
  [
    'what is not built',
    501,
    { error: 'not_implemented' },
    'not_implemented',
    'the service answered 501',
    false,
  ],
  [
    'an envelope of the wrong shape',
    400,
    { error: { code: 7 } },
    'invalid_request',
    'the request is not one that can be sent',
    false,
  ],
];

for (const [sentence, status, body, code, message, retryable] of rows) {
  test(`${status}: ${sentence}`, () => {
    assert.deepEqual(errorOf(status, body), {
      code,
      message,
      severity: 'message',
      retryable,
      requestId: 'header-1',
      retryAfterSeconds: null,
    });
  });
}

test('the live envelope gives the request id', () => {
  const error = { code: 'NOT_FOUND', type: 'NOT_FOUND', message: 'no such session', requestId: 'body-1' };
  const { code, message, requestId, retryable } = errorOf(404, { error });
  assert.deepEqual([code, message, requestId, retryable], ['NOT_FOUND', 'no such session', 'body-1', false]);
});

test('Retry-After is given in seconds', () => {
  assert.equal(errorOf(503, {}, 30).retryAfterSeconds, 30);
});
