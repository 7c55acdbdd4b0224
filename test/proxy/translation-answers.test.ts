// What comes down to a page that asked for a translation. Policy: the service's answer as it is, its errors too, but
// for redirects, headers that are not on the list, and secrets.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { API_KEY, mountedProxy } from './mounted-proxy.ts';
import { bodyFor, JOB, json, post, refusal, TOKEN } from './translation-exchange.ts';

test('a 303 becomes 200 with the Location as mediaUrl', async (t) => {
  const proxy = await mountedProxy(t);
  const mediaUrl = 'https://media.example/clip.mp4?signature=a%2Fb&expires=1';
  proxy.upstream.answer = (response) => void response.writeHead(303, { location: mediaUrl }).end();
  const response = await post(proxy, bodyFor('download'));
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
  assert.deepEqual(await response.json(), { mediaUrl });
});

for (const [what, status, location] of [
  ['a 303 without a Location', 303, undefined],
  ['a 303 to a script', 303, 'javascript:alert(1)'],
  ['a 303 to what is no URL', 303, 'http://'],
  ['another redirect', 302, 'https://media.example/clip.mp4'],
] as const) {
  test(`${what} is 502 protocol_error, and nobody follows it`, async (t) => {
    const proxy = await mountedProxy(t);
    proxy.upstream.answer = (response) =>
      void response.writeHead(status, location === undefined ? {} : { location }).end();
    const response = await post(proxy, bodyFor('download'));
    const { status: answered, code } = await refusal(response);
    assert.deepEqual([answered, code], [502, 'protocol_error']);
    assert.equal(response.headers.get('location'), null);
    assert.equal(proxy.upstream.asked.all.length, 1);
  });
}

for (const status of [400, 401, 404, 422, 429, 500, 503]) {
  test(`the service’s own ${status} comes down as it is`, async (t) => {
    const proxy = await mountedProxy(t);
    const error = { error: 'validation_error', details: 'content.data: é' };
    proxy.upstream.answer = (response) => json(response, error, { 'retry-after': '7' }, status);
    const response = await post(proxy, bodyFor());
    assert.equal(response.status, status);
    assert.equal(response.headers.get('retry-after'), '7');
    assert.deepEqual(await response.json(), error);
  });
}

test('of the service’s headers only four come down', async (t) => {
  const proxy = await mountedProxy(t);
  proxy.upstream.answer = (response) =>
    json(response, JOB, {
      'cache-control': 'private, max-age=5',
      'retry-after': '3',
      'x-request-id': 'of-the-service',
      'set-cookie': 'a=b',
      'access-control-allow-origin': '*',
      'access-control-allow-credentials': 'true',
      server: 'a service',
      'x-internal': 'a',
      'strict-transport-security': 'max-age=1',
    });
  const { headers } = await post(proxy, bodyFor());
  const own = ['connection', 'content-length', 'date', 'keep-alive', 'vary', 'x-content-type-options'];
  assert.deepEqual(Object.fromEntries([...headers].filter(([name]) => !own.includes(name))), {
    'cache-control': 'private, max-age=5',
    'content-security-policy': "default-src 'none'; sandbox",
    'content-type': 'application/json',
    'retry-after': '3',
    'x-request-id': 'of-the-service',
  });
});

test('a secret is taken out of bodies, headers and locations of the service', async (t) => {
  const proxy = await mountedProxy(t, { env: { SIGN_OPERATOR_TOKEN: TOKEN } });
  const answers: ((response: ServerResponse) => void)[] = [
    (response) => json(response, { error: `bad key ${API_KEY}, ${TOKEN}` }, {}, 401),
    (response) => json(response, JOB, { 'cache-control': TOKEN, 'x-request-id': TOKEN }),
    (response) =>
      void response
        .writeHead(303, { location: `https://media.example/?key=${encodeURIComponent(API_KEY)}` })
        .end(),
  ];
  for (const answer of answers) {
    proxy.upstream.answer = answer;
    const response = await post(proxy, bodyFor());
    const all = JSON.stringify([...response.headers]) + (await response.text());
    assert.ok(all.includes('[redacted]'), all);
    for (const secret of [TOKEN, 'account', encodeURIComponent(API_KEY)])
      assert.ok(!all.includes(secret), all);
  }
});

test('a secret as long as a signed token is taken out too', async (t) => {
  // Random, as a pattern of it would be: nothing in it repeats.
  const secret = randomBytes(6_000).toString('base64url');
  const proxy = await mountedProxy(t, { env: { SIGN_API_KEY: secret } });
  const inBase64 = Buffer.from(`:${secret}`).toString('base64');
  proxy.upstream.answer = (response) => json(response, { said: secret, encoded: inBase64 });
  const response = await post(proxy, bodyFor());
  assert.equal(response.status, 200);
  assert.match(
    await response.text(),
    /^\{"said":"\[redacted\]","encoded":"[^"]{0,2}\[redacted\][^"]{0,2}"\}$/,
  );
});

for (const [asked, said] of Object.entries({ soon: '5', '': '5', '-3': '5', '1.5': '5', '20': '20' })) {
  test(`a 429 of the service with Retry-After “${asked}” comes down with ${said} s`, async (t) => {
    const proxy = await mountedProxy(t);
    proxy.upstream.answer = (response) => json(response, {}, { 'retry-after': asked }, 429);
    assert.equal((await post(proxy, bodyFor())).headers.get('retry-after'), said);
  });
}

test('a page that hangs up is not waited for any longer', async (t) => {
  const { origin, upstream } = await mountedProxy(t);
  const hungUp = new Promise((resolve) => {
    upstream.answer = (response) => void response.once('close', resolve);
  });
  const page = new AbortController();
  const answer = fetch(`${origin}/sign/v1/silence`, { signal: page.signal });
  await upstream.asked.next();
  page.abort();
  await assert.rejects(answer, { name: 'AbortError' });
  await hungUp;
});
