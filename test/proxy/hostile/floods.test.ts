// Floods of requests, pings and pongs: what is answered, what is cut off, and what other clients still get.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { openClient } from '../client-socket.ts';
import { BINARY, frame } from '../raw-frames.ts';
import { hostileHarness } from './harness.ts';

const harness = hostileHarness({
  SIGN_REQUESTS_PER_MINUTE: '60',
  SIGN_TRUST_PROXY: '127.0.0.1',
});

const from = (client: string): Record<string, string> => ({ 'X-Forwarded-For': client });
/** The statuses of 200 requests. They are sent at the same time, because each second lets one more of them through. */
const manyAtOnce = (client: (n: number) => string): Promise<number[]> =>
  Promise.all(
    Array.from({ length: 200 }, async (_, n) => {
      const response = await fetch(`${harness.url.origin}/sign/nothing`, { headers: from(client(n)) });
      await response.arrayBuffer();
      return response.status;
    }),
  );

const relay = (): string => `ws://${harness.url.host}/sign/ws/`;

test('of a thousand requests of one client sixty and the refilled ones go up and the rest get 429, and another client is served', async () => {
  const before = harness.upstream.checks.length;
  const lookUp = (client: string): Promise<number> =>
    fetch(`${harness.url.origin}/sign/v1/status/job`, { headers: from(client) }).then(async (response) => {
      await response.arrayBuffer();
      return response.status;
    });
  const began = performance.now();
  const got: number[] = [];
  while (got.length < 1_000)
    got.push(...(await Promise.all(Array.from({ length: 16 }, () => lookUp('192.0.2.1')))));
  const served = got.filter((status) => status === 200).length;
  assert.deepEqual([...new Set(got)].sort(), [200, 429]);
  assert.equal(harness.upstream.checks.length - before, served);
  // One more a second; the program's clock and this one may round differently.
  const filled = Math.ceil((performance.now() - began) / 1000) + 1;
  assert.ok(served >= 60 && served <= 60 + filled, `${served} were served, ${filled} filled up`);
  assert.equal(await lookUp('192.0.2.2'), 200);
});

test('a client that writes its own X-Forwarded-For does not get a limit for each address in it', async () => {
  const got = await manyAtOnce((n) => `203.0.113.${n}, 192.0.2.3`);
  assert.ok(got.includes(429), got.join());
});

test('addresses of one IPv6 network are one client', async () => {
  const got = await manyAtOnce((n) => `2001:db8:1:2::${n}`);
  assert.ok(got.includes(429), got.join());
});

test('a client that sends a ping for each pong that it gets is cut off, although it reads them all', async () => {
  const client = await openClient(relay(), from('192.0.2.8'));
  client.socket.on('pong', () => client.socket.ping());
  client.socket.ping();
  assert.deepEqual(await client.closed, { code: 1006, reason: '' });
});

test('a client that sends unsolicited pongs is cut off', async () => {
  const client = await openClient(relay(), from('192.0.2.9'));
  for (let n = 0; n < 1_000; n++) client.socket.pong();
  assert.deepEqual(await client.closed, { code: 1006, reason: '' });
});

test('ten thousand pings at once, more than are answered, cut the socket off', async () => {
  const client = await openClient(relay(), from('192.0.2.7'));
  for (let n = 0; n < 10_000; n++) client.socket.ping();
  assert.deepEqual(await client.closed, { code: 1006, reason: '' });
});

const UPGRADE =
  'GET /sign/ws/ HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n' +
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nX-Forwarded-For: 192.0.2.10\r\n\r\n';

test('a client that is closed, answers no close and goes on sending is cut off before 64 MB of it are read', async () => {
  const socket = await harness.open();
  const closed = new Promise((over) => socket.once('close', over));
  socket.resume();
  socket.write(UPGRADE);
  await once(socket, 'data');
  const flood = frame(Buffer.alloc(60_000), { opcode: BINARY });
  let sent = 0;
  for (; sent < 64_000_000 && !socket.destroyed; sent += flood.length)
    if (!socket.write(flood)) await Promise.race([new Promise((go) => socket.once('drain', go)), closed]);
  assert.ok(sent < 64_000_000, 'all of it was read');
  await closed;
});
