// One upstream request for many clients that look at the same live session, or ask for the same silence.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { mountedProxy, type MountedProxyInit } from './mounted-proxy.ts';

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

test('viewers who poll an event are one request a second, whatever they accept', async (t) => {
  const { upstream, clock, look, lookUps } = await event(t);
  const viewers = Array.from({ length: 50 }, (_, n) => look({ Accept: `text/x-${n}` }));
  assert.deepEqual(new Set(await Promise.all(viewers)), new Set([200]));
  assert.equal(lookUps(), 1);
  assert.equal(upstream.asked.all[0]?.request.headers.accept, 'application/json');
  clock.advance(1_000);
  assert.equal(await look(), 200);
  assert.equal(lookUps(), 2);
});

test('an operator’s look-up is never a page’s, and a failed one is not kept', async (t) => {
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

test('where the service is told the viewer, no two viewers share', async (t) => {
  const { look, lookUps } = await event(t, {
    env: { SIGN_FORWARD_CLIENT_ADDRESS: '1', SIGN_TRUST_PROXY: '127.0.0.1' },
  });
  await Promise.all(
    ['192.0.2.1', '192.0.2.2', '192.0.2.2'].map((viewer) => look({ 'X-Forwarded-For': viewer })),
  );
  assert.equal(lookUps(), 2);
});

test('pages that ask for the same silence are one request a second, and another signer’s is another', async (t) => {
  const { origin, upstream, clock, lookUps } = await event(t);
  const silence = async (query: string): Promise<string> =>
    (await fetch(`${origin}/sign/v1/silence?${query}`, { headers: { Accept: query } })).text();
  const answers = ['signer=RAE&format=mp4', 'format=mp4&signer=RAE', 'signer=RAE&format=mp4&unknown=1'];
  assert.equal(new Set(await Promise.all(answers.map(silence))).size, 1);
  assert.equal(lookUps(), 1);
  await silence('signer=JAY&format=mp4');
  assert.equal(lookUps(), 2);
  clock.advance(1_000);
  await silence('signer=RAE&format=mp4');
  assert.equal(lookUps(), 3);
  upstream.answer = (response) => void response.writeHead(503).end('{}');
  clock.advance(1_000);
  for (const expected of [4, 5]) {
    await silence('signer=RAE&format=mp4');
    assert.equal(lookUps(), expected, 'a failure is not kept');
  }
});
