// The seconds that a client has to wait, from the Retry-After of the service.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secondsToWait } from '../../../proxy/upstream/retry-after.ts';
import { mountedProxy } from '../mounted-proxy.ts';

const DATE = 'Sun, 06 Nov 1994 08:49:37 GMT';

test('Retry-After in seconds is read', () => {
  assert.equal(secondsToWait({ 'retry-after': '0' }), 0);
  assert.equal(secondsToWait({ 'retry-after': '120' }), 120);
});

test('a Retry-After that is a date, in either form, counts from the answer’s own Date, and is no wait when it has passed', () => {
  for (const later of ['Sun, 06 Nov 1994 08:50:07 GMT', 'Sunday, 06-Nov-94 08:50:07 GMT']) {
    assert.equal(secondsToWait({ date: DATE, 'retry-after': later }), 30, later);
  }
  assert.equal(secondsToWait({ date: DATE, 'retry-after': 'Sun, 06 Nov 1994 08:00:00 GMT' }), 0);
});

test('a Retry-After of more than an hour counts as an hour, in seconds and as a date', () => {
  assert.equal(secondsToWait({ 'retry-after': '999999999' }), 3600);
  assert.equal(secondsToWait({ date: DATE, 'retry-after': 'Sun, 06 Nov 2094 08:00:00 GMT' }), 3600);
});

test('a Retry-After that is neither seconds nor a date, or a date in an answer without Date, is no wait', () => {
  for (const asked of ['', 'soon', '-3', '1.5', '1e3', 'Infinity', '9999999999', 'Sun, GMT', 'Sun, x GMT']) {
    assert.equal(secondsToWait({ date: DATE, 'retry-after': asked }), null, asked);
  }
  assert.equal(secondsToWait({ 'retry-after': DATE }), null);
  assert.equal(secondsToWait({ date: DATE }), null);
});

for (const [status, header, expected] of [
  [429, '30', '30'],
  [503, '30', '30'],
  [429, null, '5'],
  [503, null, null],
] as const) {
  test(`a look-up that a gateway answers with ${status} and Retry-After ${header} waits ${expected} s`, async (t) => {
    const { origin, upstream } = await mountedProxy(t);
    upstream.answer = (response) =>
      void response
        .writeHead(status, header === null ? {} : { 'Retry-After': header })
        .end('{"message":"Too Many Requests"}');
    for (const path of ['v1/status/a', 'v2/live/sessions/a']) {
      const response = await fetch(`${origin}/sign/${path}`);
      assert.deepEqual([response.status, response.headers.get('retry-after')], [status, expected], path);
    }
  });
}
