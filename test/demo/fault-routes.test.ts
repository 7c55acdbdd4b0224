// The demo's access to the control route: only for its own page on this machine.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import test, { type TestContext } from 'node:test';
import Fastify from 'fastify';
import { faultRoutes } from '../../demo/fault-routes.ts';
import { listening } from '../listening.ts';

/** A control route that answers with the request that it got. */
async function controlRoute(t: TestContext): Promise<{ url: string; bodies: string[] }> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks).toString());
      response.writeHead(request.method === 'POST' ? 400 : 200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ method: request.method }));
    });
  });
  const address = await listening(t, server);
  return { url: `${address}/control`, bodies };
}

async function siteOf(t: TestContext, host = '127.0.0.1') {
  const control = await controlRoute(t);
  const site = Fastify();
  await site.register(faultRoutes(control.url, host));
  t.after(() => site.close());
  const ask = (method: 'GET' | 'POST', headers: Record<string, string>, payload?: unknown) =>
    site.inject({
      method,
      url: '/sandbox/faults',
      headers: { host: 'localhost:8787', ...headers },
      ...(payload === undefined ? {} : { payload: payload as object }),
    });
  return { ...control, ask };
}

test('a request of the page goes to the control route, and its answer is returned unchanged', async (t) => {
  const { ask, bodies } = await siteOf(t);
  const listed = await ask('GET', { 'sec-fetch-site': 'same-origin' });
  assert.deepEqual([listed.statusCode, listed.json()], [200, { method: 'GET' }]);
  const set = await ask('POST', { 'sec-fetch-site': 'same-origin' }, [{ fault: 'media_refused' }]);
  assert.deepEqual([set.statusCode, set.json()], [400, { method: 'POST' }]);
  assert.deepEqual(bodies, ['', '[{"fault":"media_refused"}]']);
});

const refused: readonly (readonly [who: string, headers: Record<string, string>])[] = [
  ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
  ['a page of another port', { 'sec-fetch-site': 'same-site' }],
  ['a name that was pointed at this machine', { host: 'evil.test' }],
];

for (const [who, headers] of refused) {
  test(`${who} can set no fault`, async (t) => {
    const { ask, bodies } = await siteOf(t);
    assert.equal((await ask('POST', headers, [])).statusCode, 403);
    assert.deepEqual(bodies, []);
  });
}

test('a demo that listens beyond loopback has no fault routes', async (t) => {
  const { ask, bodies } = await siteOf(t, '0.0.0.0');
  assert.equal((await ask('GET', {})).statusCode, 404);
  assert.equal((await ask('POST', {}, [])).statusCode, 404);
  assert.deepEqual(bodies, []);
});
