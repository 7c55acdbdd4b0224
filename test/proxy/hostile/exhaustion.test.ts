// One host that uses up shared resources: connections, places for bodies, parts of messages, lines of the log.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { createSignProxy, readConfig } from '../../../proxy/index.ts';
import { limitConnections } from '../../../proxy/limits/connections.ts';
import { logLines } from '../../../proxy/limits/log-lines.ts';
import { openSockets } from '../../../proxy/limits/sockets.ts';
import { listen } from '../../listening.ts';
import { until } from '../../until.ts';
import { openClient } from '../client-socket.ts';
import { type ManualClock, manualClock } from '../manual-clock.ts';
import { mountedProxy } from '../mounted-proxy.ts';
import { frame, TEXT } from '../raw-frames.ts';
import { fakeUpstream } from '../fake-upstream.ts';

interface Connections {
  /** Opens this many connections from this address; resolves with how many the server keeps. */
  keep(count: number, localAddress: string): Promise<number>;
  close(localAddress: string): Promise<void>;
  readonly limitHits: readonly string[];
}

async function connections(
  t: TestContext,
  trustProxy: readonly string[],
  total?: number,
): Promise<Connections> {
  const server = createServer();
  const limitHits: string[] = [];
  const metrics = { limitHit: (limit: string) => void limitHits.push(limit) };
  const served: Socket[] = [];
  const opened: Socket[] = [];
  const deps = { clock: manualClock(), metrics, sites: () => [] };
  limitConnections(server, { maxSocketsPerClient: 2, trustProxy }, deps, total);
  server.on('connection', (socket) => served.push(socket));
  const port = await listen(server);
  t.after(() => {
    for (const socket of [...opened, ...served]) socket.destroy();
    server.close();
  });
  return {
    limitHits,
    async keep(count, localAddress) {
      const before = served.length;
      for (let n = 0; n < count; n += 1) {
        const socket = connect({ port, host: '127.0.0.1', localAddress });
        socket.on('error', () => undefined);
        opened.push(socket);
      }
      await until(() => served.length === before + count);
      return served.slice(before).filter(({ destroyed }) => !destroyed).length;
    },
    async close(localAddress) {
      const closed = served.filter((socket) => !socket.destroyed && socket.remoteAddress === localAddress);
      const all = closed.map((socket) => once(socket, 'close'));
      for (const socket of closed) socket.destroy();
      await Promise.all(all);
    },
  };
}

test('an address may have four times as many connections as sockets, and other addresses keep theirs', async (t) => {
  const { keep, close, limitHits } = await connections(t, []);
  assert.equal(await keep(20, '127.0.0.2'), 8);
  assert.deepEqual(limitHits, Array(12).fill('connections_of_address'));
  assert.equal(await keep(3, '127.0.0.3'), 3);
  await close('127.0.0.2');
  assert.equal(await keep(20, '127.0.0.2'), 8, 'places that were given back');
});

test('the connections of a trusted balancer count towards the limit of all addresses, and not towards the limit of one', async (t) => {
  const { keep } = await connections(t, ['127.0.0.2']);
  assert.equal(await keep(100, '127.0.0.2'), 100);
});

test('when most connections are in use, each address may have fewer, but at least one; when all are in use, none', async (t) => {
  const { keep, limitHits } = await connections(t, [], 12);
  const kept = [await keep(8, '127.0.0.2'), await keep(8, '127.0.0.3'), await keep(8, '127.0.0.4')];
  assert.deepEqual(kept, [7, 3, 1]);
  assert.equal(await keep(1, '127.0.0.5'), 1);
  assert.equal(await keep(1, '127.0.0.6'), 0);
  assert.equal(limitHits.at(-1), 'connections');
});

test('when many addresses open sockets, each gets at least one and some stay free', () => {
  const sockets = openSockets(32, 1_000);
  const openOf = (address: string): number => {
    let open = 0;
    while (open < 100 && typeof sockets.open(address) === 'function') open += 1;
    return open;
  };
  const each = Array.from({ length: 60 }, (_, n) => openOf(`192.0.2.${n}`));
  assert.equal(each[0], 32);
  assert.ok(Math.min(...each) >= 1, each.join());
  assert.equal(typeof sockets.open('198.51.100.1'), 'function');
});

/** The proxy as the program runs it, and the service. */
async function listening(t: TestContext, env: NodeJS.ProcessEnv = {}, clock?: ManualClock) {
  const upstream = await fakeUpstream();
  upstream.status = 200;
  const proxy = createSignProxy(readConfig({ SIGN_API_URL: upstream.url, PORT: '0', ...env }), clock);
  const url = new URL(await proxy.listen());
  const open: Socket[] = [];
  t.after(async () => {
    for (const socket of open) socket.destroy();
    await proxy.close();
    await upstream.close();
  });
  return {
    upstream,
    url,
    connect(localAddress = '127.0.0.1'): Socket {
      const socket = connect({ port: Number(url.port), host: url.hostname, localAddress }).resume();
      socket.on('error', () => undefined);
      open.push(socket);
      return socket;
    },
  };
}

test('a program that listens closes the connections of an address over its limit', async (t) => {
  const { url, connect: open } = await listening(t, { SIGN_MAX_SOCKETS_PER_CLIENT: '1' });
  const sockets = Array.from({ length: 12 }, () => open());
  await until(() => sockets.filter(({ destroyed }) => destroyed).length === 8);
  assert.equal((await fetch(`${url.origin}/healthz`)).status, 429);
  sockets.find(({ destroyed }) => !destroyed)?.destroy();
  await until(async () => (await fetch(`${url.origin}/healthz`)).status === 200);
});

test('sixteen endless bodies use all places of their address, and other addresses keep theirs', async (t) => {
  const { upstream, url, connect: open } = await listening(t, { SIGN_TRUST_PROXY: '127.0.0.1' });
  const head = (address: string): string =>
    `POST /sign/v2/generate HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${address}\r\nContent-Type: application/json\r\n`;
  const slow = Array.from({ length: 16 }, () => open());
  for (const socket of slow) socket.write(`${head('192.0.2.1')}Content-Length: 200000\r\n\r\n{`);
  const generate = async (address: string): Promise<number> => {
    const response = await fetch(`${url.origin}/sign/v2/generate`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': address },
      body: '{"content":{"data":"Hello."}}',
    });
    await response.arrayBuffer();
    return response.status;
  };
  await until(async () => (await generate('192.0.2.1')) === 429);
  assert.equal(await generate('192.0.2.2'), 200);
  for (const socket of slow) socket.destroy();
  await until(async () => (await generate('192.0.2.1')) === 200);
  assert.equal(upstream.checks.length > 0, true);
});

test('an address that sends thirty bodies in chunks of one byte opens no connection for a while, and other addresses do', async (t) => {
  const clock = manualClock();
  const { connect: open } = await listening(t, {}, clock);
  const chunks = '1\r\na\r\n'.repeat(2_000);
  const post = async (address: string, path: string, body: string): Promise<number> => {
    const socket = open(address);
    let answer = '';
    socket.on('data', (data: Buffer) => (answer += data.toString()));
    socket.write(
      `POST /sign${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${body}`,
    );
    await until(() => socket.destroyed);
    return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
  };
  const whole = `${chunks}0\r\n\r\n`;
  for (let n = 0; n < 15; n += 1) assert.equal(await post('127.0.0.2', '/v2/generate', whole), 400);
  for (let n = 0; n < 15; n += 1) assert.equal(await post('127.0.0.2', '/nothing', chunks), 404);
  assert.equal(await post('127.0.0.2', '/v2/generate', whole), 429);
  assert.equal(await post('127.0.0.3', '/v2/generate', whole), 400);
  clock.advance(2_000);
  assert.equal(await post('127.0.0.2', '/v2/generate', whole), 400);
});

test('bodies of requests that no route takes are not read', async (t) => {
  const { connect: open } = await listening(t);
  for (const path of ['/nothing', '/', '/sign', '/sign/nothing', '/healthz']) {
    const socket = open();
    const answer = once(socket, 'data');
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 200000\r\n\r\n{`,
    );
    const [head] = (await answer) as [Buffer];
    assert.match(head.toString(), path === '/healthz' ? /^HTTP\/1\.1 405/ : /^HTTP\/1\.1 404/);
  }
});

test('a message in more parts than anybody needs ends the socket', async (t) => {
  const { url } = await listening(t);
  const client = await openClient(`ws://${url.host}/sign/ws/`);
  const raw = (client.socket as unknown as { readonly _socket: Socket })._socket;
  raw.write(frame('', { opcode: TEXT, flags: 0 }));
  for (let n = 0; n < 300; n += 1) raw.write(frame('', { opcode: 0, flags: 0 }));
  assert.equal((await client.closed).code, 1008);
});

test('a message of the service with endlessly many empty parts ends the session', async (t) => {
  const { client, session } = await (await mountedProxy(t)).started();
  const raw = (session.socket as unknown as { readonly _socket: Socket })._socket;
  raw.on('error', () => undefined);
  raw.write(frame('', { opcode: TEXT, flags: 0, masked: false }));
  raw.write(Buffer.concat(Array(20_000).fill(frame('', { opcode: 0, flags: 0, masked: false }))));
  assert.equal((await client.closed).code, 1011);
});

test('a message of the service that comes byte by byte ends the session', async (t) => {
  const { client, session } = await (await mountedProxy(t)).started();
  const raw = (session.socket as unknown as { readonly _socket: Socket })._socket;
  raw.on('error', () => undefined).setNoDelay(true);
  raw.write(frame('', { opcode: TEXT, length: 100_000n, masked: false }));
  for (let sent = 0; sent < 40_000 && !raw.destroyed; sent += 1) {
    raw.write('a');
    await new Promise((read) => setImmediate(read));
  }
  assert.equal(raw.destroyed, true);
  assert.equal((await client.closed).code, 1011);
});

test('each client may cause as many log lines as it may send requests, and the lines that are left out are counted', () => {
  const clock = manualClock();
  const written: string[] = [];
  const lines = logLines(60, clock, (count) => written.push(`${count} left out`));
  const write = (client: string): void => lines.write(client, () => written.push(client));
  for (let n = 0; n < 100; n += 1) write('192.0.2.1');
  write('192.0.2.2');
  assert.deepEqual(written, [...Array(60).fill('192.0.2.1'), '40 left out', '192.0.2.2']);
  clock.advance(1_000);
  write('192.0.2.1');
  assert.equal(written.at(-1), '192.0.2.1');
});

test('a flood of requests that are refused writes no more lines than the client may send requests', async (t) => {
  const { url } = await listening(t, { SIGN_REQUESTS_PER_MINUTE: '10' });
  const { write } = process.stderr;
  const lines: string[] = [];
  t.after(() => void (process.stderr.write = write));
  process.stderr.write = (line: string | Uint8Array) => lines.push(String(line)) > 0;
  for (let n = 0; n < 100; n += 1) await (await fetch(`${url.origin}/sign/nothing`)).arrayBuffer();
  process.stderr.write = write;
  const requests = lines.filter((line) => line.includes('"msg":"request"')).length;
  assert.ok(requests >= 10 && requests < 40, `${requests} lines`);
});
