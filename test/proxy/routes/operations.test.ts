// /healthz, /readyz and /metrics.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetrics } from '../../../proxy/metrics.ts';
import { PROBLEM_TYPE } from '../../../src/protocol/problem.ts';
import { fakeUpstream } from '../fake-upstream.ts';
import { API_KEY, mountedProxy } from '../mounted-proxy.ts';

const otherSite = { Origin: 'https://other.example' };

test('healthz is 200 whatever the service does, for any origin', async (t) => {
  const { origin, upstream } = await mountedProxy(t);
  upstream.status = 503;
  const response = await fetch(`${origin}/healthz`, { headers: otherSite });
  assert.equal(response.status, 200);
  assert.deepEqual(await response.json(), { status: 'ok' });
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
});

for (const status of [200, 401, 404, 426, 500]) {
  test(`readyz is 200 when the service answers ${status}`, async (t) => {
    const { origin, upstream } = await mountedProxy(t);
    upstream.status = status;
    assert.equal((await fetch(`${origin}/readyz`, { headers: otherSite })).status, 200);
  });
}

for (const status of [502, 503, 504]) {
  test(`readyz is 503 and names the service when a gateway answers ${status}`, async (t) => {
    const { origin, upstream } = await mountedProxy(t);
    upstream.status = status;
    const response = await fetch(`${origin}/readyz`);
    assert.equal(response.status, 503);
    assert.equal(response.headers.get('content-type'), PROBLEM_TYPE);
    const { code, down } = (await response.json()) as { code: string; down: string[] };
    assert.deepEqual([code, down], ['not_ready', ['upstream']]);
  });
}

test('the answer of readyz is kept for 2 s, in which one request to the service serves all checks', async (t) => {
  const { origin, upstream, clock } = await mountedProxy(t);
  const statuses = await Promise.all([1, 2, 3].map(async () => (await fetch(`${origin}/readyz`)).status));
  assert.deepEqual(statuses, [200, 200, 200]);
  upstream.status = 503;
  clock.advance(1_999);
  assert.equal((await fetch(`${origin}/readyz`)).status, 200);
  assert.equal(upstream.checks.length, 1);
  clock.advance(1);
  assert.equal((await fetch(`${origin}/readyz`)).status, 503);
  assert.equal(upstream.checks.length, 2);
});

test('the metrics have a series for each part of the service, which says whether it is up', async (t) => {
  const announcements = await fakeUpstream();
  t.after(() => announcements.close());
  const { origin, upstream, clock } = await mountedProxy(t, {
    env: {
      SIGN_TRANSPORT_URL: announcements.url,
      SIGN_AUTH_URL: announcements.url,
      SIGN_CLIENT_ID: 'client-1',
      SIGN_CLIENT_SECRET: 'secret-of-the-client',
    },
  });
  const parts = async (): Promise<(number | undefined)[]> => {
    const text = await (await fetch(`${origin}/metrics`)).text();
    return ['upstream', 'api', 'announcements'].map((part) =>
      valueOf(text, `sign_proxy_service_up{part="${part}"}`),
    );
  };
  assert.deepEqual(await parts(), [1, undefined, 1]);
  upstream.status = 503;
  clock.advance(2_000);
  assert.deepEqual(await parts(), [0, undefined, 1]);
  assert.equal((await fetch(`${origin}/healthz`)).status, 200);
});

test('the request that checks the service carries no key', async (t) => {
  const { origin, upstream } = await mountedProxy(t);
  await fetch(`${origin}/readyz`);
  const [check] = upstream.checks;
  assert.equal(check?.url, '/ws/');
  assert.ok(!JSON.stringify(check?.headers).includes(JSON.stringify(API_KEY).slice(1, -1)));
  assert.equal(check?.headers['x-api-key'], undefined);
});

test('with announcements alone there is no relay: the proxy is ready, and ws is 404', async (t) => {
  const { origin } = await mountedProxy(t, { config: { wsUrl: null, apiUrl: null } });
  assert.equal((await fetch(`${origin}/readyz`)).status, 200);
  assert.equal((await fetch(`${origin}/sign/ws/`)).status, 404);
});

/** An announcement API and its token server at `url`. */
const announcementsAt = (url: string): NodeJS.ProcessEnv => ({
  SIGN_TRANSPORT_URL: url,
  SIGN_AUTH_URL: url,
  SIGN_CLIENT_ID: 'client-1',
  SIGN_CLIENT_SECRET: 'secret-of-the-client-1',
});

test('readyz names announcements that are down, and is still 200, because clients can sign', async (t) => {
  const { origin } = await mountedProxy(t, { env: announcementsAt('http://127.0.0.1:1') });
  const response = await fetch(`${origin}/readyz`);
  assert.equal(response.status, 200);
  assert.deepEqual(await response.json(), { status: 'ready', down: ['announcements'] });
});

test('when only announcements are served, readyz is 503 while they are down', async (t) => {
  const config = { wsUrl: null, apiUrl: null };
  const { origin } = await mountedProxy(t, { config, env: announcementsAt('http://127.0.0.1:1') });
  const response = await fetch(`${origin}/readyz`);
  const { code, down } = (await response.json()) as { code: string; down: string[] };
  assert.deepEqual([response.status, code, down], [503, 'not_ready', ['announcements']]);
});

test('readyz is 503 when nobody listens at the service’s addresses, and names every part', async (t) => {
  const env = { SIGN_API_URL: 'http://127.0.0.1:1', ...announcementsAt('http://127.0.0.1:1') };
  const { origin } = await mountedProxy(t, { env });
  const response = await fetch(`${origin}/readyz`);
  const { down } = (await response.json()) as { down: string[] };
  assert.deepEqual([response.status, down], [503, ['upstream', 'announcements']]);
});

test('readyz names the service of generate and live when it is down while the service of the relay is up', async (t) => {
  const relay = await fakeUpstream();
  t.after(() => relay.close());
  const there = await mountedProxy(t, { env: { SIGN_WS_URL: relay.url.replace('http', 'ws') } });
  assert.equal((await fetch(`${there.origin}/readyz`)).status, 200);
  const env = { SIGN_API_URL: 'http://127.0.0.1:1', SIGN_WS_URL: relay.url.replace('http', 'ws') };
  const { origin } = await mountedProxy(t, { env });
  const response = await fetch(`${origin}/readyz`);
  const { code, down } = (await response.json()) as { code: string; down: string[] };
  assert.deepEqual([response.status, code, down], [503, 'not_ready', ['api']]);
});

test('a path of health or metrics is served only as it is spelled, because a front server may refuse only that to the public', async (t) => {
  const { origin } = await mountedProxy(t);
  for (const path of ['/%6Detrics', '/metrics%3F', '/metri%63s?a=/metrics', '/%68ealthz', '/read%79z']) {
    for (const method of ['GET', 'POST']) {
      assert.equal((await fetch(`${origin}${path}`, { method })).status, 404, `${method} ${path}`);
    }
  }
  assert.equal((await fetch(`${origin}/metrics?name[]=up`)).status, 200);
});

test('another method is 405', async (t) => {
  const { origin } = await mountedProxy(t);
  assert.equal((await fetch(`${origin}/healthz`, { method: 'POST' })).status, 405);
});

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
  const { client, session } = await started();
  session.socket.send('{"type":"pong"}');
  await client.frames.next();
  const during = await (await fetch(`${origin}/metrics`)).text();
  const series = [
    'sockets',
    'sockets_opened_total',
    'frames_total{direction="up"}',
    'frames_total{direction="down"}',
  ];
  const read = (text: string) => series.map((name) => valueOf(text, `sign_proxy_${name}`));
  assert.deepEqual(read(during), [1, 1, 1, 1]);
  client.socket.close();
  await session.closed;
  await client.closed;
  const after = await (await fetch(`${origin}/metrics`)).text();
  assert.deepEqual(read(after), [0, 1, 1, 1]);
});

test('the service’s answers are counted by route and status, by the route’s template', async (t) => {
  const { origin, upstream } = await mountedProxy(t, {
    env: { SIGN_OPERATOR_TOKEN: 'token-of-the-operator' },
  });
  upstream.answer = (response, { request }) =>
    void response.writeHead(request.url?.includes('two') ? 404 : 200).end('{}');
  const headers = { Authorization: 'Bearer token-of-the-operator' };
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

test('responses are counted by route and status, and ended sessions by reason', async (t) => {
  const { origin, started, pair } = await mountedProxy(t);
  for (const path of ['v1/status/one', 'v1/status/two', 'no/such', 'v2/generate']) {
    await (await fetch(`${origin}/sign/${path}`)).arrayBuffer();
  }
  const { client } = await started();
  client.socket.close(4321, 'a word of the page');
  await client.closed;
  const binary = await pair();
  binary.client.socket.send(Buffer.from('{}'));
  await binary.client.closed;
  const text = await (await fetch(`${origin}/metrics`)).text();
  const responses = (labels: string) => valueOf(text, `sign_proxy_requests_total{${labels}}`);
  assert.deepEqual(
    [
      responses('route="/sign/v1/status/:job_id",status="426"'),
      responses('route="unknown",status="404"'),
      responses('route="/sign/v2/generate",status="405"'),
      valueOf(text, 'sign_proxy_relay_ends_total{reason="closed"}'),
      valueOf(text, 'sign_proxy_relay_ends_total{reason="invalid_message"}'),
    ],
    [2, 1, 1, 1, 1],
  );
  // Names and labels alone are searched, because a number of bytes may hold these digits by chance.
  assert.doesNotMatch(text.replaceAll(/ \S+$/gm, ''), /a word|4321/);
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

test('a status that HTTP does not define is no series of its own', async () => {
  const metrics = createMetrics();
  for (const status of [299, 599, 799]) metrics.upstreamAnswered('/a', status, 1);
  const text = await metrics.text();
  assert.equal(valueOf(text, 'sign_proxy_upstream_seconds_count{route="/a",status="other"}'), 3);
});
