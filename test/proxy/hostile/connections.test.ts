// Attacks by one connection: many requests in one packet, answers that are not read, unfinished messages, requests that are
// repeated again and again; and a log that nobody reads.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Writable } from 'node:stream';
import { test, type TestContext } from 'node:test';
import { limitAnswers } from '../../../proxy/limits/answers.ts';
import { logPipe } from '../../../proxy/log-pipe.ts';
import { createMetrics } from '../../../proxy/metrics.ts';
import { type Message, messageOf } from '../../../proxy/relay/message.ts';
import { SessionSpending } from '../../../proxy/relay/session-spending.ts';
import { createUpstream } from '../../../proxy/upstream/upstream.ts';
import { listen } from '../../listening.ts';
import { until } from '../../until.ts';
import { fakeUpstream } from '../fake-upstream.ts';
import { manualClock } from '../manual-clock.ts';
import { mountedProxy } from '../mounted-proxy.ts';
import { frame, TEXT } from '../raw-frames.ts';
import { hostileHarness, statuses } from './harness.ts';

const harness = hostileHarness();
const GET = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n';

test('only the first of 200 requests in one packet is answered, and the connection is closed', async () => {
  assert.deepEqual(statuses(await harness.raw([Buffer.from(GET.repeat(200))])), [200]);
});

test('the connection of a request that offers another protocol ends with its answer, whatever is sent behind it', async () => {
  const socket = await harness.open();
  const offer = GET.replace('\r\n\r\n', '\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n');
  let answer = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (answer += chunk));
  socket.write(offer);
  await until(() => answer.endsWith('}'));
  socket.write(GET.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  await until(() => socket.destroyed);
  assert.deepEqual(statuses(answer), [200]);
});

test('the other requests of an address whose connections flood the program are answered', async () => {
  for (let n = 0; n < 40; n += 1) await harness.raw([Buffer.from(GET.repeat(20))]);
  assert.equal((await fetch(`${harness.url.origin}/sign/v1/status/job`)).status, 200);
});

test('bodies after an unanswered request free their places when the sender closes the connection', async () => {
  const { upstream, url } = harness;
  const { answer } = upstream;
  upstream.answer = (response, asked) => {
    if (!asked.request.url?.includes('/slow')) answer(response, asked);
  };
  const before = upstream.checks.length;
  for (let n = 0; n < 20; n += 1) {
    const socket = await harness.open();
    socket.write(
      'GET /sign/v1/status/slow HTTP/1.1\r\nHost: a\r\n\r\nPOST /sign/v2/generate HTTP/1.1\r\nHost: a\r\n' +
        'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    );
    await until(() => upstream.checks.length > before + n);
    socket.destroy();
  }
  await until(async () => {
    const response = await fetch(`${url.origin}/sign/v2/generate`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"content":{"data":"Hello."}}',
    });
    await response.arrayBuffer();
    return response.status === 200;
  });
});

/** A server with the proxy's limits for answers; each answer has 32 MB. */
async function limited(t: TestContext) {
  const server = createServer((_request, response) => void response.end(Buffer.alloc(32 * 1024 * 1024)));
  const clock = manualClock();
  const limitHits: string[] = [];
  const metrics = { limitHit: (limit: string) => void limitHits.push(limit) };
  server.on('checkExpectation', (_request, response) => void response.writeHead(417).end());
  limitAnswers(server, { clock, metrics });
  const begun: string[] = [];
  for (const event of ['request', 'checkExpectation']) server.on(event, () => begun.push(event));
  const served: Socket[] = [];
  server.on('connection', (socket) => served.push(socket));
  const port = await listen(server);
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    clock,
    limitHits,
    /** The events of the requests that Node has taken out of its packets. */
    begun,
    served,
    open(): Socket {
      const socket = connect(port, '127.0.0.1').pause();
      socket.on('error', () => undefined);
      t.after(() => void socket.destroy());
      return socket;
    },
  };
}

test('an answer that is not read to its end in five minutes is cut off, and one that is not read at all after 30 s', async (t) => {
  const { clock, limitHits, served, open } = await limited(t);
  open().write(GET);
  await until(() => served[0] !== undefined && served[0].writableLength > 0);
  clock.advance(5_000);
  assert.equal(served[0]?.timeout, 30_000);
  open().write(GET);
  await until(() => served[1] !== undefined && served[1].writableLength > 0);
  served[1]?.emit('timeout');
  assert.equal(served[1]?.destroyed, true);
  clock.advance(290_000);
  assert.equal(served[0]?.destroyed, false);
  clock.advance(10_000);
  assert.equal(served[0]?.destroyed, true);
  assert.deepEqual(limitHits, ['slow_readers']);
});

for (const [what, more, event] of [
  ['requests', '', 'request'],
  ['requests with an expectation', 'Expect: nothing\r\n', 'checkExpectation'],
] as const) {
  test(`the parser takes only one of 2,000 ${what} in a packet`, async (t) => {
    const { begun, limitHits, open } = await limited(t);
    const socket = open().resume();
    socket.write(GET.replace('\r\n\r\n', `\r\n${more}\r\n`).repeat(2_000));
    await once(socket, 'close');
    assert.deepEqual(begun, [event]);
    assert.deepEqual(limitHits, ['pipelined']);
  });
}

test('a message that is not whole after 20 s ends its socket with 1012, unless it goes on arriving', async (t) => {
  const { clock, started, address } = await mountedProxy(t);
  assert.ok(address);
  const slow = await started();
  const other = await started();
  const raw = (slow.client.socket as unknown as { readonly _socket: Socket })._socket;
  raw.write(frame('a'.repeat(60_000), { opcode: TEXT }).subarray(0, 50_000));
  await until(() => {
    clock.advance(10_000);
    other.client.socket.ping();
    return slow.client.socket.readyState === slow.client.socket.CLOSED;
  });
  assert.deepEqual(await slow.client.closed, { code: 1012, reason: 'restarting' });
  assert.equal(other.client.socket.readyState, other.client.socket.OPEN);
});

for (const [length, closed] of [
  [1_000, null],
  [1_200, { code: 1008, reason: '' }],
] as const) {
  test(`a message of ${length} bytes that comes byte by byte ${closed ? 'ends its socket' : 'passes'}`, async (t) => {
    const { app, started } = await mountedProxy(t);
    let ofClient: Socket | undefined;
    app.server.once('connection', (socket) => (ofClient = socket));
    const { client, session } = await started();
    const raw = (client.socket as unknown as { readonly _socket: Socket })._socket;
    const bytes = frame('a'.repeat(length));
    for (let at = 0; at < bytes.length && client.socket.readyState === client.socket.OPEN; at += 1) {
      const arrived = ofClient && once(ofClient, 'data');
      raw.write(bytes.subarray(at, at + 1));
      await Promise.race([arrived, client.closed]);
    }
    if (closed) assert.deepEqual(await client.closed, closed);
    else assert.equal((await session.frames.next()).text.length, length);
  });
}

test('a REST answer keeps its place among the 16 of its client until the client has received it', async (t) => {
  const service = await fakeUpstream();
  service.status = 200;
  const upstream = createUpstream(service.url, manualClock(), createMetrics());
  t.after(async () => {
    upstream.close();
    await service.close();
  });
  const asked = { method: 'GET', path: '/', headers: {}, client: 'slow' } as const;
  let take = (): void => undefined;
  const taken = new Promise<void>((resolve) => (take = resolve));
  const answers = Array.from({ length: 16 }, () => upstream.request({ ...asked, taken }));
  await Promise.all(answers);
  await assert.rejects(upstream.request(asked), { code: 'rate_limited', status: 429 });
  take();
  await taken;
  assert.equal((await upstream.request(asked)).status, 200);
});

test('a frame of the service that is nested without end is not parsed', () => {
  const added: number[] = [];
  const spent = new SessionSpending(manualClock(), {
    add: ({ seconds = 0 }) => void added.push(seconds),
    expect: () => undefined,
    mustWait: () => false,
    streaming: () => () => 0,
  });
  const result = (ref: string, more: string): Message =>
    messageOf(Buffer.from(`{"type":"result","ref":"${ref}","duration_seconds":2,"more":${more}}`));
  spent.received(result('a', `${'['.repeat(1_000)}${']'.repeat(1_000)}`));
  assert.deepEqual(added, []);
  spent.received(result('b', '[[]]'));
  assert.deepEqual(added, [2]);
});

test('an address reads /metrics 240 times a minute, and elements ten times as often as it may send requests', async (t) => {
  const { origin, clock } = await mountedProxy(t, { env: { SIGN_REQUESTS_PER_MINUTE: '2' } });
  const statusesOf = async (path: string, count: number): Promise<number[]> => {
    const got: number[] = [];
    for (let n = 0; n < count; n += 1) {
      const response = await fetch(origin + path);
      await response.arrayBuffer();
      got.push(response.status);
    }
    return got;
  };
  const reads = await statusesOf('/metrics', 241);
  assert.deepEqual([reads.indexOf(429), reads[0]], [240, 200]);
  assert.equal((await statusesOf('/sign/integrity.json', 21)).indexOf(429), 20);
  clock.advance(60_000);
  assert.deepEqual(await statusesOf('/metrics', 1), [200]);
});

test('lines for a log that nobody reads are dropped beyond 256 kB, and counted once it is read again', async () => {
  const written: string[] = [];
  let flow: (() => void) | null = null;
  let isStalled = true;
  const pipe = new Writable({
    decodeStrings: false,
    write(line: string, _encoding, done) {
      written.push(line);
      if (isStalled) flow = done;
      else done();
    },
  });
  const log = logPipe(pipe);
  const LINE = `${'x'.repeat(1023)}\n`;
  for (let n = 0; n < 1_000; n += 1) log.write(LINE);
  assert.ok(pipe.writableLength <= 257 * 1024, `${pipe.writableLength} bytes wait`);
  isStalled = false;
  const drained = once(pipe, 'drain');
  (flow as (() => void) | null)?.();
  await drained;
  await until(() => written.some((line) => line.includes('log lines dropped')));
  const kept = written.filter((line) => line === LINE).length;
  const { lines } = JSON.parse(written.find((line) => line.includes('dropped')) ?? '{}') as { lines: number };
  assert.equal(kept + lines, 1_000);
});
