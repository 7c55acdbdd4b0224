// `POST v2/generate`, `POST v1/generate`, `GET v1/status/{job_id}`, `GET v1/silence`: what goes up. Policy: the service
// sees our key, the body as it was checked, and of the rest of a page's request only what is on the list; each case
// looks at what reached the service.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { API_KEY, mountedProxy } from './mounted-proxy.ts';
import { bodyFor, JOB, json, post } from './translation-exchange.ts';

for (const path of ['/v2/generate', '/v1/generate']) {
  test(`POST ${path} goes up with its body and our key, and comes down as it was answered`, async (t) => {
    const proxy = await mountedProxy(t);
    proxy.upstream.answer = (response) => json(response, JOB);
    const response = await post(proxy, bodyFor(), { 'X-Request-Id': 'page-1' }, path);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'application/json');
    assert.equal(response.headers.get('x-request-id'), 'page-1');
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.deepEqual(await response.json(), JOB);
    const { request, body } = await proxy.upstream.asked.next();
    assert.deepEqual([request.method, request.url], ['POST', path]);
    assert.equal(request.headers['x-api-key'], API_KEY);
    assert.deepEqual(JSON.parse(body), bodyFor());
  });
}

test('nothing of a page’s headers goes up but Content-Type, Accept and the request id', async (t) => {
  const proxy = await mountedProxy(t);
  proxy.upstream.answer = (response) => json(response, JOB);
  await post(proxy, bodyFor(), {
    Accept: 'application/json',
    Authorization: 'Bearer of-the-page',
    Cookie: 'a=b',
    Forwarded: 'for=192.0.2.1',
    'Accept-Language': 'en',
    'User-Agent': 'a page',
    'X-API-KEY': 'of-the-page',
    'X-Forwarded-For': '192.0.2.1',
    'X-Forwarded-Host': 'evil.example',
    'X-Request-Id': 'page-1',
    'X-Unknown': 'a',
  });
  const { request } = await proxy.upstream.asked.next();
  const { host, connection, 'content-length': length, ...headers } = request.headers;
  assert.deepEqual(headers, {
    accept: 'application/json',
    'content-type': 'application/json',
    'x-api-key': API_KEY,
    'x-request-id': 'page-1',
  });
  assert.equal(host, new URL(proxy.upstream.url).host);
  assert.equal(connection, 'keep-alive');
  assert.equal(length, String(Buffer.byteLength(JSON.stringify(bodyFor()))));
});

test('with SIGN_FORWARD_CLIENT_ADDRESS the service is told the client’s address, in our words', async (t) => {
  const proxy = await mountedProxy(t, {
    env: { SIGN_FORWARD_CLIENT_ADDRESS: '1', SIGN_TRUST_PROXY: '127.0.0.1' },
  });
  await post(proxy, bodyFor(), { 'X-Forwarded-For': '192.0.2.9, 2001:db8::7' });
  const { request } = await proxy.upstream.asked.next();
  assert.equal(request.headers['x-forwarded-for'], '2001:db8::7');
});

test('without a key none goes up', async (t) => {
  const proxy = await mountedProxy(t, { config: { apiKey: null } });
  await post(proxy, bodyFor());
  const { request } = await proxy.upstream.asked.next();
  assert.equal(request.headers['x-api-key'], undefined);
});

test('a request id that is none is made anew, and the same goes up and comes down', async (t) => {
  const proxy = await mountedProxy(t);
  const response = await post(proxy, bodyFor(), { 'X-Request-Id': 'a b' });
  const { request } = await proxy.upstream.asked.next();
  assert.match(String(request.headers['x-request-id']), /^[0-9a-f-]{36}$/);
  assert.equal(response.headers.get('x-request-id'), request.headers['x-request-id']);
});

test('a text of exactly as many bytes as allowed passes, and so do keys that nobody knows', async (t) => {
  const proxy = await mountedProxy(t, { env: { SIGN_MAX_TEXT_BYTES: '20' } });
  const body = { ...bodyFor('stream', 'é'.repeat(10)), tomorrow: { a: null } };
  await post(proxy, body);
  assert.deepEqual(JSON.parse((await proxy.upstream.asked.next()).body), body);
});

test('a key that stands twice goes up once, as it was checked', async (t) => {
  const proxy = await mountedProxy(t);
  const delivery = '{"method":"push","method":"stream"}';
  await post(proxy, `{"content":{"data":"a"},"output":{"delivery":${delivery}}}`);
  const { body } = await proxy.upstream.asked.next();
  assert.equal(body, '{"content":{"data":"a"},"output":{"delivery":{"method":"stream"}}}');
});

test('a job is asked by its id, without a query', async (t) => {
  const { origin, upstream } = await mountedProxy(t);
  upstream.answer = (response) => json(response, JOB);
  const response = await fetch(`${origin}/sign/v1/status/3f2c-a_b.c~d:1?x=1`);
  assert.deepEqual(await response.json(), JOB);
  const { request } = await upstream.asked.next();
  assert.deepEqual([request.method, request.url], ['GET', '/v1/status/3f2c-a_b.c~d%3A1']);
  assert.equal(request.headers['content-type'], undefined);
});

test('of the query of silence four parameters go up, encoded anew', async (t) => {
  const { origin, upstream } = await mountedProxy(t);
  await fetch(
    `${origin}/sign/v1/silence?language=bsl&signer=a%26b&format=mp4&transparent=true&x=1&X-API-KEY=a`,
  );
  const { request } = await upstream.asked.next();
  assert.equal(request.url, '/v1/silence?language=bsl&signer=a%26b&format=mp4&transparent=true');
  await fetch(`${origin}/sign/v1/silence`);
  assert.equal((await upstream.asked.next()).request.url, '/v1/silence');
});
