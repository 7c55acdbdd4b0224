// The proxy on a Fastify instance of a host, and its own server.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import Fastify from 'fastify';
import { WebSocket, WebSocketServer } from 'ws';
import { createRedactor } from '../../proxy/credentials/redaction.ts';
import { readConfig } from '../../proxy/index.ts';
import { problemReplies } from '../../proxy/problem.ts';
import { standaloneServer, warnOfOpenHost } from '../../proxy/standalone.ts';
import { until } from '../until.ts';
import { mountedProxy } from './mounted-proxy.ts';
import { bodyFor, JOB, json } from './translation-exchange.ts';

test('the host still answers its own routes, unknown paths and errors', async (t) => {
  const { origin } = await mountedProxy(t, {
    host(app) {
      app.get('/', async () => 'home');
      app.get('/broken', async () => {
        throw new Error('of the host');
      });
      app.setNotFoundHandler(async (_request, reply) => reply.code(404).send('lost'));
      app.setErrorHandler(async (error: Error, _request, reply) => reply.code(500).send(error.message));
    },
  });
  const home = await fetch(origin, { headers: { Origin: 'https://other.example' } });
  assert.equal(await home.text(), 'home');
  assert.equal(home.headers.get('x-request-id'), null);
  assert.equal(await (await fetch(`${origin}/nowhere`)).text(), 'lost');
  assert.equal(await (await fetch(`${origin}/broken`)).text(), 'of the host');
  assert.equal(
    (await fetch(`${origin}/sign/nowhere`)).headers.get('content-type'),
    'application/problem+json',
  );
});

test('an upgrade of another path goes to the host’s own listener', async (t) => {
  const own = new WebSocketServer({ noServer: true });
  own.on('connection', (socket) => socket.send('from the host'));
  t.after(() => own.close());
  const { origin, pair } = await mountedProxy(t, {
    host(app) {
      app.server.on('upgrade', (request, socket, head) => {
        if (request.url === '/live')
          own.handleUpgrade(request, socket, head, (ws) => own.emit('connection', ws));
      });
    },
  });
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/live`);
  const [data] = (await once(socket, 'message')) as [Buffer];
  assert.equal(data.toString(), 'from the host');
  socket.terminate();
  await pair();
});

/** The headers that Java's HttpClient sends with each request. */
const OFFER =
  'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAAAAAMAAAAAAAQBAAAAAAUAAEAA\r\n';

test('bodies of requests that offer HTTP/2 are read, at routes of the host too, and the connection stays open', async (t) => {
  const { origin, upstream, pair } = await mountedProxy(t, {
    host(app) {
      app.post('/own', async ({ body }) => body);
    },
  });
  upstream.answer = (response) => json(response, JOB);
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  t.after(() => void socket.destroy());
  let answer = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
  const request = (line: string, body: string): string =>
    `${line} HTTP/1.1\r\nHost: a\r\n${OFFER}` +
    (body === ''
      ? '\r\n'
      : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  for (const [line, body, expected] of [
    ['POST /own', '{"of":"the host"}', '{"of":"the host"}'],
    ['GET /healthz', '', '{"status":"ok"}'],
    ['POST /sign/v2/generate', JSON.stringify(bodyFor()), JSON.stringify(JOB)],
  ] as const) {
    answer = '';
    socket.write(request(line, body));
    await until(() => answer.endsWith(expected) || socket.destroyed);
    assert.ok(answer.startsWith('HTTP/1.1 200 '), answer);
  }
  await pair();
});

test('a host that closes its server drains the proxy, and nothing of it stays on the server', async (t) => {
  const { started, app } = await mountedProxy(t);
  const { client, session } = await started();
  const closed = app.close();
  assert.deepEqual(await client.closed, { code: 1012, reason: 'restarting' });
  assert.equal(await session.closed, 1000);
  await closed;
  assert.equal(app.server.listenerCount('upgrade'), 0);
});

test('a client that found the proxy before it drains can send its text, and the next one has to wait', async (t) => {
  const { origin, upstream, clock, proxy } = await mountedProxy(t);
  upstream.answer = (response) => json(response, JOB);
  const find = () => fetch(`${origin}/sign/elements.js`, { method: 'HEAD' });
  await find();
  let isClosed = false;
  const closed = proxy.close().then(() => (isClosed = true));
  const { status, headers } = await find();
  assert.deepEqual([status, headers.get('retry-after')], [503, '2']);
  const answer = await fetch(`${origin}/sign/v2/generate`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(bodyFor()),
  });
  assert.deepEqual([answer.status, isClosed], [200, false]);
  clock.advance(2_000);
  await closed;
});

test('another prefix moves every route except the health checks', async (t) => {
  const { origin, upstream } = await mountedProxy(t, { env: { SIGN_PATH: '/a/b' } });
  assert.equal((await fetch(`${origin}/a/b/ws/`)).status, 426);
  assert.equal((await fetch(`${origin}/sign/ws/`)).status, 404);
  assert.equal((await fetch(`${origin}/healthz`)).status, 200);
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/a/b/ws/?v=1`);
  await upstream.sessions.next();
  socket.terminate();
});

const SECRET = 'secret-of-"the"/account+1';
const spellings = [
  SECRET,
  JSON.stringify(SECRET),
  encodeURIComponent(SECRET),
  Buffer.from(`id:${SECRET}`).toString('base64'),
];

/** Collects lines. */
function sink() {
  const lines: string[] = [];
  return { lines, write: (line: string) => void lines.push(line) };
}

const noSpellingIn = (text: string): void => {
  for (const spelling of spellings) assert.ok(!text.includes(spelling), text);
  assert.ok(!text.includes(JSON.stringify(SECRET).slice(1, -1)), text);
};

test('a secret is in no line, whether in a message, a field, an error, its cause or the stack', () => {
  const log = sink();
  const app = standaloneServer(createRedactor([SECRET]), { logTo: log });
  for (const spelling of spellings) {
    app.log.info(`message ${spelling}`);
    app.log.info({ deep: { field: [spelling] }, [spelling]: 1 }, 'field');
    app.log.error({ err: new Error(`failed: ${spelling}`, { cause: new Error(spelling) }) }, 'error');
    app.log.child({ reqId: spelling }).warn('binding');
  }
  assert.equal(log.lines.length, spellings.length * 4);
  for (const line of log.lines) {
    noSpellingIn(line);
    assert.ok(line.includes('[redacted]'), line);
  }
});

test('headers with credentials are removed, of clients and of the service', () => {
  const log = sink();
  const app = standaloneServer(createRedactor([]), { logTo: log });
  const headers = {
    authorization: 'Bearer of-a-client',
    cookie: 'of-a-client',
    'x-api-key': 'of-a-client',
    accept: 'kept',
  };
  app.log.info({ headers }, 'headers');
  app.log.info({ answer: { headers } }, 'answer');
  assert.equal(log.lines.length, 2);
  for (const line of log.lines) {
    assert.ok(!line.includes('of-a-client'), line);
    assert.ok(line.includes('kept'), line);
  }
});

test('a route that fails gives a client no reason, and writes no secret to a log, not even to the log of a host', async () => {
  const secrets = createRedactor([SECRET]);
  const log = sink();
  const host = Fastify({ logger: { stream: log } });
  host.setErrorHandler(problemReplies(secrets));
  for (const app of [standaloneServer(secrets, { logTo: log }), host]) {
    app.get('/fails', async () => {
      throw new Error(`cannot read ${SECRET}`);
    });
    app.get('/throws', () => Promise.reject(SECRET));
    for (const url of ['/fails', '/throws']) {
      const response = await app.inject(url);
      assert.equal(response.statusCode, 500);
      assert.equal(response.json<{ code: string }>().code, 'internal_error');
      noSpellingIn(response.body + JSON.stringify(response.headers));
    }
    await app.close();
  }
  const failures = log.lines.filter((line) => line.includes('request failed'));
  assert.equal(failures.length, 4);
  for (const line of log.lines) noSpellingIn(line);
  assert.ok(
    failures.some((line) => line.includes('/test/proxy/')),
    'the stack is there',
  );
});

test('every line of a request carries its id', async () => {
  const log = sink();
  const app = standaloneServer(createRedactor([]), { logTo: log });
  app.get('/', async (request) => {
    request.log.warn('on the way');
  });
  await app.inject({ url: '/', headers: { 'x-request-id': 'id-of-a-client' } });
  await app.close();
  const ids = log.lines.map((line) => (JSON.parse(line) as { reqId?: string }).reqId);
  assert.deepEqual(ids, ['id-of-a-client', 'id-of-a-client']);
});

for (const [host, trusted, warns] of [
  ['127.0.0.1', '', false],
  ['127.9.9.9', '', false],
  ['::1', '', false],
  ['localhost', '', false],
  ['0.0.0.0', '', true],
  ['::', '', true],
  ['10.1.2.3', '', true],
  ['proxy.example.org', '', true],
  ['0.0.0.0', '10.0.0.0/8', false],
] as const) {
  const trusting = trusted === '' ? 'nobody trusted' : `${trusted} trusted`;
  test(`listening on ${host} with ${trusting} logs ${warns ? 'a warning' : 'no warning'}`, () => {
    const log = sink();
    const config = readConfig({ SIGN_API_URL: 'http://127.0.0.1:1', HOST: host, SIGN_TRUST_PROXY: trusted });
    warnOfOpenHost(config, standaloneServer(createRedactor([]), { logTo: log }).log);
    assert.equal(log.lines.filter((line) => line.includes('SIGN_TRUST_PROXY')).length, warns ? 1 : 0);
  });
}
