// The proxy inside Fastify and Express.
import assert from 'node:assert/strict';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createRequire } from 'node:module';
import { test, type TestContext } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import { WebSocketServer } from 'ws';
import { createSignProxy, readConfig } from '../../../proxy/index.ts';
import {
  carriesBodies,
  carriesFrames,
  closesAlone,
  firstMessage,
  proxyForHost,
  type HostedProxy,
  postGenerate,
  refusesByItself,
} from './hosted-proxy.ts';
import { listening } from '../../listening.ts';

interface Hosted extends HostedProxy {
  readonly origin: string;
  /** Lines of the host's own log. */
  readonly log: string[];
}

async function hosted(t: TestContext, prepare: (app: FastifyInstance) => void): Promise<Hosted> {
  const unhosted = await proxyForHost(t);
  const log: string[] = [];
  const app = Fastify({ logger: { stream: { write: (line: string) => void log.push(line) } } });
  prepare(app);
  await app.register(unhosted.proxy.plugin);
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => app.close());
  return { ...unhosted, origin, log };
}

test('in a host that parses bodies in its own way, bodies, frames and refusals are as without a host', async (t) => {
  const application = await hosted(t, (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, { of: body }));
    app.setErrorHandler(async (_error, _request, reply) => reply.code(500).send('of the host'));
    app.setNotFoundHandler(async (_request, reply) => reply.code(404).send('lost'));
  });
  await carriesBodies(application.origin, application);
  await carriesFrames(application.origin, application);
  await refusesByItself(application.origin);
});

test('a host that serves healthz, readyz or metrics itself keeps its own routes', async (t) => {
  const { origin } = await hosted(t, (app) => {
    for (const path of ['/healthz', '/readyz', '/metrics']) app.get(path, async () => 'of the host');
  });
  for (const path of ['/healthz', '/readyz', '/metrics']) {
    assert.equal(await (await fetch(origin + path)).text(), 'of the host', path);
  }
  assert.equal((await fetch(`${origin}/sign/ws/`)).status, 426);
});

test('in the host’s own log the lines of the proxy carry the id under which the service knows the request', async (t) => {
  const { origin, log, upstream } = await hosted(t, () => undefined);
  const response = await fetch(`${origin}/sign/v1/silence`, { headers: { 'X-Request-Id': 'id-of-a-page' } });
  assert.equal(response.headers.get('x-request-id'), 'id-of-a-page');
  assert.equal((await upstream.asked.next()).request.headers['x-request-id'], 'id-of-a-page');
  const lines = log.map((line) => JSON.parse(line) as { reqId?: string; msg: string });
  const ofRequest = lines.filter(({ msg }) => /request/.test(msg));
  assert.ok(ofRequest.length > 0, log.join(''));
  for (const { reqId } of ofRequest) assert.equal(reqId, 'id-of-a-page');
});

type Next = (error?: unknown) => void;
type Middleware = (request: IncomingMessage, response: ServerResponse, next: Next) => void;
type ErrorMiddleware = (
  error: unknown,
  request: IncomingMessage,
  response: ServerResponse,
  next: Next,
) => void;

/** What of Express is used here: it brings no types of its own. */
interface Express {
  (): RequestListener & {
    use(path: string, middleware: Middleware): void;
    use(middleware: Middleware): void;
    use(middleware: ErrorMiddleware): void;
    get(path: string, middleware: Middleware): void;
  };
  json(): Middleware;
  raw(options: { type: string }): Middleware;
  text(options: { type: string }): Middleware;
}
const express = createRequire(import.meta.url)('express') as Express;

interface ExpressApplication extends HostedProxy {
  readonly origin: string;
  readonly server: Server;
  /** The errors that the application's own error handler got. */
  readonly errors: unknown[];
}

async function hostedByExpress(
  t: TestContext,
  before: readonly Middleware[] = [],
  path?: string,
): Promise<ExpressApplication> {
  const unhosted = await proxyForHost(t);
  const { proxy } = unhosted;
  const app = express();
  const errors: unknown[] = [];
  for (const middleware of before) app.use(middleware);
  app.get('/', (_request, response) => void response.end('home'));
  if (path === undefined) app.use(proxy.handler);
  else app.use(path, proxy.handler);
  app.use((_request, response) => void response.writeHead(404).end('lost'));
  const onError: ErrorMiddleware = (error, _request, response, next) => {
    errors.push(error);
    if (response.headersSent) return next(error);
    response.writeHead(500).end('failed');
  };
  app.use(onError);
  const server = createServer(app);
  proxy.attach(server);
  const origin = await listening(t, server);
  t.after(() => proxy.close());
  return { ...unhosted, origin, server, errors };
}

test('pages, unknown paths and health checks of the application stay its own', async (t) => {
  const { origin } = await hostedByExpress(t);
  const home = await fetch(origin, { headers: { Origin: 'https://other.example' } });
  assert.deepEqual([await home.text(), home.headers.get('x-request-id')], ['home', null]);
  for (const path of ['/nowhere', '/healthz', '/metrics', '/signs', '/sig']) {
    assert.equal(await (await fetch(origin + path)).text(), 'lost', path);
  }
});

for (const [what, before] of Object.entries({
  'nothing before it': [],
  'express.json() before it': [express.json()],
  'express.raw() before it': [express.raw({ type: '*/*' })],
  'express.text() before it': [express.text({ type: '*/*' })],
})) {
  test(`with ${what} bodies, frames and refusals are as without a host`, async (t) => {
    const application = await hostedByExpress(t, before);
    await carriesBodies(application.origin, application);
    await carriesFrames(application.origin, application);
    await refusesByItself(application.origin);
    assert.deepEqual(application.errors, []);
  });
}

test('the proxy also works when it is mounted at its prefix, which Express then strips from the address', async (t) => {
  const application = await hostedByExpress(t, [], '/sign');
  await carriesBodies(application.origin, application);
  await carriesFrames(application.origin, application);
  await refusesByItself(application.origin);
});

test('a body that the host has read and dropped is refused, and the answer says what to do', async (t) => {
  const swallow: Middleware = (request, _response, next) => void request.resume().once('end', next);
  const { origin, upstream, errors } = await hostedByExpress(t, [swallow]);
  const response = await postGenerate(origin);
  const { code, detail } = (await response.json()) as { code: string; detail: string };
  assert.deepEqual([response.status, code], [500, 'body_taken']);
  assert.match(detail, /mount the proxy before/);
  assert.deepEqual([upstream.asked.all, errors], [[], []]);
});

test('a body that the host accepted still has the limits of the proxy', async (t) => {
  const { origin, upstream } = await hostedByExpress(t, [express.json()]);
  const deep = `${'['.repeat(40)}${']'.repeat(40)}`;
  const response = await fetch(`${origin}/sign/v2/generate`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: `{"content":${deep}}`,
  });
  assert.equal(response.status, 400);
  assert.deepEqual(upstream.asked.all, []);
});

test('health and metrics are answered where the application routes them to the proxy', async (t) => {
  const { proxy } = await proxyForHost(t);
  const app = express();
  for (const path of ['/healthz', '/metrics'])
    app.get(path, (request, response) => proxy.handler(request, response));
  const origin = await listening(t, createServer(app));
  t.after(() => proxy.close());
  assert.deepEqual(await (await fetch(`${origin}/healthz`)).json(), { status: 'ok' });
  assert.match(await (await fetch(`${origin}/metrics`)).text(), /^sign_proxy_sockets 0$/m);
});

test('an upgrade of another path goes to the host’s own listener', async (t) => {
  const { proxy } = await proxyForHost(t);
  const server = createServer(express());
  const own = new WebSocketServer({ noServer: true });
  t.after(() => own.close());
  server.on('upgrade', (request, socket, head) => {
    if (request.url === '/live') own.handleUpgrade(request, socket, head, (ws) => ws.send('from the host'));
  });
  proxy.attach(server);
  const origin = await listening(t, server);
  t.after(() => proxy.close());
  assert.equal(await firstMessage(`${origin.replace('http', 'ws')}/live`), 'from the host');
});

test('a proxy that cannot start answers 500, and the application goes on', async (t) => {
  const proxy = createSignProxy({
    ...readConfig({ SIGN_API_URL: 'http://127.0.0.1:1' }),
    trustProxy: ['no address'],
  });
  const app = express();
  app.get('/sign', (request, response) => proxy.handler(request, response));
  app.get('/', (_request, response) => void response.end('home'));
  const origin = await listening(t, createServer(app));
  assert.equal((await fetch(`${origin}/sign`)).status, 500);
  assert.equal(await (await fetch(origin)).text(), 'home');
});

test('closing the proxy closes its sockets with 1012 and removes its listener, and the application goes on', async (t) => {
  const application = await hostedByExpress(t);
  await closesAlone(application.origin, application);
  assert.equal(application.server.listenerCount('upgrade'), 0);
});
