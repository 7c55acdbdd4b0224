// Which parts of a translation request go to the service, and which parts of the response come to the client.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { API_KEY, mountedProxy } from '../mounted-proxy.ts';
import { bodyFor, JOB, json, post, refusal, TOKEN } from '../translation-exchange.ts';

for (const path of ['/v2/generate', '/v1/generate']) {
  test(`POST ${path} goes up with its body and our key, and comes down as it was answered`, async (t) => {
    const proxy = await mountedProxy(t);
    proxy.upstream.answer = (response) => json(response, JOB);
    const response = await post(proxy, bodyFor(), { 'X-Request-Id': 'client-1' }, path);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'application/json');
    assert.equal(response.headers.get('x-request-id'), 'client-1');
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.deepEqual(await response.json(), JOB);
    const { request, body } = await proxy.upstream.asked.next();
    assert.deepEqual([request.method, request.url], ['POST', path]);
    assert.equal(request.headers['x-api-key'], API_KEY);
    assert.deepEqual(JSON.parse(body), bodyFor());
  });
}

test('nothing of a client’s headers goes up but Content-Type, Accept and the request id', async (t) => {
  const proxy = await mountedProxy(t);
  proxy.upstream.answer = (response) => json(response, JOB);
  await post(proxy, bodyFor(), {
    Accept: 'application/json',
    Authorization: 'Bearer of-the-client',
    Cookie: 'a=b',
    Forwarded: 'for=192.0.2.1',
    'Accept-Language': 'en',
    'User-Agent': 'a client',
    'X-API-KEY': 'of-the-client',
    'X-Forwarded-For': '192.0.2.1',
    'X-Forwarded-Host': 'evil.example',
    'X-Request-Id': 'client-1',
    'X-Unknown': 'a',
  });
  const { request } = await proxy.upstream.asked.next();
  const { host, connection, 'content-length': length, ...headers } = request.headers;
  assert.deepEqual(headers, {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'content-type': 'application/json',
    'x-api-key': API_KEY,
    'x-request-id': 'client-1',
  });
  assert.equal(host, new URL(proxy.upstream.url).host);
  assert.equal(connection, 'keep-alive');
  assert.equal(length, String(Buffer.byteLength(JSON.stringify(bodyFor()))));
});

test('with SIGN_FORWARD_CLIENT_ADDRESS the service gets the client’s address in a header of our own making', async (t) => {
  const proxy = await mountedProxy(t, {
    env: { SIGN_FORWARD_CLIENT_ADDRESS: '1', SIGN_TRUST_PROXY: '127.0.0.1' },
  });
  await post(proxy, bodyFor(), { 'X-Forwarded-For': '192.0.2.9, 2001:db8::7' });
  const { request } = await proxy.upstream.asked.next();
  assert.equal(request.headers['x-forwarded-for'], '2001:db8::7');
});

test('without a configured key no key goes up', async (t) => {
  const proxy = await mountedProxy(t, { config: { apiKey: null } });
  await post(proxy, bodyFor());
  const { request } = await proxy.upstream.asked.next();
  assert.equal(request.headers['x-api-key'], undefined);
});

test('an invalid request id is replaced by a new one, which goes up and comes down', async (t) => {
  const proxy = await mountedProxy(t);
  const response = await post(proxy, bodyFor(), { 'X-Request-Id': 'a b' });
  const { request } = await proxy.upstream.asked.next();
  assert.match(String(request.headers['x-request-id']), /^[0-9a-f-]{36}$/);
  assert.equal(response.headers.get('x-request-id'), request.headers['x-request-id']);
});

test('a text of exactly as many bytes as allowed passes, and so do unknown keys of the body', async (t) => {
  const proxy = await mountedProxy(t, { env: { SIGN_MAX_TEXT_BYTES: '20' } });
  const body = { ...bodyFor('stream', 'é'.repeat(10)), tomorrow: { a: null } };
  await post(proxy, body);
  assert.deepEqual(JSON.parse((await proxy.upstream.asked.next()).body), body);
});

test('of a page’s context only the application goes up, and no screenId; of the operator’s everything', async (t) => {
  const proxy = await mountedProxy(t, { env: { SIGN_OPERATOR_TOKEN: TOKEN } });
  const body = {
    content: { type: 'text', data: 'Hello.', tomorrow: 1 },
    output: { format: 'hls', delivery: { method: 'stream', config: { screenId: 7, lowLatencyMode: true } } },
    context: { application: 'test', location: 'London', screenId: 7, gate: 12 },
  };
  const sent = async (headers: Record<string, string>): Promise<unknown> => {
    assert.equal((await post(proxy, body, headers)).status, 426);
    return JSON.parse((await proxy.upstream.asked.next()).body);
  };
  const delivery = { method: 'stream', config: { lowLatencyMode: true } };
  const ofPage = { ...body, output: { format: 'hls', delivery }, context: { application: 'test' } };
  assert.deepEqual(await sent({}), ofPage);
  assert.deepEqual(await sent({ Authorization: `Bearer ${TOKEN}x` }), ofPage);
  assert.deepEqual(await sent({ Authorization: `Bearer ${TOKEN}` }), body);
});

test('a key that is there twice goes up once, as it was checked', async (t) => {
  const proxy = await mountedProxy(t);
  const delivery = '{"method":"push","method":"stream"}';
  await post(proxy, `{"content":{"data":"a"},"output":{"delivery":${delivery}}}`);
  const { body } = await proxy.upstream.asked.next();
  assert.equal(body, '{"content":{"data":"a"},"output":{"delivery":{"method":"stream"}}}');
});

test('a job is requested by its id, without a query', async (t) => {
  const { origin, upstream } = await mountedProxy(t);
  upstream.answer = (response) => json(response, JOB);
  const response = await fetch(`${origin}/sign/v1/status/3f2c-a_b.c~d:1?x=1`);
  assert.deepEqual(await response.json(), JOB);
  const { request } = await upstream.asked.next();
  assert.deepEqual([request.method, request.url], ['GET', '/v1/status/3f2c-a_b.c~d%3A1']);
  assert.equal(request.headers['content-type'], undefined);
});

test('an id in base64 goes up as it came, encoded', async (t) => {
  const { origin, upstream } = await mountedProxy(t);
  upstream.answer = (response) => json(response, JOB);
  const id = 'am9i+Nw==';
  assert.equal((await fetch(`${origin}/sign/v1/status/${encodeURIComponent(id)}`)).status, 200);
  const { request } = await upstream.asked.next();
  assert.equal(request.url, '/v1/status/am9i%2BNw%3D%3D');
});

test('only four parameters of a silence query go up, encoded again', async (t) => {
  const { origin, upstream } = await mountedProxy(t);
  await fetch(
    `${origin}/sign/v1/silence?language=bsl&signer=a%26b&format=mp4&transparent=true&x=1&X-API-KEY=a`,
  );
  const { request } = await upstream.asked.next();
  assert.equal(request.url, '/v1/silence?language=bsl&signer=a%26b&format=mp4&transparent=true');
  await fetch(`${origin}/sign/v1/silence`);
  assert.equal((await upstream.asked.next()).request.url, '/v1/silence');
});

test('a 303 becomes 200 with the Location as mediaUrl', async (t) => {
  const proxy = await mountedProxy(t);
  const mediaUrl = 'https://media.example/clip.mp4?signature=a%2Fb&expires=1';
  proxy.upstream.answer = (response) => void response.writeHead(303, { location: mediaUrl }).end();
  const response = await post(proxy, bodyFor('download'));
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
  assert.deepEqual(await response.json(), { mediaUrl });
});

test('letters of a Location that are not escaped are taken as a browser takes them', async (t) => {
  const proxy = await mountedProxy(t);
  const location = Buffer.from('https://media.example/Grüße.mp4').toString('latin1');
  proxy.upstream.answer = (response) => void response.writeHead(303, { location }).end();
  const response = await post(proxy, bodyFor('download'));
  assert.deepEqual(await response.json(), { mediaUrl: 'https://media.example/Gr%C3%BC%C3%9Fe.mp4' });
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
  // Random, because nothing repeats in a signed token either.
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

for (const [status, body, code] of [
  [404, '<p>Cannot POST /v2/generate</p>', 'not_found'],
  [404, '', 'not_found'],
  [405, 'Method Not Allowed', 'invalid_request'],
] as const) {
  test(`a ${status} of the service with “${body}” is a problem, because clients take it for a server that is no proxy`, async (t) => {
    const proxy = await mountedProxy(t);
    proxy.upstream.answer = (response) =>
      void response.writeHead(status, { 'content-type': 'text/plain' }).end(body);
    const answers = [await post(proxy, bodyFor()), await fetch(`${proxy.origin}/sign/v1/silence`)];
    for (const answer of answers) {
      const refused = await refusal(answer);
      assert.deepEqual([refused.status, refused.code], [status, code]);
    }
  });
}

for (const [asked, said] of Object.entries({
  soon: '5',
  '': '5',
  '-3': '5',
  '1.5': '5',
  '20': '20',
  '999999999': '3600',
})) {
  test(`a 429 of the service with Retry-After “${asked}” comes down with ${said} s`, async (t) => {
    const proxy = await mountedProxy(t);
    proxy.upstream.answer = (response) => json(response, {}, { 'retry-after': asked }, 429);
    assert.equal((await post(proxy, bodyFor())).headers.get('retry-after'), said);
  });
}

test('when a client closes its connection, its request to the service is aborted', async (t) => {
  const { origin, upstream } = await mountedProxy(t);
  const hungUp = new Promise((resolve) => {
    upstream.answer = (response) => void response.once('close', resolve);
  });
  const client = new AbortController();
  const answer = fetch(`${origin}/sign/v1/status/job`, { signal: client.signal });
  await upstream.asked.next();
  client.abort();
  await assert.rejects(answer, { name: 'AbortError' });
  await hungUp;
});
