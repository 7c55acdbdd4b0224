// `/healthz` and `/readyz`, as a balancer asks them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROBLEM_TYPE } from '../../src/protocol/problem.ts';
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

test('another method is 405', async (t) => {
  const { origin } = await mountedProxy(t);
  assert.equal((await fetch(`${origin}/healthz`, { method: 'POST' })).status, 405);
});
