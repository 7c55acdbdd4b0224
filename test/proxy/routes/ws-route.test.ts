// `GET {prefix}/ws/`: which clients are accepted, and what a refused client can find out.
import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { test } from 'node:test';
import { PROBLEM_TYPE, problemSchema } from '../../../src/protocol/problem.ts';
import { isOwnErrorCode } from '../../../src/protocol/own-errors.ts';
import { mountedProxy } from '../mounted-proxy.ts';
import { openClient, refusedUpgrade } from '../client-socket.ts';

const DIAGNOSIS = '/sign/ws/';

test('a listed origin and a request without one are accepted, and the proxy’s own origin while none is listed', async (t) => {
  const site = 'https://site.example';
  const listing = await mountedProxy(t, { env: { SIGN_ALLOWED_ORIGINS: site } });
  const own = await mountedProxy(t);
  for (const [{ pair }, headers] of [
    [listing, { Origin: site }],
    [listing, {}],
    [own, { Origin: own.origin }],
    [own, {}],
  ] as const) {
    const { client } = await pair(headers);
    assert.equal(client.socket.readyState, client.socket.OPEN);
  }
  assert.equal(
    (await refusedUpgrade(listing.address, { Origin: listing.origin })).body.code,
    'origin_refused',
  );
});

for (const origin of ['https://other.example', 'null']) {
  test(`an upgrade from ${origin} is refused 403 before anything reaches the service`, async (t) => {
    const { address, upstream } = await mountedProxy(t);
    const { status, headers, body } = await refusedUpgrade(address, { Origin: origin });
    assert.deepEqual([status, body.code], [403, 'origin_refused']);
    assert.equal(headers['content-type'], PROBLEM_TYPE);
    assert.equal(headers['access-control-allow-origin'], undefined);
    assert.equal(upstream.sessions.all.length, 0);
  });
}

test('an upgrade marked cross-site is refused even without an Origin', async (t) => {
  const { address } = await mountedProxy(t);
  const { body } = await refusedUpgrade(address, { 'Sec-Fetch-Site': 'cross-site' });
  assert.equal(body.code, 'origin_refused');
});

test('one socket more than an address may have is refused with 429, until another one has closed', async (t) => {
  const { address, origin, pair } = await mountedProxy(t, { env: { SIGN_MAX_SOCKETS_PER_CLIENT: '2' } });
  const first = await pair();
  await pair();
  const { status, headers, body } = await refusedUpgrade(address);
  assert.deepEqual([status, body.code], [429, 'too_many_sockets']);
  assert.match(headers['retry-after'] ?? '', /^\d+$/);
  const diagnosis = await fetch(origin + DIAGNOSIS);
  assert.equal(diagnosis.status, 429);
  assert.match(diagnosis.headers.get('retry-after') ?? '', /^\d+$/);
  first.client.socket.close();
  await first.session.closed;
  await pair();
});

test('sockets are counted for the client that a trusted proxy names', async (t) => {
  const { address, pair } = await mountedProxy(t, {
    env: { SIGN_MAX_SOCKETS_PER_CLIENT: '1', SIGN_TRUST_PROXY: '127.0.0.1' },
  });
  await pair({ 'X-Forwarded-For': '203.0.113.1' });
  await pair({ 'X-Forwarded-For': '203.0.113.2' });
  const refusal = await refusedUpgrade(address, { 'X-Forwarded-For': '198.51.100.1, 203.0.113.1' });
  assert.equal(refusal.body.code, 'too_many_sockets');
});

test('an upgrade with a broken handshake is answered 400, and its place is free again', async (t) => {
  const { origin, address, upstream } = await mountedProxy(t, { env: { SIGN_MAX_SOCKETS_PER_CLIENT: '1' } });
  const headers = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' };
  const response = await plainAnswer(`${origin}${DIAGNOSIS}`, {
    ...headers,
    'Sec-WebSocket-Key': 'too short',
  });
  assert.deepEqual([response.status, response.code], [400, 'invalid_request']);
  const client = await openClient(address);
  client.socket.terminate();
  assert.equal(upstream.sessions.all.length <= 1, true);
});

/** fetch() may not set the headers of an upgrade. */
function plainAnswer(
  url: string,
  headers: Record<string, string>,
  method = 'GET',
): Promise<{ status: number; code: unknown; connection: string | undefined }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { headers, method, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        const { code } = JSON.parse(text) as { code: unknown };
        resolve({ status: response.statusCode ?? 0, code, connection: response.headers.connection });
      });
    });
    request.on('upgrade', () => reject(new Error('the upgrade was accepted')));
    request.on('error', reject);
    request.end();
  });
}

test('a request that offers another protocol is answered as a plain one', async (t) => {
  const { origin } = await mountedProxy(t);
  const h2c = { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'HTTP2-Settings': 'AAMAAABkAAQAAP__' };
  const answer = await plainAnswer(origin + DIAGNOSIS, h2c);
  assert.deepEqual([answer.status, answer.code, answer.connection], [426, 'upgrade_required', 'keep-alive']);
});

test('a POST that asks for an upgrade is answered 405', async (t) => {
  const { origin } = await mountedProxy(t);
  const headers = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' };
  assert.equal((await plainAnswer(origin + DIAGNOSIS, headers, 'POST')).status, 405);
});

const unknownPaths = ['/sign/ws', '/ws/', '/sign/ws/more', '/sign/other'];
for (const path of unknownPaths) {
  test(`an upgrade of ${path} is answered 404 when nobody else listens for upgrades`, async (t) => {
    const { origin } = await mountedProxy(t);
    const headers = {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    };
    assert.equal((await plainAnswer(origin + path, headers)).status, 404);
  });
}

test('the diagnosis of a relay that would work is 426 upgrade_required', async (t) => {
  const { origin } = await mountedProxy(t);
  const response = await fetch(origin + DIAGNOSIS, { headers: { 'X-Request-Id': 'client.1_A-z' } });
  assert.equal(response.status, 426);
  assert.equal(response.headers.get('upgrade'), 'websocket');
  assert.equal(response.headers.get('content-type'), PROBLEM_TYPE);
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
  assert.equal(response.headers.get('x-request-id'), 'client.1_A-z');
  assert.equal(response.headers.get('cache-control'), 'no-store');
  const problem = problemSchema.parse(await response.json());
  assert.deepEqual(
    [problem.code, problem.status, problem.title],
    ['upgrade_required', 426, 'Upgrade Required'],
  );
});

test('a request id that could break a log or a header is replaced', async (t) => {
  const { origin } = await mountedProxy(t);
  for (const id of ['a b', 'x'.repeat(65), '<script>', '']) {
    const response = await fetch(origin + DIAGNOSIS, { headers: { 'X-Request-Id': id } });
    assert.match(response.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
  }
});

test('the diagnosis is 502 upstream_unreachable when the service cannot be reached', async (t) => {
  const { origin, upstream } = await mountedProxy(t);
  upstream.status = 503;
  const response = await fetch(origin + DIAGNOSIS);
  assert.equal(response.status, 502);
  assert.equal(((await response.json()) as { code: string }).code, 'upstream_unreachable');
});

test('the diagnosis of a proxy that drains is 503 restarting, and so is an upgrade', async (t) => {
  const { origin, address, started, proxy, clock } = await mountedProxy(t);
  const { client } = await started();
  client.socket.pause();
  const drained = proxy.close();
  const response = await fetch(origin + DIAGNOSIS);
  assert.equal(response.status, 503);
  assert.equal(((await response.json()) as { code: string }).code, 'restarting');
  assert.equal((await refusedUpgrade(address)).body.code, 'restarting');
  const ready = await fetch(`${origin}/readyz`);
  assert.equal(ready.status, 503);
  assert.deepEqual(((await ready.json()) as { down: string[] }).down, ['proxy']);
  client.socket.resume();
  assert.deepEqual(await client.closed, { code: 1012, reason: 'restarting' });
  clock.advance(5_000);
  await drained;
});

test('for SIGN_DRAIN_DELAY seconds everything is served while /readyz says that the proxy leaves', async (t) => {
  const { origin, started, proxy, clock } = await mountedProxy(t, { env: { SIGN_DRAIN_DELAY: '20' } });
  const { client } = await started();
  const drained = proxy.close();
  clock.advance(19_999);
  assert.equal((await fetch(`${origin}/readyz`)).status, 503);
  assert.equal((await fetch(`${origin}/healthz`)).status, 200);
  const late = await started();
  assert.equal(client.socket.readyState, client.socket.OPEN);
  clock.advance(1);
  for (const { closed } of [client, late.client]) assert.equal((await closed).code, 1012);
  await drained;
});

test('an allowed origin can read every answer, errors too; another one can read none', async (t) => {
  const site = 'https://site.example';
  const { origin } = await mountedProxy(t, { env: { SIGN_ALLOWED_ORIGINS: site } });
  for (const path of [DIAGNOSIS, '/sign/nothing-here']) {
    const { headers } = await fetch(origin + path, { headers: { Origin: site } });
    assert.equal(headers.get('access-control-allow-origin'), site);
    assert.equal(headers.get('access-control-expose-headers'), 'Retry-After, X-Request-Id');
    assert.equal(headers.get('access-control-allow-credentials'), null);
    assert.equal(headers.get('vary'), 'Origin');
    const refused = await fetch(origin + path, { headers: { Origin: 'https://other.example' } });
    assert.equal(refused.status, 403);
    assert.equal(refused.headers.get('access-control-allow-origin'), null);
    assert.equal(refused.headers.get('vary'), 'Origin');
  }
});

test('a preflight is answered by the proxy, for allowed origins alone', async (t) => {
  const site = 'https://site.example';
  const { origin, upstream } = await mountedProxy(t, { env: { SIGN_ALLOWED_ORIGINS: site } });
  const preflight = (from: string): Promise<Response> =>
    fetch(origin + DIAGNOSIS, {
      method: 'OPTIONS',
      headers: {
        Origin: from,
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'x-request-id',
      },
    });
  const allowed = await preflight(site);
  assert.equal(allowed.status, 204);
  assert.equal(allowed.headers.get('access-control-allow-origin'), site);
  assert.match(allowed.headers.get('access-control-allow-headers') ?? '', /x-request-id/i);
  assert.equal((await preflight('https://other.example')).status, 403);
  assert.equal(upstream.checks.length, 0);
});

test('another method is 405 with Allow, an unknown path 404, both as problems', async (t) => {
  const { origin } = await mountedProxy(t);
  const post = await fetch(origin + DIAGNOSIS, {
    method: 'POST',
    body: '<a/>',
    headers: { 'Content-Type': 'text/xml' },
  });
  assert.deepEqual([post.status, post.headers.get('allow')], [405, 'GET, HEAD']);
  assert.equal(post.headers.get('content-type'), PROBLEM_TYPE);
  const unknown = await fetch(`${origin}/sign/v3/generate`, { method: 'POST', body: '{}' });
  assert.equal(unknown.status, 404);
  assert.equal(((await unknown.json()) as { code: string }).code, 'not_found');
});

test('every code of the diagnosis is one that a client knows', async (t) => {
  const { origin, upstream } = await mountedProxy(t);
  const codeOf = async (headers: Record<string, string>): Promise<string> =>
    ((await (await fetch(origin + DIAGNOSIS, { headers })).json()) as { code: string }).code;
  upstream.status = 502;
  for (const code of [await codeOf({ Origin: 'null' }), await codeOf({})])
    assert.ok(isOwnErrorCode(code), code);
});
