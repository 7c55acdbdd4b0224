// One upstream request for many clients that look at the same live session, or ask for the same silence.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { mountedProxy, type MountedProxyInit } from '../mounted-proxy.ts';

const SESSION = '/sign/v2/live/sessions/live-1';

async function event(t: TestContext, init: MountedProxyInit = {}) {
  const proxy = await mountedProxy(t, init);
  const { upstream } = proxy;
  upstream.answer = (response) =>
    void response
      .writeHead(200, { 'content-type': 'application/json' })
      .end('{"sessionId":"live-1","status":"active"}');
  const look = async (headers: Record<string, string> = {}): Promise<number> => {
    const response = await fetch(proxy.origin + SESSION, { headers });
    await response.arrayBuffer();
    return response.status;
  };
  return { ...proxy, look, lookUps: () => upstream.asked.all.length };
}

test('viewers who poll one event cause one request a second, whatever their Accept header', async (t) => {
  const { upstream, clock, look, lookUps } = await event(t);
  const viewers = Array.from({ length: 50 }, (_, n) => look({ Accept: `text/x-${n}` }));
  assert.deepEqual(new Set(await Promise.all(viewers)), new Set([200]));
  assert.equal(lookUps(), 1);
  assert.equal(upstream.asked.all[0]?.request.headers.accept, 'application/json');
  clock.advance(1_000);
  assert.equal(await look(), 200);
  assert.equal(lookUps(), 2);
});

test('an operator’s look-up is not shared with a page, and a failed one is not kept', async (t) => {
  const token = 'token-of-the-operator';
  const { upstream, look, lookUps } = await event(t, { env: { SIGN_OPERATOR_TOKEN: token } });
  await look();
  await look({ Authorization: `Bearer ${token}` });
  assert.equal(lookUps(), 2);
  const other = await event(t);
  other.upstream.answer = (response) => void response.writeHead(503).end('{}');
  await other.look();
  await other.look();
  assert.equal(other.lookUps(), 2);
  assert.equal(upstream.asked.all.length, 2);
});

test('when the service gets the address of the viewer, no two viewers share a look-up', async (t) => {
  const { look, lookUps } = await event(t, {
    env: { SIGN_FORWARD_CLIENT_ADDRESS: '1', SIGN_TRUST_PROXY: '127.0.0.1' },
  });
  await Promise.all(
    ['192.0.2.1', '192.0.2.2', '192.0.2.2'].map((viewer) => look({ 'X-Forwarded-For': viewer })),
  );
  assert.equal(lookUps(), 2);
});

test('pages that ask for the same silence at once cause one request, and its answer is not kept', async (t) => {
  let arrived = 0;
  let allArrived = (): void => undefined;
  const host = (app: FastifyInstance): void =>
    void app.addHook('preHandler', async () => {
      if (++arrived === 4) allArrived();
    });
  const { origin, upstream, lookUps } = await event(t, { host });
  const silence = async (query: string): Promise<string> =>
    (await fetch(`${origin}/sign/v1/silence?${query}`, { headers: { Accept: query } })).text();
  const { answer } = upstream;
  const held: (() => void)[] = [];
  upstream.answer = (response, asked) => void held.push(() => answer(response, asked));
  const all = new Promise<void>((resolve) => (allArrived = resolve));
  const queries = ['signer=RAE&format=mp4', 'format=mp4&signer=RAE', 'signer=RAE&format=mp4&unknown=1'];
  const answers = [...queries, 'signer=JAY&format=mp4'].map(silence);
  await all;
  await Promise.all([upstream.asked.next(), upstream.asked.next()]);
  upstream.answer = answer;
  for (const release of held) release();
  assert.deepEqual(new Set(await Promise.all(answers)).size, 1);
  assert.equal(lookUps(), 2);
  assert.equal(upstream.asked.all[0]?.request.headers.accept, 'application/json');
  await silence('signer=RAE&format=mp4');
  assert.equal(lookUps(), 3);
});
