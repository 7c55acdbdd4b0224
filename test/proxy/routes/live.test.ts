// The live routes: what only the operator may do, what a page sees of a session, and which addresses the service may not be given.
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { API_KEY, mountedProxy, type MountedProxy } from '../mounted-proxy.ts';

const TOKEN = 'token-of-the-operator';
const SESSIONS = '/sign/v2/live/sessions';
const env = { SIGN_OPERATOR_TOKEN: TOKEN };
const operator = { Authorization: `Bearer ${TOKEN}` };

const say = (response: ServerResponse, status: number, body: unknown): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

const session = {
  sessionId: 'live-1',
  status: 'active',
  sourceType: 'SRT_PUSH',
  outputType: 'HLS',
  pictureInPicture: true,
  language: 'BSL',
  signer: 'RAE',
  outputManifestUrl: 'https://media.example/live.m3u8?sig=1',
  manifests: {
    hls: 'https://media.example/live.m3u8?sig=1',
    dash: 'https://media.example/live.mpd?sig=1',
    pip: 'https://media.example/pip.m3u8?sig=1',
  },
  startedAt: '2026-11-21T10:00:00Z',
};
const keptBack = {
  rtmpEndpoints: ['rtmp://ingest.example/live/hidden-key-1'],
  ingestUrl: 'srt://ingest.example:9000?hidden-2',
  srtPassphrase: 'hidden-passphrase-3',
  relayActive: true,
  sourceUrl: 'https://source.example/hidden-4.m3u8',
  rtmpDestination: 'rtmp://out.example/hidden-5',
  streamKey: 'hidden-6',
  nested: { srtConfig: { passphrase: 'hidden-7' } },
};

test('a page sees a session without the addresses and keys of its ingest', async (t) => {
  const { origin, upstream } = await mountedProxy(t, { env });
  upstream.answer = (response) => say(response, 200, { ...session, ...keptBack });
  const response = await fetch(`${origin}${SESSIONS}/live-1`);
  assert.equal(response.status, 200);
  assert.deepEqual(await response.json(), session);
  const { request } = await upstream.asked.next();
  assert.deepEqual([request.method, request.url], ['GET', '/v2/live/sessions/live-1']);
  assert.equal(request.headers['x-api-key'], API_KEY);
});

test('a session with a byte order mark before it is read whole', async (t) => {
  const { origin, upstream } = await mountedProxy(t, { env });
  upstream.answer = (response) =>
    void response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(`\ufeff${JSON.stringify(session)}`);
  assert.deepEqual(await (await fetch(`${origin}${SESSIONS}/live-1`)).json(), session);
});

test('with the operator’s token the session comes whole, and the token does not go up', async (t) => {
  const { origin, upstream } = await mountedProxy(t, { env });
  upstream.answer = (response) => say(response, 200, { ...session, ...keptBack });
  const response = await fetch(`${origin}${SESSIONS}/live-1`, { headers: operator });
  assert.deepEqual(await response.json(), { ...session, ...keptBack });
  assert.equal((await upstream.asked.next()).request.headers.authorization, undefined);
});

test('a look-up with a wrong token is 401; a browser’s own Basic credentials are no token', async (t) => {
  const { origin, upstream } = await mountedProxy(t, { env });
  upstream.answer = (response) => say(response, 200, { ...session, ...keptBack });
  const look = (Authorization: string): Promise<Response> =>
    fetch(`${origin}${SESSIONS}/live-1`, { headers: { Authorization } });
  assert.equal((await look('Bearer wrong')).status, 401);
  assert.equal(upstream.asked.all.length, 0);
  assert.deepEqual(await (await look('Basic dXNlcjpwYXNz')).json(), session);
});

test('the reason of a failed session contains no addresses and no keys', async (t) => {
  const { origin, upstream } = await mountedProxy(t, { env });
  const error = `cannot read ${keptBack.ingestUrl} with hidden-passphrase-3, nor srt://other.example/x`;
  upstream.answer = (response) => say(response, 200, { ...session, ...keptBack, status: 'ended', error });
  const seen = (await (await fetch(`${origin}${SESSIONS}/live-1`)).json()) as { error: string };
  assert.equal(seen.error, 'cannot read [hidden] with [hidden], nor [hidden]');
});

test('an invalid field is left out alone; the address of a manifest is http or https', async (t) => {
  const { origin, upstream } = await mountedProxy(t, { env });
  const manifests = {
    hls: 'javascript:alert(1)',
    dash: session.manifests.dash,
    raw: 'https://media.example/raw',
  };
  upstream.answer = (response) => say(response, 200, { ...session, signer: { key: 'hidden' }, manifests });
  const { signer, ...rest } = session;
  assert.deepEqual(await (await fetch(`${origin}${SESSIONS}/live-1`)).json(), {
    ...rest,
    manifests: { dash: session.manifests.dash },
  });
  assert.equal(signer, 'RAE');
});

test('a page gets the code of an error of the service, and not its details', async (t) => {
  const { origin, upstream } = await mountedProxy(t, { env });
  const error = { code: 'NOT_FOUND', type: 'NOT_FOUND', message: 'no session live-1', requestId: 'page-1' };
  upstream.answer = (response) =>
    say(response, 404, { error: { ...error, details: { url: 'srt://a/hidden' } } });
  const response = await fetch(`${origin}${SESSIONS}/live-1`);
  assert.equal(response.status, 404);
  assert.deepEqual(await response.json(), { error });
});

for (const [what, status, body, answered, code] of [
  ['no JSON', 200, '<p>hidden</p>', 502, 'protocol_error'],
  ['a list', 200, '["hidden"]', 502, 'protocol_error'],
  ['an object that is no session', 200, '{"a":"hidden"}', 502, 'protocol_error'],
  ['an error that is no JSON', 503, '<p>hidden</p>', 503, 'protocol_error'],
  ['a page that says to come back', 429, '<p>hidden</p>', 429, 'protocol_error'],
  ['a page that knows no such session', 404, '<p>hidden</p>', 404, 'not_found'],
  ['a flat error that knows no such session', 404, '{"error":"hidden"}', 404, 'not_found'],
  ['a page that refuses', 401, '<p>hidden</p>', 401, 'invalid_request'],
  ['a flat error that refuses', 403, '{"error":"hidden"}', 403, 'invalid_request'],
] as const) {
  test(`an answer that is ${what} is not shown to a page: ${answered} ${code}`, async (t) => {
    const { origin, upstream } = await mountedProxy(t, { env });
    upstream.answer = (response) => void response.writeHead(status).end(body);
    const response = await fetch(`${origin}${SESSIONS}/live-1`);
    assert.equal(response.status, answered);
    const text = await response.text();
    assert.ok(text.includes(`"${code}"`) && !text.includes('hidden'), text);
  });
}

const operatorRequests = [
  ['POST', SESSIONS],
  ['GET', SESSIONS],
  ['DELETE', `${SESSIONS}/live-1`],
] as const;

const send = (
  { origin }: MountedProxy,
  method: string,
  path: string,
  headers: Record<string, string>,
  body: unknown = { sourceType: 'RTMP_PUSH' },
): Promise<Response> =>
  fetch(origin + path, {
    method,
    headers: method === 'POST' ? { 'Content-Type': 'application/json', ...headers } : headers,
    ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
  });

for (const [method, path] of operatorRequests) {
  test(`${method} ${path} is only for the operator: 403 without a configured token, 401 without the right one`, async (t) => {
    const closed = await mountedProxy(t);
    assert.equal((await send(closed, method, path, operator)).status, 403);
    const proxy = await mountedProxy(t, { env });
    for (const given of [
      '',
      TOKEN,
      'Bearer',
      `Bearer ${TOKEN}x`,
      `Bearer ${TOKEN.slice(1)}`,
      `Basic ${TOKEN}`,
    ]) {
      const response = await send(proxy, method, path, given === '' ? {} : { Authorization: given });
      assert.equal(response.status, 401, given);
    }
    assert.equal(proxy.upstream.asked.all.length, 0);
    proxy.upstream.answer = (response) =>
      say(response, method === 'POST' ? 201 : 200, { ...session, ...keptBack });
    const response = await send(proxy, method, path, operator);
    assert.equal(response.status, method === 'POST' ? 201 : 200);
    assert.deepEqual(await response.json(), { ...session, ...keptBack });
    const { request } = await proxy.upstream.asked.next();
    assert.deepEqual([request.method, request.url], [method, path.slice('/sign'.length)]);
    assert.equal(request.headers.authorization, undefined);
  });
}

test('a session is stopped by a DELETE that names a type and has no body', async (t) => {
  const proxy = await mountedProxy(t, { env });
  proxy.upstream.answer = (response) => say(response, 200, session);
  const headers = { ...operator, 'Content-Type': 'application/json' };
  assert.equal((await send(proxy, 'DELETE', `${SESSIONS}/live-1`, headers)).status, 200);
  assert.equal((await proxy.upstream.asked.next()).request.headers['content-type'], undefined);
});

test('the cursor of a list goes up, and nothing else of the query', async (t) => {
  const proxy = await mountedProxy(t, { env });
  await send(proxy, 'GET', `${SESSIONS}?cursor=a%2Fb%3D&limit=9`, operator);
  assert.equal((await proxy.upstream.asked.next()).request.url, '/v2/live/sessions?cursor=a%2Fb%3D');
});

test('a body is not read when the token is refused', async (t) => {
  const { origin } = await mountedProxy(t, { env });
  const response = await fetch(origin + SESSIONS, {
    method: 'POST',
    body: '<a/>',
    headers: { 'Content-Type': 'text/xml' },
  });
  assert.equal(response.status, 401);
});

const resolve = async (name: string): Promise<readonly string[]> =>
  name === 'public.example' ? ['93.184.216.34'] : [];

test('public addresses pass as they were written, and so does text that is no address', async (t) => {
  const proxy = await mountedProxy(t, { env, resolve });
  const body = {
    sourceType: 'HLS_PULL',
    hlsSourceUrl: 'https://user:pass@public.example:443/a.m3u8?b=//c',
    rtmpOutputUrl: 'rtmp://93.184.216.34/live',
    rtmpOutputStreamKey: 'live:key',
    outputDestinationUrl: 'srt://[2606:2800::1]:9000?mode=caller',
    srtConfig: { passphrase: 'a:b/c', keyLength: 16 },
  };
  assert.equal((await send(proxy, 'POST', SESSIONS, operator, body)).status, 426);
  assert.deepEqual(JSON.parse((await proxy.upstream.asked.next()).body), body);
});

test('every forged address is named at once, and a body of addresses is refused before a name is looked up', async (t) => {
  let lookedUp = 0;
  const proxy = await mountedProxy(t, { env, resolve: async () => [String(lookedUp++)] });
  const two = await send(proxy, 'POST', SESSIONS, operator, {
    hlsSourceUrl: 'http://127.0.0.1/',
    rtmpOutputUrl: 'rtmp://10.0.0.1/',
  });
  const { errors } = (await two.json()) as { errors: { field: string }[] };
  assert.deepEqual(
    errors.map(({ field }) => field),
    ['hlsSourceUrl', 'rtmpOutputUrl'],
  );
  const urls = Array.from({ length: 5 }, (_, n) => `http://${n}.example/`);
  assert.equal((await send(proxy, 'POST', SESSIONS, operator, { urls })).status, 400);
  assert.equal(lookedUp, 0);
});

test('a port that is unusual for the scheme is refused, unless the host is listed with that port', async (t) => {
  const SIGN_ALLOWED_HOSTS = 'public.example:8443, 10.0.0.9:81, [fd00::9]:82';
  const proxy = await mountedProxy(t, { env: { ...env, SIGN_ALLOWED_HOSTS }, resolve });
  for (const [url, status] of [
    ['http://public.example:443/', 426],
    ['https://public.example:80/', 426],
    ['https://public.example:22/', 400],
    ['http://public.example:6379/', 400],
    ['http://93.184.216.34:0/', 400],
    ['rtmp://public.example/live', 426],
    ['rtmp://public.example:1935/live', 426],
    ['rtmp://public.example:25/live', 400],
    ['rtmps://public.example/live', 426],
    ['srt://public.example:9000', 426],
    ['srt://public.example:53', 400],
    ['https://public.example:8443/', 426],
    ['https://user:8443@public.example:22/', 400],
    ['http://10.0.0.9:81/', 426],
    ['http://10.0.0.9/', 400],
    ['http://[fd00::9]:82/', 426],
    ['http://[fd00::9]:81/', 400],
  ] as const) {
    assert.equal((await send(proxy, 'POST', SESSIONS, operator, { hlsSourceUrl: url })).status, status, url);
  }
});

test('hosts of SIGN_ALLOWED_HOSTS pass for the operator, in every spelling of them, and for no page', async (t) => {
  const proxy = await mountedProxy(t, {
    env: { ...env, SIGN_ALLOWED_HOSTS: 'encoder.internal,10.0.0.9,fd00::9' },
    resolve,
  });
  for (const host of ['encoder.internal', 'ENCODER.internal.', '10.0.0.9', '0xa.9', '[fd00:0::9]']) {
    const body = { hlsSourceUrl: `http://${host}:8080/a.m3u8` };
    assert.equal((await send(proxy, 'POST', SESSIONS, operator, body)).status, 426, host);
  }
  const generate = (headers: Record<string, string>): Promise<Response> =>
    send(proxy, 'POST', '/sign/v2/generate', headers, {
      content: { data: 'a' },
      output: { delivery: { config: { logo: { url: 'http://10.0.0.9/logo.png', position: 'top-left' } } } },
    });
  assert.equal((await generate({})).status, 400);
  assert.equal((await generate(operator)).status, 426);
});

test('a message that is too long to be searched is hidden whole', async (t) => {
  const { origin, upstream } = await mountedProxy(t, { env });
  upstream.answer = (response) => say(response, 500, { error: { code: 'X', message: 'a.'.repeat(1_001) } });
  const response = await fetch(`${origin}${SESSIONS}/live-1`);
  assert.deepEqual(await response.json(), { error: { code: 'X', message: '[hidden]' } });
});

test('a body that is nested too deep to be searched is a protocol_error', async (t) => {
  const { origin, upstream } = await mountedProxy(t, { env });
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  upstream.answer = (response) =>
    void response.writeHead(500).end(`{"error":{"code":"X","message":"failed"},"deep":${deep}}`);
  const response = await fetch(`${origin}${SESSIONS}/live-1`);
  assert.equal(((await response.json()) as { code: string }).code, 'protocol_error');
});
