// The proxy beside a host's own routes on one Fastify instance.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import { mountedProxy } from './mounted-proxy.ts';

test('routes, unknown paths and errors of the host stay its own', async (t) => {
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

test('an upgrade of another path is left to the host’s own listener', async (t) => {
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

test('a host that closes its server drains the proxy, and nothing of it stays on the server', async (t) => {
  const { started, app } = await mountedProxy(t);
  const { page, session } = await started();
  const closed = app.close();
  assert.deepEqual(await page.closed, { code: 1012, reason: 'restarting' });
  assert.equal(await session.closed, 1000);
  await closed;
  assert.equal(app.server.listenerCount('upgrade'), 0);
});

test('another prefix moves every route but the health checks', async (t) => {
  const { origin, upstream } = await mountedProxy(t, { env: { SIGN_PATH: '/a/b' } });
  assert.equal((await fetch(`${origin}/a/b/ws/`)).status, 426);
  assert.equal((await fetch(`${origin}/sign/ws/`)).status, 404);
  assert.equal((await fetch(`${origin}/healthz`)).status, 200);
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/a/b/ws/?v=1`);
  await upstream.sessions.next();
  socket.terminate();
});
