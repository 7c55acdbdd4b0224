// The token server, and which tokens the announcement API accepts.
import assert from 'node:assert/strict';
import test from 'node:test';
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { basic, CREDENTIALS, openHarness, REQUESTS, SUBMIT, TOKEN } from './harness.ts';
import { eachCase } from '../each-case.ts';

const failed = (errorLog: unknown) => ({ data: { status: 'FAILED', errorLog } });

test('the right credentials get a JWT that lives for an hour', async (t) => {
  const harness = openHarness(t);
  const { status, body, headers } = await harness.token();
  assert.equal(status, 200);
  assert.match(String(headers['content-type']), /^application\/json/);
  assert.deepEqual(Object.keys(body), ['access_token', 'expires_in', 'token_type']);
  assert.deepEqual([body['expires_in'], body['token_type']], [3600, 'Bearer']);
  const token = String(body['access_token']);
  assert.deepEqual(decodeProtectedHeader(token), { alg: 'HS256', typ: 'JWT' });
  const now = harness.clock.now() / 1000;
  assert.deepEqual(decodeJwt(token), {
    iss: 'sign-elements-sandbox',
    sub: 'sandbox-client-id',
    iat: now,
    exp: now + 3600,
  });
});

test('the token that was issued opens the announcement API', async (t) => {
  const harness = openHarness(t);
  const { body } = await harness.token();
  const { status } = await harness.ask(
    'POST',
    SUBMIT,
    { Authorization: `Bearer ${String(body['access_token'])}`, 'Content-Type': 'application/json' },
    '{"destination":"KGX"}',
  );
  assert.equal(status, 200);
});

test('the lifetime of a token is a limit that can be set', async (t) => {
  const harness = openHarness(t);
  harness.setLimits({ token_lifetime_seconds: 5 });
  const headers = await harness.bearer();
  assert.equal((await harness.token()).body['expires_in'], 5);
  harness.clock.advance(4999);
  assert.equal((await harness.ask('GET', REQUESTS, headers)).status, 400);
  harness.clock.advance(1);
  assert.equal((await harness.ask('GET', REQUESTS, headers)).status, 401);
});

const refusals: readonly (readonly [
  what: string,
  headers: Record<string, string>,
  form: string,
  status: number,
  errorLog: string,
])[] = [
  [
    'another secret',
    { Authorization: basic('sandbox-client-id:wrong') },
    'grant_type=client_credentials',
    403,
    'invalid credentials',
  ],
  [
    'an empty secret',
    { Authorization: basic('sandbox-client-id:') },
    'grant_type=client_credentials',
    403,
    'invalid credentials',
  ],
  [
    'another client',
    { Authorization: basic('nobody:sandbox-client-secret') },
    'grant_type=client_credentials',
    404,
    'client not found',
  ],
  [
    'credentials without a colon',
    { Authorization: basic('sandbox-client-id') },
    'grant_type=client_credentials',
    403,
    'Authorization: not Basic credentials',
  ],
  [
    'credentials that are no base64',
    { Authorization: 'Basic %%%' },
    'grant_type=client_credentials',
    403,
    'Authorization: not Basic credentials',
  ],
  [
    'another scheme',
    { Authorization: 'Bearer abc' },
    'grant_type=client_credentials',
    403,
    'Authorization: not Basic credentials',
  ],
  ['no grant type', {}, 'scope=all', 400, 'grant_type: missing'],
  ['an empty form', {}, '', 400, 'grant_type: missing'],
  ['another grant type', {}, 'grant_type=password', 400, 'grant_type: client_credentials only'],
  [
    'a grant type twice',
    {},
    'grant_type=client_credentials&grant_type=client_credentials',
    400,
    'grant_type: client_credentials only',
  ],
  [
    'JSON in place of a form',
    { 'Content-Type': 'application/json' },
    '{"grant_type":"client_credentials"}',
    400,
    'Content-Type: not the documented one',
  ],
  [
    'a form that is too large',
    {},
    `grant_type=client_credentials&x=${'x'.repeat(70_000)}`,
    400,
    'body: too large',
  ],
];

test('the token server refuses a wrong request with the status and the errorLog of its kind', (t) =>
  eachCase(refusals, async ([, headers, form, status, errorLog]) => {
    const answer = await openHarness(t).token(headers, form);
    assert.equal(answer.status, status);
    assert.deepEqual(answer.body, failed(errorLog));
  }));

test('without credentials the token server answers 403 to any form', async (t) => {
  const { status, body } = await openHarness(t).ask('POST', TOKEN, {}, '');
  assert.equal(status, 403);
  assert.deepEqual(body, failed('Authorization: missing'));
});

test('the letter case of the authentication scheme does not matter', async (t) => {
  const harness = openHarness(t);
  assert.equal((await harness.token({ Authorization: CREDENTIALS.replace('Basic', 'basic') })).status, 200);
});

test('without a Bearer token a sign request is 403', async (t) => {
  const harness = openHarness(t);
  for (const headers of [
    {},
    { Authorization: CREDENTIALS },
    { Authorization: 'Bearer' },
    { Authorization: 'Bearer ' },
  ]) {
    for (const [method, url] of [
      ['POST', SUBMIT],
      ['GET', REQUESTS],
      ['GET', `${REQUESTS}/anything`],
    ] as const) {
      const { status, data } = await harness.ask(method, url, headers as Record<string, string>);
      assert.equal(status, 403, `${method} ${url}`);
      assert.equal(data['status'], 'FAILED');
      assert.match(String(data['errorLog']), /^Authorization: /);
    }
  }
});

test('a token that is expired, malformed or not from this server is 401', async (t) => {
  const harness = openHarness(t);
  const { Authorization } = await harness.bearer();
  const [head, claims, signature] = Authorization.slice('Bearer '.length).split('.') as [
    string,
    string,
    string,
  ];
  const key = new TextEncoder().encode('another secret of thirty-two characters');
  const claimsOfOurs = decodeJwt(Authorization.slice('Bearer '.length));
  const foreign = await new SignJWT(claimsOfOurs).setProtectedHeader({ alg: 'HS256' }).sign(key);
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${claims}.`;
  const other = Buffer.from(JSON.stringify({ ...claimsOfOurs, sub: 'x' })).toString('base64url');
  const tokens = [
    'garbage',
    'a.b.c',
    foreign,
    unsigned,
    `${head}.${claims}`,
    `${head}.${other}.${signature}`,
  ];
  for (const token of tokens) {
    const answer = await harness.ask('GET', REQUESTS, { Authorization: `Bearer ${token}` });
    assert.equal(answer.status, 401, token);
    assert.deepEqual(answer.body, failed('the access token is malformed or has expired'));
    assert.match(String(answer.headers['www-authenticate']), /invalid_token/);
  }
  assert.equal((await harness.ask('GET', REQUESTS, { Authorization })).status, 400);
  harness.clock.advance(3_600_000);
  assert.equal((await harness.ask('GET', REQUESTS, { Authorization })).status, 401);
});
