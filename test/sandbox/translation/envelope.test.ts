// Key, methods, bodies and faults: every error in the flat envelope (document 2, Authentication, Errors).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyOf, Harness, KEY } from './harness.ts';
import { eachCase } from '../each-case.ts';

const routes = [
  ['POST', '/v2/generate'],
  ['POST', '/v1/generate'],
  ['GET', '/v1/status/00000000-0000-4000-8000-000000000000'],
  ['GET', '/v1/silence'],
] as const;

const keys = {
  'no key': null,
  'an empty key': '',
  'another key': 'sandbox-api-kez',
  'a longer key': `${KEY}x`,
};
test('a missing or wrong key is 401 on every route, also when the request has other errors', (t) =>
  eachCase(
    routes.flatMap((route) => Object.entries(keys).map(([name, key]) => [...route, name, key] as const)),
    async ([method, url, , key]) => {
      const harness = new Harness(t);
      const headers = { 'content-type': 'application/json' };
      const { status, body } = await harness.ask({ method, url, headers, payload: '{' }, key);
      assert.equal(status, 401);
      assert.deepEqual(body, { error: 'unauthorized', details: 'X-API-KEY is absent or incorrect' });
    },
  ));

test('any other method of a route is 405, and the answer says which method is served', (t) =>
  eachCase(
    routes.flatMap(([method, url]) =>
      [method === 'GET' ? 'POST' : 'GET', 'PUT', 'DELETE', 'PATCH'].map(
        (other) => [other, url, method] as const,
      ),
    ),
    async ([other, url, method]) => {
      const { status, headers, body } = await new Harness(t).ask({ method: other as 'PUT', url });
      assert.equal(status, 405);
      assert.equal(headers.allow, method);
      assert.deepEqual(body, { error: 'method_not_allowed', details: `only ${method} is served here` });
    },
  ));

const bodies: (readonly [name: string, type: string, payload: string, details: RegExp])[] = [
  ['no JSON', 'application/json', '{"content":', /not JSON/],
  ['nothing', 'application/json', '', /empty/],
  ['a form', 'application/x-www-form-urlencoded', 'content=text', /Content-Type/],
  ['plain text', 'text/plain', '{}', /Content-Type/],
  ['too much', 'application/json', `"${'x'.repeat(1024 * 1024)}"`, /too large/],
  ['a forbidden key', 'application/json', '{"__proto__":{}}', /not JSON/],
];
/** Which code v2 and v1 have for a wrong body. */
const wrongBody = { v2: 'validation_error', v1: 'invalid_request' };
test('a body that cannot be read is refused with the code of its version, and the answer says why', (t) =>
  eachCase(
    bodies.flatMap((body) => Object.entries(wrongBody).map((version) => [...version, ...body] as const)),
    async ([version, code, , type, payload, details]) => {
      const headers = { 'content-type': type };
      const answer = await new Harness(t).ask({
        method: 'POST',
        url: `/${version}/generate`,
        headers,
        payload,
      });
      assert.equal(answer.status, 400);
      const { error, details: said } = answer.body as { error: string; details: string };
      assert.equal(error, code);
      assert.match(said, details);
    },
  ));

test('an internal error is a 500 without its message', async (t) => {
  const harness = new Harness(t);
  const printed = t.mock.method(console, 'error', () => {});
  harness.clock.now = () => {
    throw new TypeError('private');
  };
  const { status, body } = await harness.generate(bodyOf('hls', 'stream'));
  assert.equal(status, 500);
  assert.deepEqual(body, { error: 'internal_error' });
  assert.equal(printed.mock.callCount(), 1);
});

/** Operation of a fault, its status, and the code that the document, or else the status, has for it. */
const faults = [
  ['generate', 'POST', '/v2/generate', 400, 'validation_error'],
  ['generate', 'POST', '/v1/generate', 400, 'invalid_request'],
  ['generate', 'POST', '/v2/generate', 500, 'internal_server_error'],
  ['generate', 'POST', '/v2/generate', 503, 'service_unavailable'],
  ['job_status', 'GET', '/v1/status/x', 400, 'invalid_job_id'],
  ['job_status', 'GET', '/v1/status/x', 404, 'not_found'],
  ['silence', 'GET', '/v1/silence', 401, 'unauthorized'],
  ['silence', 'GET', '/v1/silence', 500, 'presign_failed'],
] as const;
test('a fault makes an operation answer once with the fault’s status and its code', (t) =>
  eachCase(faults, async ([operation, method, url, status, code]) => {
    const harness = new Harness(t);
    harness.setFaults({ fault: 'rest_error', operation, status, retry_after: 7, count: 1 });
    const first = await harness.ask({ method, url });
    assert.deepEqual(
      [first.status, first.body, first.headers['retry-after']],
      [status, { error: code }, '7'],
    );
    const second = await harness.ask({ method, url });
    assert.equal(second.headers['retry-after'], undefined);
  }));

test('a fault of one operation does not affect the others', async (t) => {
  const harness = new Harness(t);
  harness.setFaults({ fault: 'rest_error', operation: 'silence', status: 503 });
  assert.equal((await harness.generate(bodyOf('mp4', 'download'))).status, 303);
});
