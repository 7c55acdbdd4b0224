// Videos whose length a cap could miss: the request names the length, or the client does not read the results that name it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../until.ts';
import { mountedProxy, type MountedProxy } from '../mounted-proxy.ts';
import { spentBy } from '../spending-harness.ts';
import { post, TOKEN } from '../translation-exchange.ts';

/** The reasons of ended sessions in the metrics. */
const relayEnds = async ({ origin }: MountedProxy): Promise<readonly string[]> => {
  const metrics = await (await fetch(`${origin}/metrics`)).text();
  return [...metrics.matchAll(/^sign_proxy_relay_ends_total\{reason="(\w+)"\}/gm)].map(
    ([, reason = '']) => reason,
  );
};

test('a requested duration counts when it is longer than its text, and one that is longer than the longest text is refused', async (t) => {
  const proxy = await mountedProxy(t, { env: { SIGN_OPERATOR_TOKEN: TOKEN } });
  proxy.upstream.status = 200;
  const ask = async (content: object, headers = {}): Promise<readonly [status: number, seconds: number]> => {
    const { status } = await post(
      proxy,
      { content: { data: 'One two three four five.', ...content } },
      headers,
    );
    return [status, await spentBy(proxy, 'video_seconds')];
  };
  assert.deepEqual(await ask({ duration: 3 }), [200, 4]);
  assert.deepEqual(await ask({ duration: 90 }), [200, 4 + 90]);
  assert.deepEqual(await ask({ duration: 6_001 }), [200, 94 + 6_001]);
  for (const content of [{ duration: 6_002 }, { duration: 1e300 }, { duration: '90' }, { Duration: 90 }]) {
    assert.deepEqual(await ask(content), [400, 6_095], JSON.stringify(content));
  }
  const operator = { Authorization: `Bearer ${TOKEN}` };
  assert.deepEqual(await ask({ duration: 7_000 }, operator), [200, 6_095 + 7_000]);
  // A sum that is no longer a finite number could not be kept over a restart.
  assert.deepEqual(await ask({ duration: 1e308 }, operator), [400, 13_095]);
});

test('a client that reads nothing until the service closes the session has spent its texts', async (t) => {
  const proxy = await mountedProxy(t);
  const { client, session } = await proxy.started();
  client.socket.pause();
  const flood = 'x'.repeat(1024 * 1024);
  for (let count = 0; count < 32; count += 1) session.socket.send(flood);
  // Results that the proxy does not read stay at the service.
  let left = -1;
  await until(async () => {
    const before = left;
    left = session.socket.bufferedAmount;
    await (await fetch(`${proxy.origin}/healthz`)).arrayBuffer();
    return left === before;
  });
  client.socket.send(JSON.stringify({ type: 'text', id: 'a', data: 'One two three four five.' }));
  await session.frames.next();
  session.socket.terminate();
  // The proxy notices it when it sends its second ping.
  await until(async () => {
    proxy.clock.advance(30_000);
    return (await relayEnds(proxy)).length > 0;
  });
  assert.deepEqual(await relayEnds(proxy), ['session_failed']);
  assert.equal(await spentBy(proxy, 'video_seconds'), 4);
});
