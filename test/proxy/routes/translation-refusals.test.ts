// Which translation requests the proxy answers by itself.
// - A refused request does not reach the service, and the client learns why, down to the field where a field was
//   wrong.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { test } from 'node:test';
import { mountedProxy } from '../mounted-proxy.ts';
import { bodyFor, post, refusal, TOKEN } from '../translation-exchange.ts';

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
  [
    'a config that is a list',
    { content: { data: '' }, output: { delivery: { config: [] } } },
    'output.delivery.config',
  ],
  ['a context that is a text', { content: { data: '' }, context: 'London' }, 'context'],
  [
    'an application that is an object',
    { content: { data: '' }, context: { application: {} } },
    'context.application',
  ],
  ['a body that is a list', [], ''],
  ['a body of 5,001 items', `{"content":{"data":""},"x":[${'{},'.repeat(5_000)}0]}`, ''],
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

for (const method of ['display', 'push', 'Display', ' PUSH ', 'push\0', 'pu\u017fh']) {
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
    ['Context', { content: { data: 'a' }, Context: { location: 'b' } }],
    [
      'output.delivery.config.\u017fcreenID',
      { content: { data: 'a' }, output: { delivery: { config: { '\u017fcreenID': 1 } } } },
    ],
    ['output.delivery.Method', { content: { data: 'a' }, output: { delivery: { Method: 'push' } } }],
    ['output.delivery.method\0', { content: { data: 'a' }, output: { delivery: { 'method\0': 'push' } } }],
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
  for (const [field, body] of [
    ['callbackUrl', { content: { data: 'a' }, callbackUrl: 'http://127.0.0.1/' }],
    ['content.source', { content: { data: 'a', source: 'http://10.0.0.1/' } }],
    ['output.logo.url', { content: { data: 'a' }, output: { logo: { url: 'http://10.0.0.1/' } } }],
  ] as const) {
    const { status, errors } = await refusal(await post(proxy, body));
    assert.deepEqual([status, errors?.map((error) => error.field)], [400, [field]]);
  }
  assert.equal(proxy.upstream.asked.all.length, 0);
  const logo = { url: 'https://public.example/logo.png', position: 'top-left' };
  assert.equal((await post(proxy, withConfig({ logo }))).status, 426);
});

test('a page may name one address, on a port of the web, and its name is looked up once for many requests', async (t) => {
  const names: string[] = [];
  const proxy = await mountedProxy(t, {
    resolve: async (name) => {
      names.push(name);
      return ['93.184.216.34'];
    },
  });
  const withUrls = (...urls: string[]) => ({
    content: { data: 'Hello.' },
    output: { delivery: { config: { logo: { url: urls[0] }, others: urls.slice(1) } } },
  });
  const logo = 'https://public.example/logo.png';
  for (const urls of [[logo, 'https://two.example/'], ['https://public.example:8443/logo.png']]) {
    assert.equal((await refusal(await post(proxy, withUrls(...urls)))).code, 'invalid_request');
  }
  assert.deepEqual([names, proxy.upstream.asked.all.length], [[], 0]);
  for (const url of [logo, 'https://public.example:443/', 'http://PUBLIC.example.:80/']) {
    assert.equal((await post(proxy, withUrls(url))).status, 426, url);
  }
  assert.deepEqual(names, ['public.example']);
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
    // The path is sent as it is written, because fetch() would resolve the dots.
    const request = httpRequest(origin, { path: `/sign/v1/status/${id}`, agent: false }).end();
    const [response] = (await once(request, 'response')) as [{ statusCode: number; resume(): void }];
    response.resume();
    assert.equal(response.statusCode, 400);
    assert.equal(upstream.asked.all.length, 0);
  });
}

test('a parameter that is there twice, or is too long, is 400 and does not go up', async (t) => {
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

test('paid requests of each address have a limit of their own, and refused requests and look-ups do not count towards it', async (t) => {
  const proxy = await mountedProxy(t, {
    env: { SIGN_GENERATES_PER_MINUTE: '2', SIGN_TRUST_PROXY: '127.0.0.1' },
  });
  const from = (client: string) => ({ 'X-Forwarded-For': client });
  const paid = async (client: string, path?: string): Promise<Response> =>
    post(proxy, bodyFor(), from(client), path);
  assert.equal((await post(proxy, {}, from('192.0.2.1'))).status, 400);
  assert.deepEqual(
    [(await paid('192.0.2.1')).status, (await paid('192.0.2.1', '/v1/generate')).status],
    [426, 426],
  );
  const response = await paid('192.0.2.1');
  assert.equal(response.headers.get('retry-after'), '30');
  assert.equal((await refusal(response)).code, 'rate_limited');
  const silence = await fetch(`${proxy.origin}/sign/v1/silence`, { headers: from('192.0.2.1') });
  assert.deepEqual([silence.status, (await paid('192.0.2.2')).status], [426, 426]);
  proxy.clock.advance(30_000);
  assert.equal((await paid('192.0.2.1')).status, 426);
  assert.equal(proxy.upstream.asked.all.length, 5);
});

test('with announcements alone the translation routes are 404', async (t) => {
  const proxy = await mountedProxy(t, { config: { wsUrl: null, apiUrl: null } });
  assert.equal((await refusal(await post(proxy, bodyFor()))).code, 'not_found');
});
