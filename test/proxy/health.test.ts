// `/healthz` and `/readyz`, as a balancer asks them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROBLEM_TYPE } from '../../src/protocol/problem.ts';
import { fakeUpstream } from './fake-upstream.ts';
import { API_KEY, mountedProxy } from './mounted-proxy.ts';

const stranger = { Origin: 'https://other.example' };

test('healthz is 200 whatever the service does, for any origin', async (t) => {
  const { origin, upstream } = await mountedProxy(t);
  upstream.status = 503;
  const response = await fetch(`${origin}/healthz`, { headers: stranger });
  assert.equal(response.status, 200);
  assert.deepEqual(await response.json(), { status: 'ok' });
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
});

for (const status of [200, 401, 404, 426, 500]) {
  test(`readyz is 200 when the service answers ${status}`, async (t) => {
    const { origin, upstream } = await mountedProxy(t);
    upstream.status = status;
    assert.equal((await fetch(`${origin}/readyz`, { headers: stranger })).status, 200);
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

test('readyz is 503 when nobody listens at the service’s address', async (t) => {
  const { origin } = await mountedProxy(t, { env: { SIGN_API_URL: 'http://127.0.0.1:1' } });
  assert.equal((await fetch(`${origin}/readyz`)).status, 503);
});

test('the answer holds for 2 s, and the service is asked once for all who ask meanwhile', async (t) => {
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

test('the check carries no key', async (t) => {
  const { origin, upstream } = await mountedProxy(t);
  await fetch(`${origin}/readyz`);
  const [check] = upstream.checks;
  assert.equal(check?.url, '/ws/');
  assert.ok(!JSON.stringify(check?.headers).includes(JSON.stringify(API_KEY).slice(1, -1)));
  assert.equal(check?.headers['x-api-key'], undefined);
});

test('with announcements alone there is no relay to wait for: ready, and ws is 404', async (t) => {
  const { origin } = await mountedProxy(t, { config: { wsUrl: null, apiUrl: null } });
  assert.equal((await fetch(`${origin}/readyz`)).status, 200);
  assert.equal((await fetch(`${origin}/sign/ws/`)).status, 404);
});

/** An announcement API and its token server at `url`. */
const announcementsAt = (url: string): NodeJS.ProcessEnv => ({
  SIGN_TRANSPORT_URL: url,
  SIGN_AUTH_URL: url,
  SIGN_CLIENT_ID: 'client-1',
  SIGN_CLIENT_SECRET: 'client-secret',
});

test('announcements that are down are named, and stop nothing that pages sign', async (t) => {
  const { origin } = await mountedProxy(t, { env: announcementsAt('http://127.0.0.1:1') });
  const response = await fetch(`${origin}/readyz`);
  assert.equal(response.status, 200);
  assert.deepEqual(await response.json(), { status: 'ready', down: ['announcements'] });
});

test('where announcements are all that is served, readyz is 503 while they are down', async (t) => {
  const config = { wsUrl: null, apiUrl: null };
  const { origin } = await mountedProxy(t, { config, env: announcementsAt('http://127.0.0.1:1') });
  const response = await fetch(`${origin}/readyz`);
  const { code, down } = (await response.json()) as { code: string; down: string[] };
  assert.deepEqual([response.status, code, down], [503, 'not_ready', ['announcements']]);
});

test('readyz names every part that is down', async (t) => {
  const env = { SIGN_API_URL: 'http://127.0.0.1:1', ...announcementsAt('http://127.0.0.1:1') };
  const { origin } = await mountedProxy(t, { env });
  const { down } = (await (await fetch(`${origin}/readyz`)).json()) as { down: string[] };
  assert.deepEqual(down, ['upstream', 'announcements']);
});

test('a service of generate and live that is down while the relay’s is there is named', async (t) => {
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

test('another method is 405', async (t) => {
  const { origin } = await mountedProxy(t);
  assert.equal((await fetch(`${origin}/healthz`, { method: 'POST' })).status, 405);
});
