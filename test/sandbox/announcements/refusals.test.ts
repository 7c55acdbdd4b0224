// What the announcement API refuses, and how: ids, bodies, routes, methods, the rate, and faults of the control route.
import assert from 'node:assert/strict';
import test from 'node:test';
import { openHarness, REQUESTS, SUBMIT, TOKEN } from './harness.ts';

const failed = (errorLog: unknown) => ({ data: { status: 'FAILED', errorLog } });
const departure = { destination: 'LDS', timing: '1432', platform: '4' };

test('a missing or malformed requestId is 400, and an unknown one is 404', async (t) => {
  const harness = openHarness(t);
  const { id } = (await harness.submit(departure)).data;
  const unknown = String(id).replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
  const cases: readonly (readonly [url: string, status: number, errorLog: string])[] = [
    [REQUESTS, 400, 'requestId: missing'],
    [`${REQUESTS}/`, 400, 'requestId: missing'],
    [`${REQUESTS}/?filter=status`, 400, 'requestId: missing'],
    [`${REQUESTS}/not-an-id`, 400, 'requestId: malformed, it is a UUID'],
    [`${REQUESTS}/${String(id)}x`, 400, 'requestId: malformed, it is a UUID'],
    [`${REQUESTS}/${String(id)}/more`, 400, 'requestId: malformed, it is a UUID'],
    [`${REQUESTS}/${'a'.repeat(500)}`, 400, 'requestId: malformed, it is a UUID'],
    [`${REQUESTS}/${unknown}`, 404, 'no request with this requestId'],
    [`${REQUESTS}/00000000-0000-0000-0000-000000000000`, 404, 'no request with this requestId'],
    [`${REQUESTS}/${String(id)}?filter=all`, 400, 'filter: status or nothing'],
    [`${REQUESTS}/${String(id)}?filter=status&filter=status`, 400, 'filter: status or nothing'],
  ];
  for (const [url, status, errorLog] of cases) {
    const answer = await harness.ask('GET', url, await harness.bearer());
    assert.equal(answer.status, status, url);
    assert.deepEqual(answer.body, failed(errorLog), url);
  }
});

test('a wrong body is 400 with a message that names what is wrong, and nothing is made', async (t) => {
  const harness = openHarness(t);
  const json = { ...(await harness.bearer()), 'Content-Type': 'application/json' };
  const cases: readonly (readonly [
    headers: Record<string, string>,
    payload: string | undefined,
    errorLog: string,
  ])[] = [
    [json, '{"destination":"ZZZ"}', 'destination: a recognised CRS or TIPLOC code'],
    [json, '{"timing":"1432"}', 'destination: missing, it is required'],
    [json, '{"destination":', 'body: not JSON'],
    [json, '{"destination":"KGX","__proto__":{}}', 'body: not JSON'],
    [json, '', 'body: empty'],
    [json, '[]', 'body: a JSON object'],
    [json, JSON.stringify({ destination: 'KGX', via: 'x'.repeat(70_000) }), 'body: too large'],
    [
      { ...json, 'Content-Type': 'text/plain' },
      '{"destination":"KGX"}',
      'Content-Type: not the documented one',
    ],
    [
      { ...json, 'Content-Type': 'application/x-www-form-urlencoded' },
      'destination=KGX',
      'Content-Type: not the documented one',
    ],
    [await harness.bearer(), undefined, 'body: a JSON object'],
  ];
  for (const [headers, payload, errorLog] of cases) {
    const answer = await harness.ask('POST', SUBMIT, headers, payload);
    assert.equal(answer.status, 400, errorLog);
    assert.deepEqual(answer.body, failed(errorLog));
  }
  assert.equal(harness.making.length, 0);
});

test('unknown routes are 404 in the envelope, also without a token', async (t) => {
  const harness = openHarness(t);
  for (const url of [
    '/transport',
    '/transport/',
    '/transport/v2/sign-requests',
    '/auth/oauth2/tokens',
    '/auth',
  ]) {
    for (const method of ['GET', 'POST'] as const) {
      const answer = await harness.ask(method, url);
      assert.equal(answer.status, 404, url);
      assert.deepEqual(answer.body, failed('no such route'));
    }
  }
});

test('a wrong method is 405 in the envelope with the allowed one, with any body', async (t) => {
  const harness = openHarness(t);
  for (const [url, allowed, headers] of [
    [SUBMIT, 'POST', await harness.bearer()],
    [REQUESTS, 'GET', await harness.bearer()],
    [`${REQUESTS}/some-id`, 'GET', await harness.bearer()],
    [TOKEN, 'POST', {}],
  ] as const) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
      if (method === allowed) continue;
      const answer = await harness.ask(method, url, { ...headers, 'Content-Type': 'text/plain' }, 'x');
      assert.equal(answer.status, 405, `${method} ${url}`);
      assert.equal(answer.headers['allow'], allowed);
      assert.deepEqual(answer.body, failed(`only ${allowed} is served here`));
    }
  }
  assert.equal((await harness.ask('HEAD', SUBMIT, await harness.bearer())).status, 405);
});

test('over 1,500 requests in 5 minutes the answer is 429 with Retry-After, until the oldest is 5 minutes old', async (t) => {
  const harness = openHarness(t);
  const headers = await harness.bearer();
  const ask = () => harness.ask('GET', REQUESTS, headers);
  await ask();
  harness.clock.advance(10_000);
  for (let n = 1; n < 1500; n += 1) assert.equal((await ask()).status, 400);
  const over = await ask();
  assert.equal(over.status, 429);
  assert.deepEqual(over.body, failed('more than 1500 requests in 5 minutes'));
  assert.equal(over.headers['retry-after'], '290');
  harness.clock.advance(289_999);
  const still = await ask();
  assert.deepEqual([still.status, still.headers['retry-after']], [429, '1']);
  harness.clock.advance(1);
  assert.equal((await ask()).status, 400);
  assert.equal((await ask()).status, 429);
});

test('submits and status requests count towards one rate; requests for tokens and requests without a valid token do not', async (t) => {
  const harness = openHarness(t);
  harness.setLimits({ announcement_requests_per_5_minutes: 2 });
  for (let n = 0; n < 5; n += 1) {
    await harness.token();
    assert.equal((await harness.ask('GET', REQUESTS)).status, 403);
    assert.equal((await harness.ask('GET', REQUESTS, { Authorization: 'Bearer x' })).status, 401);
  }
  assert.equal((await harness.submit(departure)).status, 200);
  assert.equal((await harness.check('00000000-0000-0000-0000-000000000000')).status, 404);
  assert.equal((await harness.submit(departure)).status, 429);
  assert.equal((await harness.token()).status, 200);
});

test('the faults of an operation affect only that operation, in the envelope', async (t) => {
  const harness = openHarness(t);
  const { id } = (await harness.submit(departure)).data;
  const ask = {
    token: () => harness.token(),
    announce: () => harness.submit(departure),
    announcement_status: () => harness.check(id),
  };
  for (const operation of ['token', 'announce', 'announcement_status'] as const) {
    harness.setFaults([{ fault: 'rest_error', status: 503, operation, retry_after: 7, count: 1 }]);
    for (const other of ['token', 'announce', 'announcement_status'] as const) {
      if (other !== operation) assert.equal((await ask[other]()).status, 200);
    }
    const answer = await ask[operation]();
    assert.equal(answer.status, 503);
    assert.deepEqual(answer.body, failed('asked for by a fault'));
    assert.equal(answer.headers['retry-after'], '7');
    assert.equal((await ask[operation]()).status, 200);
  }
});

test('a fault of all operations happens before the token is checked', async (t) => {
  const harness = openHarness(t);
  harness.setFaults([{ fault: 'rest_error', status: 401, count: 1 }]);
  assert.equal((await harness.ask('GET', REQUESTS)).status, 401);
  assert.equal((await harness.ask('GET', REQUESTS)).status, 403);
});
