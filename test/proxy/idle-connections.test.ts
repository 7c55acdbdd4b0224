// How long a connection without a request is kept.
// - Between two requests: longer than balancers keep it when the client is a trusted one, else shortly.
// - When the proxy ends: not at all where nothing has come on it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { createRedactor } from '../../proxy/credentials/redaction.ts';
import { createSignProxy, readConfig } from '../../proxy/index.ts';
import { standaloneServer } from '../../proxy/standalone.ts';
import { until } from '../until.ts';
import { manualClock } from './manual-clock.ts';

/** The time-out in seconds that the connection of a client has after the second of two requests. */
async function idleSeconds(t: TestContext, trustProxy: readonly string[]): Promise<number> {
  const app = standaloneServer(createRedactor([]), {
    logTo: { write: () => undefined },
    limits: { requestsPerMinute: 600, trustProxy },
  });
  const connected = once(app.server, 'connection') as Promise<[Socket]>;
  await app.listen({ host: '127.0.0.1', port: 0 });
  const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  t.after(() => {
    client.destroy();
    return app.close();
  });
  for (const path of ['/first', '/second']) {
    client.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    await once(client, 'data');
  }
  const [{ timeout = 0 }] = await connected;
  return Math.floor(timeout / 1000);
}

test('an idle connection of a balancer stays for more than 600 s, because Google’s sends a POST even while one is being closed', async (t) => {
  assert.equal(await idleSeconds(t, ['127.0.0.1']), 620);
});

test('an idle connection of anyone else stays for little more than a minute', async (t) => {
  const seconds = await idleSeconds(t, []);
  assert.ok(seconds > 60 && seconds < 80, `${seconds} s`);
});

test('when the proxy ends, a connection on which nothing came in 2 s is ended too, and the end does not wait 10 s for a request', async (t) => {
  const clock = manualClock();
  const proxy = createSignProxy(readConfig({ SIGN_API_URL: 'http://127.0.0.1:1', PORT: '0' }), clock);
  const { port } = new URL(await proxy.listen());
  const connection = (): Socket => connect(Number(port), '127.0.0.1');
  const [silent, asking] = [connection(), connection()];
  t.after(() => silent.destroy());
  silent.resume();
  await once(silent, 'connect');
  asking.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(asking, 'data');
  const closed = proxy.close();
  await once(asking, 'close');
  clock.advance(1_999);
  assert.equal(silent.closed, false);
  clock.advance(251);
  await until(() => silent.closed);
  await closed;
});
