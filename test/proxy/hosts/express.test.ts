// The proxy in an Express 5 application, by its Node handler.
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
import { WebSocketServer } from 'ws';
import { createSignProxy, readConfig } from '../../../proxy/index.ts';
import {
  carriesBodies,
  carriesFrames,
  closesAlone,
  firstWord,
  guest,
  listening,
  postGenerate,
  refusesByItself,
  type Guest,
} from './hosted-proxy.ts';

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

interface Hosted extends Guest {
  readonly origin: string;
  readonly server: Server;
  /** What the application's own error handler was given. */
  readonly errors: unknown[];
}

async function hosted(t: TestContext, before: readonly Middleware[] = [], path?: string): Promise<Hosted> {
  const guests = await guest(t);
  const { proxy } = guests;
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
  return { ...guests, origin, server, errors };
}

test('pages, unknown paths and health checks of the application stay its own', async (t) => {
  const { origin } = await hosted(t);
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
    const application = await hosted(t, before);
    await carriesBodies(application.origin, application);
    await carriesFrames(application.origin, application);
    await refusesByItself(application.origin);
    assert.deepEqual(application.errors, []);
  });
}

test('mounted at its prefix, where Express strips it from the address, it works as well', async (t) => {
  const application = await hosted(t, [], '/sign');
  await carriesBodies(application.origin, application);
  await carriesFrames(application.origin, application);
  await refusesByItself(application.origin);
});

test('a body that was read and thrown away is refused, and the answer says what to do', async (t) => {
  const swallow: Middleware = (request, _response, next) => void request.resume().once('end', next);
  const { origin, upstream, errors } = await hosted(t, [swallow]);
  const response = await postGenerate(origin);
  const { code, detail } = (await response.json()) as { code: string; detail: string };
  assert.deepEqual([response.status, code], [500, 'body_taken']);
  assert.match(detail, /mount the proxy before/);
  assert.deepEqual([upstream.asked.all, errors], [[], []]);
});

test('a body that the host let in is still held to our own bounds', async (t) => {
  const { origin, upstream } = await hosted(t, [express.json()]);
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
  const { proxy } = await guest(t);
  const app = express();
  for (const path of ['/healthz', '/metrics'])
    app.get(path, (request, response) => proxy.handler(request, response));
  const origin = await listening(t, createServer(app));
  t.after(() => proxy.close());
  assert.deepEqual(await (await fetch(`${origin}/healthz`)).json(), { status: 'ok' });
  assert.match(await (await fetch(`${origin}/metrics`)).text(), /^sign_proxy_sockets 0$/m);
});

test('an upgrade of another path is left to the host’s own listener', async (t) => {
  const { proxy } = await guest(t);
  const server = createServer(express());
  const own = new WebSocketServer({ noServer: true });
  t.after(() => own.close());
  server.on('upgrade', (request, socket, head) => {
    if (request.url === '/live') own.handleUpgrade(request, socket, head, (ws) => ws.send('from the host'));
  });
  proxy.attach(server);
  const origin = await listening(t, server);
  t.after(() => proxy.close());
  assert.equal(await firstWord(`${origin.replace('http', 'ws')}/live`), 'from the host');
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

test('closing the proxy tells its pages 1012, leaves the server, and the application goes on', async (t) => {
  const application = await hosted(t);
  await closesAlone(application.origin, application);
  assert.equal(application.server.listenerCount('upgrade'), 0);
});
