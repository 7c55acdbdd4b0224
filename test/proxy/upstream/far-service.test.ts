// A service with addresses of both families that takes over a second to connect, on a machine without IPv6: the system sends a
// dropped packet again after a second (RFC 6298, 2), so the proxy must not give up the address before that.
// - A server that accepts no connection takes the place of a server that is far away.
// - The tests check the order of two timers, because a blocked process learns too late of a packet that got through.
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

/** A server that takes no connection beyond its queue of one. */
const SERVER = `
  const server = require('node:net').createServer();
  server.listen({ host: '127.0.0.1', port: 0, backlog: 1 }, () => {
    require('node:fs').writeSync(1, String(server.address().port));
    require('node:fs').readSync(0, Buffer.alloc(1));
  });
`;

/** The second of RFC 6298, and some time so that this timer fires after the system's. */
const SENT_AGAIN_MS = 1_100;

/** Nothing listens at the second one, which fails at once as an address of IPv6 does on a machine without IPv6. */
const ADDRESSES = [
  { address: '127.0.0.1', family: 4 },
  { address: '::ffff:127.0.0.2', family: 6 },
];

/** A server that answers no packet. Its name is looked up as the name of any service is. */
async function farService(t: TestContext) {
  const server = spawn(process.execPath, ['-e', SERVER]);
  const [line] = (await once(server.stdout, 'data')) as [Buffer];
  const port = Number(line);
  const waiting = Array.from({ length: 8 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  await once(waiting[0]!, 'connect');
  let isSentAgain = false;
  let timer: NodeJS.Timeout | undefined;
  const { lookup } = dns;
  const lookUp = (name: string, ...rest: [object, (error: null, addresses: object[]) => void]): void => {
    if (name !== 'service.example') return Reflect.apply(lookup, dns, [name, ...rest]);
    const [, found] = rest;
    found(null, ADDRESSES);
    timer = setTimeout(() => (isSentAgain = true), SENT_AGAIN_MS);
  };
  t.mock.method(dns, 'lookup', lookUp as never);
  t.after(() => {
    clearTimeout(timer);
    for (const socket of waiting) socket.destroy();
    server.kill('SIGKILL');
  });
  return { host: `service.example:${port}`, isSentAgain: () => isSentAgain };
}

test('a request waits for a far service until the packet was sent again', async (t) => {
  const { host, isSentAgain } = await farService(t);
  const upstream = createUpstream(`http://${host}`, systemClock, createMetrics());
  t.after(() => upstream.close());
  const asked = upstream.request({ method: 'POST', path: '/v2/generate', headers: {}, body: '{}' });
  await assert.rejects(asked, { code: 'upstream_unreachable' });
  assert.ok(isSentAgain());
});

test('a session waits for a far service until the packet was sent again', async (t) => {
  const { host, isSentAgain } = await farService(t);
  const proxy = await mountedProxy(t, { env: { SIGN_WS_URL: `ws://${host}` } });
  const client = await openClient(proxy.address);
  await client.closed;
  assert.ok(isSentAgain());
});

test('/readyz reports a far service as down only after the packet was sent again', async (t) => {
  const { host, isSentAgain } = await farService(t);
  assert.equal(await reachabilityCheck(`http://${host}/ws/`, systemClock)(), false);
  assert.ok(isSentAgain());
});
