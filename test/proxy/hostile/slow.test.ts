// Senders that never come to an end, and readers that never read.
// - The proxy ends them after 10 s for a head, 20 s for a body, and 10 minutes in which nothing moves.
// - The tests check the three limits on the server that the program listens with, then shorten them there instead of waiting.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { createSignProxy, readConfig } from '../../../proxy/index.ts';
import { standaloneServer } from '../../../proxy/standalone.ts';
import { createRedactor } from '../../../proxy/credentials/redaction.ts';
import { statuses } from './harness.ts';

let app: FastifyInstance;

before(async () => {
  app = standaloneServer(createRedactor([]), { logTo: { write: () => undefined } });
  // The test needs no service, because none of these requests is ever complete.
  await app.register(createSignProxy(readConfig({ SIGN_API_URL: 'http://127.0.0.1:1' })).plugin);
  // More than the buffers of a connection that nobody reads can hold.
  app.get('/long', async () => Buffer.alloc(32 * 1024 * 1024, 'x'));
  await app.listen({ host: '127.0.0.1', port: 0 });
});
after(() => app.close());

async function slow(text: string): Promise<number[]> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.write(text);
  await once(socket, 'close');
  return statuses(Buffer.concat(chunks).toString('latin1'));
}

test('a head has 10 s to arrive, a body 20 s, and a connection may be idle for 10 minutes', () => {
  const { headersTimeout, requestTimeout, timeout } = app.server;
  assert.deepEqual([headersTimeout, requestTimeout, timeout], [10_000, 20_000, 600_000]);
});

describe('slow senders', { concurrency: true }, () => {
  before(() => Object.assign(app.server, { headersTimeout: 100, requestTimeout: 200 }));
  const head = 'POST /sign/v2/generate HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';

  test('a head that never ends is answered 408', async () =>
    assert.deepEqual(await slow(`${head}X-A: `), [408]));
  test('a body that never ends is answered 408', async () =>
    assert.deepEqual(await slow(`${head}Content-Length: 99\r\n\r\n{`), [408]));
  test('chunks that never end are answered 408', async () =>
    assert.deepEqual(await slow(`${head}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`), [408]));
  test('an upgrade that never ends is answered 408', async () =>
    assert.deepEqual(await slow('GET /sign/ws/ HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n'), [408]));
});

describe('senders that keep their half of the connection open', () => {
  /** Resolves with the answer when the proxy has closed the connection. */
  async function stubborn(text: string): Promise<number[]> {
    const connection = once(app.server, 'connection');
    const { port } = app.server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => undefined);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    const ended = once(socket, 'end');
    socket.write(text);
    const [served] = (await connection) as [Socket];
    if (!served.destroyed) await once(served, 'close');
    await ended;
    socket.destroy();
    return statuses(Buffer.concat(chunks).toString('latin1'));
  }

  test('a head that never ends is cut off', async () =>
    assert.deepEqual(await stubborn('GET / HTTP/1.1\r\nHost: a\r\nX-A: '), [408]));
  test('nonsense is cut off', async () => assert.deepEqual(await stubborn('nonsense\r\n\r\n'), [400]));
});

test('an answer that nobody reads is cut off', async () => {
  const connection = once(app.server, 'connection');
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('GET /long HTTP/1.1\r\nHost: a\r\n\r\n');
  const [served] = (await connection) as [Socket];
  await once(socket, 'readable');
  const closed = once(served, 'close');
  served.setTimeout(100);
  await closed;
  socket.destroy();
});
