// How the proxy requests from the service: time-outs, limits, kept connections, and what is requested twice.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createMetrics } from '../../../proxy/metrics.ts';
import { reachabilityCheck } from '../../../proxy/upstream/reachability.ts';
import { createUpstream, type UpstreamRequest } from '../../../proxy/upstream/upstream.ts';
import { listen } from '../../listening.ts';
import { arrivals } from '../arrivals.ts';
import { fakeUpstream } from '../fake-upstream.ts';
import { manualClock } from '../manual-clock.ts';
import { asking } from './upstream-harness.ts';

const get: UpstreamRequest = { method: 'GET', path: '/a', headers: {}, signal: new AbortController().signal };
const post: UpstreamRequest = { ...get, method: 'POST', body: '{}' };

test('after an answer no timer is left', async (t) => {
  const { upstream, clock, service } = await asking(t);
  service.status = 200;
  assert.equal((await upstream.request(get)).status, 200);
  assert.equal(clock.pending, 0);
});

test('an answer that takes more than 60 s is 504 no_answer, and the connection to the service is closed', async (t) => {
  const { upstream, clock, service } = await asking(t);
  let hungUp: Promise<unknown> = Promise.reject(new Error('never asked'));
  hungUp.catch(() => undefined);
  service.answer = (response) => {
    hungUp = once(response, 'close');
    response.writeHead(200).write('half');
  };
  const answer = upstream.request(post);
  await service.asked.next();
  clock.advance(59_999);
  clock.advance(1);
  await assert.rejects(answer, { code: 'no_answer', status: 504 });
  await hungUp;
  assert.equal(clock.pending, 0);
});

test('an answer that comes byte by byte has 60 s as a whole', async (t) => {
  const { upstream, clock, service } = await asking(t);
  let write = (): Promise<unknown> => Promise.resolve();
  service.answer = (response) => {
    write = () => new Promise((written) => response.write('x', written));
  };
  const answer = upstream.request(get);
  answer.catch(() => undefined);
  await service.asked.next();
  for (let second = 0; second < 60; second += 1) {
    await write();
    clock.advance(1_000);
  }
  await assert.rejects(answer, { code: 'no_answer', status: 504 });
  assert.equal(clock.pending, 0);
});

test('a service that does not let us connect in 5 s, TLS included, is 504 upstream_unreachable', async (t) => {
  const { address, connections } = await rawServer(t, () => undefined);
  const clock = manualClock();
  const upstream = createUpstream(address.replace('http:', 'https:'), clock, createMetrics());
  const answer = upstream.request(post);
  await connections.next();
  clock.advance(4_999);
  assert.equal(clock.pending, 2);
  clock.advance(1);
  await assert.rejects(answer, { code: 'upstream_unreachable', status: 504 });
  assert.equal(clock.pending, 0);
});

test('nobody at the address is 502 upstream_unreachable', async () => {
  const upstream = createUpstream('http://127.0.0.1:1', manualClock(), createMetrics());
  await assert.rejects(upstream.request(post), { code: 'upstream_unreachable', status: 502 });
});

/** A server that treats each request as the next entry of the list says; the last entry is repeated. */
async function rawServer(t: TestContext, ...acts: ((socket: Socket) => void)[]) {
  /** The first bytes of each connection. */
  const connections = arrivals<string>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.once('data', (data) => {
      connections.push(data.toString());
      const act = acts.length > 1 ? acts.shift() : acts[0];
      act?.(socket);
    });
  });
  const port = await listen(server);
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return { address: `http://127.0.0.1:${port}`, connections };
}

async function askingRaw(t: TestContext, ...acts: ((socket: Socket) => void)[]) {
  const { address, connections } = await rawServer(t, ...acts);
  const upstream = createUpstream(address, manualClock(), createMetrics());
  t.after(() => upstream.close());
  return { upstream, connections };
}

const hangUp = (socket: Socket): void => void socket.destroy();
const answerOk = (socket: Socket): void =>
  void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok');
const answerHalf = (socket: Socket): void =>
  void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\nok');
const answerNonsense = (socket: Socket): void => void socket.end('nonsense\r\n\r\n');

for (const [what, act] of Object.entries({
  'breaks off': hangUp,
  'ends half way': answerHalf,
  'is no HTTP': answerNonsense,
})) {
  test(`a GET whose answer ${what} is requested once more, and a POST never, because it may have been billed`, async (t) => {
    const idempotent = await askingRaw(t, act, answerOk);
    assert.equal((await idempotent.upstream.request(get)).body.toString(), 'ok');
    assert.equal(idempotent.connections.all.length, 2);
    const other = await askingRaw(t, act, answerOk);
    await assert.rejects(other.upstream.request(post), { code: 'no_answer', status: 504 });
    assert.equal(other.connections.all.length, 1);
  });
}

test('a GET is requested twice and not more often', async (t) => {
  const { upstream, connections } = await askingRaw(t, hangUp);
  await assert.rejects(upstream.request(get), { code: 'upstream_unreachable' });
  assert.equal(connections.all.length, 2);
});

for (const [status, seconds, asked, code] of [
  [502, 0, post, 'upstream_unreachable'],
  [503, 10, post, 'upstream_unreachable'],
  [504, 2, post, 'no_answer'],
  [502, 2, post, 'no_answer'],
  [502, 2, get, 'upstream_unreachable'],
  [200, 0, post, 'no_answer'],
  [201, 0, get, 'upstream_unreachable'],
] as const) {
  test(`after a gateway's page with ${status} after ${seconds} s a ${asked.method} fails with ${code}`, async (t) => {
    const { upstream, service, clock } = await asking(t);
    service.answer = (response) => {
      clock.advance(seconds * 1000);
      response.writeHead(status, { 'content-type': 'Text/HTML; charset=utf-8' }).end('<h1>Bad Gateway</h1>');
    };
    await assert.rejects(upstream.request(asked), { code });
    assert.equal(clock.pending, 0);
  });
}

for (const status of [200, 202, 503]) {
  test(`JSON with ${status} is an answer of the service, also with the type of a page`, async (t) => {
    const { upstream, service } = await asking(t);
    service.answer = (response) =>
      void response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end('{"id":"a"}');
    const answered = await upstream.request(post);
    assert.deepEqual([answered.status, answered.body.toString()], [status, '{"id":"a"}']);
  });
}

test('a status of the service is an answer, and the request is not made again', async (t) => {
  const { upstream, service } = await asking(t);
  service.status = 503;
  assert.equal((await upstream.request(get)).status, 503);
  assert.equal(service.asked.all.length, 1);
});

test('a connection is kept for the next request', async (t) => {
  const { upstream, service } = await asking(t);
  service.status = 200;
  await upstream.request(get);
  await upstream.request(post);
  const [first, second] = service.checks;
  assert.equal(first?.socket, second?.socket);
});

test('an answer over 1 MB, and one in a content or transfer coding, is 502 protocol_error', async (t) => {
  const { upstream, service } = await asking(t);
  service.answer = (response) => void response.end(Buffer.alloc(1024 * 1024));
  assert.equal((await upstream.request(get)).body.length, 1024 * 1024);
  service.answer = (response) => void response.end(Buffer.alloc(1024 * 1024 + 1));
  await assert.rejects(upstream.request(get), { code: 'protocol_error', status: 502 });
  for (const coding of [{ 'content-encoding': 'gzip' }, { 'transfer-encoding': 'gzip, chunked' }]) {
    service.answer = (response) => void response.writeHead(200, coding).end('a');
    await assert.rejects(upstream.request(get), { code: 'protocol_error', status: 502 });
  }
  service.answer = (response) => void response.writeHead(200, { 'content-encoding': 'Identity' }).end('a');
  assert.equal((await upstream.request(get)).body.toString(), 'a');
});

test('a service that compresses only when it is accepted answers without a coding', async (t) => {
  const { upstream, service } = await asking(t);
  service.answer = (response, { request }) => {
    if (request.headers['accept-encoding'] !== 'identity') response.setHeader('content-encoding', 'gzip');
    response.end(response.hasHeader('content-encoding') ? gzipSync('{}') : '{}');
  };
  for (const asked of [get, post]) assert.equal((await upstream.request(asked)).body.toString(), '{}');
});

test('when no client waits any more, the connection to the service is closed', async (t) => {
  const { upstream, service, clock } = await asking(t);
  const gone = new AbortController();
  const hungUp = new Promise((resolve) => {
    service.answer = (response) => void response.on('close', resolve);
  });
  const answer = upstream.request({ ...post, signal: gone.signal });
  await service.asked.next();
  gone.abort();
  await assert.rejects(answer, { code: 'client_closed' });
  await hungUp;
  await assert.rejects(upstream.request({ ...get, signal: gone.signal }), { code: 'client_closed' });
  assert.equal(clock.pending, 0);
});

test('slow requests of one client take at most 16 places, look-ups and others counted apart, and leave places for other clients', async (t) => {
  const { upstream, service } = await asking(t);
  service.status = 200;
  const waiting: (() => void)[] = [];
  service.answer = (response) => {
    const answer = () => void response.writeHead(200).end();
    if (waiting.length < 32) waiting.push(answer);
    else answer();
  };
  const requestAs = (client: string, request: UpstreamRequest): Promise<number> =>
    upstream.request({ ...request, client }).then(({ status }) => status);
  const pending = Array.from({ length: 16 }, () => [requestAs('slow', get), requestAs('slow', post)]).flat();
  for (let count = 0; count < 32; count += 1) await service.asked.next();
  for (const request of [get, post]) {
    await assert.rejects(requestAs('slow', request), {
      code: 'rate_limited',
      status: 429,
      headers: { 'retry-after': '1' },
    });
  }
  assert.equal(await requestAs('another', get), 200);
  assert.equal(await requestAs('another', post), 200);
  for (const answer of waiting) answer();
  assert.deepEqual(new Set(await Promise.all(pending)), new Set([200]));
  assert.equal(await requestAs('slow', get), 200);
});

test('the 257th request under way is 503 overloaded with a time to wait, and counted', async (t) => {
  const service = await fakeUpstream();
  const metrics = createMetrics();
  const upstream = createUpstream(service.url, manualClock(), metrics);
  t.after(async () => {
    upstream.close();
    await service.close();
  });
  const waiting: (() => void)[] = [];
  service.answer = (response) => void waiting.push(() => response.end());
  const asked = Array.from({ length: 256 }, () => upstream.request(get));
  await assert.rejects(upstream.request(get), {
    code: 'overloaded',
    status: 503,
    headers: { 'retry-after': '2' },
  });
  for (let index = 0; index < asked.length; index += 1) await service.asked.next();
  for (const answer of waiting) answer();
  await Promise.all(asked);
  service.answer = (response) => void response.end();
  assert.equal((await upstream.request(get)).status, 200);
  assert.match(await metrics.text(), /^sign_proxy_limit_hits_total\{limit="upstream_requests"\} 1$/m);
});

test('an answer that changes to a protocol that was not requested is 502 protocol_error, and its place becomes free', async (t) => {
  const { address } = await rawServer(
    t,
    (socket) =>
      void socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n'),
  );
  const clock = manualClock();
  const upstream = createUpstream(address, clock, createMetrics());
  t.after(() => upstream.close());
  await assert.rejects(upstream.request(get), { code: 'protocol_error', status: 502 });
  assert.equal(clock.pending, 0);
});

test('a service without an answer in 2 s counts as down, and the connection is closed', async (t) => {
  const server = createServer();
  const port = await listen(server);
  t.after(() => server.close());
  const clock = manualClock();
  const isThere = reachabilityCheck(`http://127.0.0.1:${port}`, clock);
  const connected = once(server, 'connection');
  const answer = isThere();
  const [socket] = (await connected) as [Socket];
  socket.on('error', () => undefined);
  const gone = once(socket.resume(), 'close');
  clock.advance(2_000);
  assert.equal(await answer, false);
  await gone;
  assert.equal(clock.pending, 0);
});
