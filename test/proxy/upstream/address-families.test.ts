// A service with addresses of both families, of which only the second one answers at first. From then on the proxy tries the
// second one first, although the first one would answer too. Each family has a server of its own, on the same port, which counts
// its connections.
// - The address of IPv6 is a mapped one of IPv4 (RFC 4291, 2.5.5.2), because a machine may have no `::1`.
import assert from 'node:assert/strict';
import dns from 'node:dns';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { systemClock } from '../../../proxy/clock.ts';
import { createMetrics } from '../../../proxy/metrics.ts';
import { reachabilityCheck } from '../../../proxy/upstream/reachability.ts';
import { createUpstream } from '../../../proxy/upstream/upstream.ts';
import { openClient } from '../client-socket.ts';
import { mountedProxy } from '../mounted-proxy.ts';

const OVER_IPV6 = '127.0.0.2';

async function listening(t: TestContext, host: string, port: number, seen: string[]): Promise<Server> {
  const server = createServer((_request, response) => {
    seen.push(host);
    response.writeHead(204, { connection: 'close' }).end();
  });
  server.listen(port, host);
  t.after(() => server.close());
  await once(server, 'listening');
  return server;
}

/** The name of the service is another one in each test, because the process remembers it. */
async function twoFamilies(t: TestContext, name: string) {
  const seen: string[] = [];
  const overIpv4 = await listening(t, '127.0.0.1', 0, seen);
  const { port } = overIpv4.address() as AddressInfo;
  const { lookup } = dns;
  const lookUp = (host: string, ...rest: [object, (error: null, addresses: object[]) => void]): void => {
    if (host !== name) return Reflect.apply(lookup, dns, [host, ...rest]);
    rest[1](null, [
      { address: `::ffff:${OVER_IPV6}`, family: 6 },
      { address: '127.0.0.1', family: 4 },
    ]);
  };
  t.mock.method(dns, 'lookup', lookUp as never);
  const listenOnIpv6 = () => listening(t, OVER_IPV6, port, seen);
  return { address: `//${name}:${port}`, seen, overIpv4, listenOnIpv6 };
}

test('requests go on over the family that connected', async (t) => {
  const { address, seen, listenOnIpv6 } = await twoFamilies(t, 'requests.example');
  const upstream = createUpstream(`http:${address}`, systemClock, createMetrics());
  t.after(() => upstream.close());
  const ask = () => upstream.request({ method: 'POST', path: '/', headers: {}, body: '{}' });
  await ask();
  await listenOnIpv6();
  await ask();
  assert.deepEqual(seen, ['127.0.0.1', '127.0.0.1']);
});

test('the family that a session has found is also tried first by the check of /readyz, and the other way round', async (t) => {
  const { address, seen, listenOnIpv6 } = await twoFamilies(t, 'sessions.example');
  const proxy = await mountedProxy(t, { env: { SIGN_WS_URL: `ws:${address}` } });
  const session = async () => (await openClient(proxy.address)).closed;
  await session();
  await listenOnIpv6();
  assert.equal(await reachabilityCheck(`http:${address}/ws/`, systemClock)(), true);
  await session();
  assert.deepEqual(seen, ['127.0.0.1', '127.0.0.1', '127.0.0.1']);
});

test('the other family is tried when the one that connected no longer does', async (t) => {
  const { address, seen, overIpv4, listenOnIpv6 } = await twoFamilies(t, 'moved.example');
  const answers = reachabilityCheck(`http:${address}/`, { ...systemClock, now: () => Infinity });
  await answers();
  await listenOnIpv6();
  overIpv4.close();
  await once(overIpv4, 'close');
  assert.equal(await answers(), true);
  assert.deepEqual(seen, ['127.0.0.1', OVER_IPV6]);
});
