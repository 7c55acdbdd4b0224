// `/metrics`: what is counted, under which names, and that nothing of a page's or the service's becomes a series.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetrics } from '../../proxy/metrics.ts';
import { API_KEY, mountedProxy } from './mounted-proxy.ts';

/** The value of a series as it is written, undefined when there is none. */
const valueOf = (text: string, series: string): number | undefined => {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
};

test('metrics are text for Prometheus, asked from anywhere, with the figures of the process', async (t) => {
  const { origin } = await mountedProxy(t);
  const response = await fetch(`${origin}/metrics`, { headers: { Origin: 'https://other.example' } });
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  assert.equal(response.headers.get('access-control-allow-origin'), null);
  assert.equal(response.headers.get('cache-control'), 'no-store');
  const text = await response.text();
  assert.ok((valueOf(text, 'process_resident_memory_bytes') ?? 0) > 0, 'memory of the process');
  assert.equal(valueOf(text, 'sign_proxy_sockets'), 0);
  assert.equal(valueOf(text, 'sign_proxy_redis_up'), undefined);
  assert.equal((await fetch(`${origin}/metrics`, { method: 'POST' })).status, 405);
});

test('sockets and frames are counted as they come and go', async (t) => {
  const { origin, started } = await mountedProxy(t);
  const { page, session } = await started();
  session.socket.send('{"type":"pong"}');
  await page.frames.next();
  const during = await (await fetch(`${origin}/metrics`)).text();
  const series = [
    'sockets',
    'sockets_opened_total',
    'frames_total{direction="up"}',
    'frames_total{direction="down"}',
  ];
  const read = (text: string) => series.map((name) => valueOf(text, `sign_proxy_${name}`));
  assert.deepEqual(read(during), [1, 1, 1, 1]);
  page.socket.close();
  await session.closed;
  await page.closed;
  const after = await (await fetch(`${origin}/metrics`)).text();
  assert.deepEqual(read(after), [0, 1, 1, 1]);
});

test('the service’s answers are counted by route and status, by the route’s template', async (t) => {
  const { origin, upstream } = await mountedProxy(t, { env: { SIGN_OPERATOR_TOKEN: 'token-of-operator' } });
  upstream.answer = (response, { request }) =>
    void response.writeHead(request.url?.includes('two') ? 404 : 200).end('{}');
  const headers = { Authorization: 'Bearer token-of-operator' };
  for (const path of [
    '/v1/status/one',
    '/v1/status/two',
    '/v1/silence?signer=RAE',
    '/v2/live/sessions?cursor=a',
  ]) {
    await fetch(`${origin}/sign${path}`, { headers });
  }
  await fetch(`${origin}/sign/v2/live/sessions/one`, { headers, method: 'DELETE' });
  const text = await (await fetch(`${origin}/metrics`)).text();
  const count = (route: string, status: string) =>
    valueOf(text, `sign_proxy_upstream_seconds_count{route="${route}",status="${status}"}`);
  assert.deepEqual(
    [
      count('/v1/status/:job_id', '200'),
      count('/v1/status/:job_id', '404'),
      count('/v1/silence', '200'),
      count('/v2/live/sessions', '200'),
      count('/v2/live/sessions/:id', '200'),
    ],
    [1, 1, 1, 1, 1],
  );
  assert.doesNotMatch(text, /status\/(one|two)|RAE|cursor/);
  assert.ok(!text.includes(API_KEY), 'no key');
});

test('a service that cannot be reached is a status of its own, once for each try', async (t) => {
  const { origin } = await mountedProxy(t, { env: { SIGN_API_URL: 'http://127.0.0.1:1' } });
  await fetch(`${origin}/sign/v1/silence`);
  const text = await (await fetch(`${origin}/metrics`)).text();
  assert.equal(valueOf(text, 'sign_proxy_upstream_seconds_count{route="/v1/silence",status="none"}'), 2);
});

test('what a limit refuses is counted by the limit’s name', async (t) => {
  const { origin } = await mountedProxy(t, { env: { SIGN_REQUESTS_PER_MINUTE: '1' } });
  for (const status of [426, 429, 429]) assert.equal((await fetch(`${origin}/sign/ws/`)).status, status);
  const text = await (await fetch(`${origin}/metrics`)).text();
  assert.equal(valueOf(text, 'sign_proxy_limit_hits_total{limit="requests_per_minute"}'), 2);
});

test('two proxies in one process count apart, each with the process’s figures once', async () => {
  const [one, other] = [createMetrics(), createMetrics()];
  one.socketOpened();
  one.tokenFetched('failed');
  one.redisUp(false);
  const [ofOne, ofOther] = [await one.text(), await other.text()];
  assert.deepEqual([valueOf(ofOne, 'sign_proxy_sockets'), valueOf(ofOther, 'sign_proxy_sockets')], [1, 0]);
  assert.equal(valueOf(ofOne, 'sign_proxy_token_fetches_total{outcome="failed"}'), 1);
  assert.equal(valueOf(ofOne, 'sign_proxy_redis_up'), 0);
  one.redisUp(true);
  assert.equal(valueOf(await one.text(), 'sign_proxy_redis_up'), 1);
  for (const text of [ofOne, ofOther]) assert.equal(text.split('# TYPE nodejs_version_info').length, 2);
});

test('a status that HTTP does not know is no series of its own', async () => {
  const metrics = createMetrics();
  for (const status of [299, 599, 799]) metrics.upstreamAnswered('/a', status, 1);
  const text = await metrics.text();
  assert.equal(valueOf(text, 'sign_proxy_upstream_seconds_count{route="/a",status="other"}'), 3);
});
