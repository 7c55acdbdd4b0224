// A service with addresses of both families that takes over a second to connect, on a machine without IPv6. A server that does
// not accept connections takes the place of the distance: the system sends what it dropped again after a second.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import dns from 'node:dns';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test, type TestContext } from 'node:test';
import { systemClock } from '../../../proxy/clock.ts';
import { createMetrics } from '../../../proxy/metrics.ts';
import { reachabilityCheck } from '../../../proxy/upstream/reachability.ts';
import { createUpstream } from '../../../proxy/upstream/upstream.ts';
import { openClient } from '../client-socket.ts';
import { mountedProxy } from '../mounted-proxy.ts';

/** Answers 204 to every request once a byte comes on its stdin; until then it takes no connection beyond its queue of one. */
const SERVER = `
  const server = require('node:http').createServer((request, response) => response.writeHead(204).end());
  server.listen({ host: '127.0.0.1', port: 0, backlog: 1 }, () => {
    require('node:fs').writeSync(1, String(server.address().port));
    require('node:fs').readSync(0, Buffer.alloc(1));
  });
`;

/** Nothing listens at the second one, which fails at once as an address of IPv6 does on a machine without IPv6. */
const ADDRESSES = [
  { address: '127.0.0.1', family: 4 },
  { address: '::ffff:127.0.0.2', family: 6 },
];

/**
 * The port of the server. Its name is looked up as that of any service. Once the first packet of the connection was dropped, the
 * server accepts, and the connections that filled its queue end: sent again at the same time, they would fill it once more.
 */
async function farService(t: TestContext): Promise<number> {
  const server = spawn(process.execPath, ['-e', SERVER]);
  const [line] = (await once(server.stdout, 'data')) as [Buffer];
  const port = Number(line);
  const waiting = Array.from({ length: 8 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  await once(waiting[0]!, 'connect');
  const { lookup } = dns;
  const lookUp = (name: string, ...rest: [object, (error: null, addresses: object[]) => void]): void => {
    if (name !== 'service.example') return Reflect.apply(lookup, dns, [name, ...rest]);
    const [, found] = rest;
    found(null, ADDRESSES);
    setImmediate(() => {
      for (const socket of waiting) socket.destroy();
      server.stdin.write('.');
    });
  };
  t.mock.method(dns, 'lookup', lookUp as never);
  t.after(() => server.kill());
  return port;
}

test('a request reaches it', async (t) => {
  const upstream = createUpstream(
    `http://service.example:${await farService(t)}`,
    systemClock,
    createMetrics(),
  );
  t.after(() => upstream.close());
  const { status } = await upstream.request({
    method: 'POST',
    path: '/v2/generate',
    headers: {},
    body: '{}',
  });
  assert.equal(status, 204);
});

test('a session reaches it', async (t) => {
  const address = `ws://service.example:${await farService(t)}`;
  const proxy = await mountedProxy(t, { env: { SIGN_WS_URL: address } });
  const client = await openClient(proxy.address);
  await client.closed;
  const metrics = await (await fetch(`${proxy.origin}/metrics`)).text();
  // It has no sockets.
  assert.match(metrics, /sign_proxy_upstream_seconds_count{route="\/ws\/",status="204"} 1/);
});

test('it counts as one that answers', async (t) => {
  const answers = reachabilityCheck(`http://service.example:${await farService(t)}/ws/`, systemClock);
  assert.equal(await answers(), true);
});
