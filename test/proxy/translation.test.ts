// `POST v2/generate`, `POST v1/generate`, `GET v1/status/{job_id}`, `GET v1/silence`: what goes up, what comes down, and
// what does neither.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest, type ServerResponse } from 'node:http';
import { test } from 'node:test';
import { PROBLEM_TYPE } from '../../src/protocol/problem.ts';
import { API_KEY, mountedProxy, type MountedProxy } from './mounted-proxy.ts';

const TOKEN = 'token-of-the-operator';
const JOB = { jobId: 'job-1', status: 'processing' };

const bodyFor = (method = 'stream', data = 'Hello.') => ({
  content: { type: 'text', data },
  output: { format: 'hls', delivery: { method, config: { lowLatencyMode: true, tomorrow: [1] } } },
  context: { application: 'test' },
});

function json(response: ServerResponse, body: unknown, headers: Record<string, string> = {}, status = 200) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

const post = (
  { origin }: MountedProxy,
  body: unknown,
  headers: Record<string, string> = {},
  path = '/v2/generate',
): Promise<Response> =>
  fetch(`${origin}/sign${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

interface Refusal {
  readonly code: string;
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
}

async function refusal(response: Response): Promise<Refusal & { readonly status: number }> {
  assert.equal(response.headers.get('content-type'), PROBLEM_TYPE);
  return { ...((await response.json()) as Refusal), status: response.status };
}

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

for (const [what, body, field] of [
  ['no content', { output: {} }, 'content'],
  ['a content that is a list', { content: [] }, 'content'],
  ['a text that is a number', { content: { data: 1 } }, 'content.data'],
  ['a text one byte too long', { content: { data: `${'é'.repeat(9)}abc` } }, 'content.data'],
  ['an output that is a text', { content: { data: '' }, output: '' }, 'output'],
  ['a delivery that is null', { content: { data: '' }, output: { delivery: null } }, 'output.delivery'],
  [
    'a method that is a list',
    { content: { data: '' }, output: { delivery: { method: ['display'] } } },
    'output.delivery.method',
  ],
  ['a body that is a list', [], ''],
  ['a body 17 levels deep', `${'{"a":'.repeat(17)}1${'}'.repeat(17)}`, ''],
] as const) {
  test(`${what} is 400 invalid_request naming the field, and nothing goes up`, async (t) => {
    const proxy = await mountedProxy(t, { env: { SIGN_MAX_TEXT_BYTES: '20' } });
    const { status, code, errors } = await refusal(await post(proxy, body));
    assert.deepEqual([status, code, errors?.map((error) => error.field)], [400, 'invalid_request', [field]]);
    assert.equal(proxy.upstream.asked.all.length, 0);
  });
}

test('every wrong field is named at once', async (t) => {
  const proxy = await mountedProxy(t);
  const { errors } = await refusal(
    await post(proxy, { content: { data: 1 }, output: { delivery: { method: 2 } } }),
  );
  assert.deepEqual(
    errors?.map(({ field }) => field),
    ['content.data', 'output.delivery.method'],
  );
});

for (const [what, status, body, type] of [
  ['a body that is no JSON', 400, '{"content":', 'application/json'],
  ['an empty body', 400, '', 'application/json'],
  ['a body with __proto__', 400, '{"content":{"data":""},"__proto__":{}}', 'application/json'],
  ['a form', 415, 'a=b', 'application/x-www-form-urlencoded'],
  ['plain text', 415, '{}', 'text/plain'],
  ['a body over 256 kB', 413, JSON.stringify({ a: 'a'.repeat(256 * 1024) }), 'application/json'],
] as const) {
  test(`${what} is ${status} invalid_request, and nothing goes up`, async (t) => {
    const proxy = await mountedProxy(t);
    const answer = await refusal(await post(proxy, body, { 'Content-Type': type }));
    assert.deepEqual([answer.status, answer.code], [status, 'invalid_request']);
    assert.equal(proxy.upstream.asked.all.length, 0);
  });
}

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

for (const method of ['display', 'push', 'Display', ' PUSH ']) {
  test(`delivery by "${method}" needs the operator’s token`, async (t) => {
    const closed = await mountedProxy(t);
    const none = await refusal(await post(closed, bodyFor(method), { Authorization: `Bearer ${TOKEN}` }));
    assert.deepEqual([none.status, none.code], [403, 'operator_only']);

    const proxy = await mountedProxy(t, { env: { SIGN_OPERATOR_TOKEN: TOKEN } });
    for (const headers of [{}, { Authorization: `Bearer ${TOKEN}x` }, { Authorization: `Basic ${TOKEN}` }]) {
      const response = await post(proxy, bodyFor(method), headers as Record<string, string>);
      assert.equal(response.headers.get('www-authenticate'), 'Bearer');
      const { status, code } = await refusal(response);
      assert.deepEqual([status, code], [401, 'unauthorized']);
    }
    assert.equal(proxy.upstream.asked.all.length, 0);
    await post(proxy, bodyFor(method), { Authorization: `Bearer ${TOKEN}` });
    const { request } = await proxy.upstream.asked.next();
    assert.equal(request.headers.authorization, undefined);
  });
}

test('a name that a rule depends on has to be written as documented', async (t) => {
  const proxy = await mountedProxy(t);
  for (const [field, body] of [
    ['Content', { Content: { data: 'a' }, content: { data: 'b' } }],
    ['content.DATA', { content: { data: 'a', DATA: 'b' } }],
    ['output.delivery.Method', { content: { data: 'a' }, output: { delivery: { Method: 'push' } } }],
    [
      'output.delivery.config.Logo',
      { content: { data: 'a' }, output: { delivery: { config: { Logo: {} } } } },
    ],
  ] as const) {
    const { status, errors } = await refusal(await post(proxy, body));
    assert.deepEqual([status, errors?.map((error) => error.field)], [400, [field]]);
  }
  assert.equal(proxy.upstream.asked.all.length, 0);
});

test('a logo or any other address in the options has to be public', async (t) => {
  const proxy = await mountedProxy(t, {
    resolve: async (name) => (name === 'public.example' ? ['93.184.216.34'] : []),
  });
  const withConfig = (config: object) => ({
    content: { data: 'http://127.0.0.1/' },
    output: { delivery: { config } },
  });
  for (const [field, config] of [
    ['logo.url', { logo: { url: 'http://169.254.169.254/' } }],
    ['logo.url.0', { logo: { url: ['http://169.254.169.254/'] } }],
    ['tomorrow.a', { tomorrow: { a: 'https://localhost/' } }],
  ] as const) {
    const { status, errors } = await refusal(await post(proxy, withConfig(config)));
    assert.deepEqual(
      [status, errors?.map((error) => error.field)],
      [400, [`output.delivery.config.${field}`]],
    );
  }
  assert.equal(proxy.upstream.asked.all.length, 0);
  const logo = { url: 'https://public.example/logo.png', position: 'top-left' };
  assert.equal((await post(proxy, withConfig({ logo }))).status, 426);
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

for (const id of [
  '..%2Fsilence',
  '%2e%2e',
  '..%5c..',
  'a%2Fb',
  'a%00',
  'a%0d%0ab',
  'a%20b',
  'a%3Fb',
  '%C3%A9',
]) {
  test(`the job id ${id} is refused 400 and does not go up`, async (t) => {
    const { origin, upstream } = await mountedProxy(t);
    // As it stands: fetch() would resolve the dots.
    const request = httpRequest(origin, { path: `/sign/v1/status/${id}`, agent: false }).end();
    const [response] = (await once(request, 'response')) as [{ statusCode: number; resume(): void }];
    response.resume();
    assert.equal(response.statusCode, 400);
    assert.equal(upstream.asked.all.length, 0);
  });
}

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

test('a parameter that stands twice, or is too long, is 400 and does not go up', async (t) => {
  const { origin, upstream } = await mountedProxy(t);
  for (const query of ['language=bsl&language=asl', `signer=${'a'.repeat(2049)}`]) {
    const { status, errors } = await refusal(await fetch(`${origin}/sign/v1/silence?${query}`));
    assert.deepEqual([status, errors?.[0]?.field], [400, query.split('=')[0]]);
  }
  assert.equal(upstream.asked.all.length, 0);
});

test('methods that a path does not serve are 405 with Allow', async (t) => {
  const { origin, upstream } = await mountedProxy(t);
  for (const [path, method, allow] of [
    ['/v2/generate', 'GET', 'POST'],
    ['/v1/generate', 'DELETE', 'POST'],
    ['/v1/status/a', 'POST', 'GET, HEAD'],
    ['/v1/silence', 'PUT', 'GET, HEAD'],
    ['/v1/silence', 'OPTIONS', 'GET, HEAD'],
  ] as const) {
    const response = await fetch(`${origin}/sign${path}`, { method });
    assert.deepEqual([response.status, response.headers.get('allow')], [405, allow]);
  }
  assert.equal(upstream.asked.all.length, 0);
});

test('an origin that is not allowed is refused before its body is read; an allowed one reads errors too', async (t) => {
  const site = 'https://site.example';
  const proxy = await mountedProxy(t, { env: { SIGN_ALLOWED_ORIGINS: site } });
  for (const headers of [
    { Origin: 'https://other.example' },
    { Origin: 'null' },
    { 'Sec-Fetch-Site': 'cross-site' },
  ]) {
    const response = await post(proxy, bodyFor(), headers as Record<string, string>);
    assert.equal(response.headers.get('access-control-allow-origin'), null);
    const { status, code } = await refusal(response);
    assert.deepEqual([status, code], [403, 'origin_refused']);
  }
  assert.equal(proxy.upstream.asked.all.length, 0);
  for (const body of [bodyFor(), '{']) {
    const { headers } = await post(proxy, body, { Origin: site });
    assert.equal(headers.get('access-control-allow-origin'), site);
    assert.equal(headers.get('access-control-expose-headers'), 'Retry-After, X-Request-Id');
    assert.equal(headers.get('vary'), 'Origin');
  }
});

test('a preflight of a POST with JSON is allowed, and never goes up', async (t) => {
  const site = 'https://site.example';
  const { origin, upstream } = await mountedProxy(t, { env: { SIGN_ALLOWED_ORIGINS: site } });
  const { status, headers } = await fetch(`${origin}/sign/v2/generate`, {
    method: 'OPTIONS',
    headers: {
      Origin: site,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'content-type',
    },
  });
  assert.equal(status, 204);
  assert.match(headers.get('access-control-allow-methods') ?? '', /\bPOST\b/);
  assert.match(headers.get('access-control-allow-headers') ?? '', /\bContent-Type\b/);
  assert.equal(upstream.checks.length, 0);
});

test('a client over its requests a minute is 429 with the seconds to wait, and reads them', async (t) => {
  const site = 'https://site.example';
  const proxy = await mountedProxy(t, {
    env: { SIGN_REQUESTS_PER_MINUTE: '2', SIGN_ALLOWED_ORIGINS: site, SIGN_TRUST_PROXY: '127.0.0.1' },
  });
  const status = async (client: string): Promise<number> =>
    (await post(proxy, bodyFor(), { 'X-Forwarded-For': client })).status;
  assert.deepEqual([await status('192.0.2.1'), await status('192.0.2.1')], [426, 426]);
  const response = await post(proxy, bodyFor(), { 'X-Forwarded-For': '192.0.2.1', Origin: site });
  assert.equal(response.headers.get('retry-after'), '30');
  assert.equal(response.headers.get('access-control-allow-origin'), site);
  assert.equal((await refusal(response)).code, 'rate_limited');
  assert.equal(await status('192.0.2.2'), 426);
  proxy.clock.advance(30_000);
  assert.equal(await status('192.0.2.1'), 426);
});

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

test('with announcements alone there is no translation: 404', async (t) => {
  const proxy = await mountedProxy(t, { config: { wsUrl: null, apiUrl: null } });
  assert.equal((await refusal(await post(proxy, bodyFor()))).code, 'not_found');
});
