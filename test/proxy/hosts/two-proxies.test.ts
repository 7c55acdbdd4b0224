// Two proxies in one host: each serves its own path, and requests for neither of them are answered as without them.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import { test, type TestContext } from 'node:test';
import Fastify from 'fastify';
import { createSignProxy, readConfig } from '../../../proxy/index.ts';
import { listen } from '../../listening.ts';
import { carriesFrames, KEY, repeatingUpstream } from './hosted-proxy.ts';

/** A host with a proxy at `/one` and another one at `/two`. */
async function host(t: TestContext) {
  const upstream = await repeatingUpstream(t);
  const [one, two] = ['/one', '/two'].map((SIGN_PATH) =>
    createSignProxy(readConfig({ SIGN_API_URL: upstream.url, SIGN_API_KEY: KEY, SIGN_PATH })),
  );
  assert.ok(one && two);
  const server = createServer((request, response) =>
    one.handler(request, response, () =>
      two.handler(request, response, () => void response.end('from the host')),
    ),
  );
  for (const proxy of [one, two]) proxy.attach(server);
  const port = await listen(server);
  t.after(async () => {
    for (const proxy of [one, two]) await proxy.close();
    server.close();
    server.closeAllConnections();
  });
  return { one, upstream, origin: `http://127.0.0.1:${port}` };
}

for (const Upgrade of ['websocket', 'h2c']) {
  test(`an offer of ${Upgrade} at a path of neither proxy is answered by the host, also when one proxy is closed`, async (t) => {
    const { one, upstream, origin } = await host(t);
    for (const isClosed of [false, true]) {
      if (isClosed) await one.close();
      assert.equal(await answerTo(`${origin}/own`, { Connection: 'Upgrade', Upgrade }), 'from the host');
      await carriesFrames(origin, { upstream, close: () => one.close() }, '/two');
    }
  });
}

test('on localhost, where Fastify has a server for each address, an upgrade to a path of neither proxy is answered once', async (t) => {
  const app = Fastify();
  for (const SIGN_PATH of ['/one', '/two']) {
    const config = readConfig({ SIGN_API_URL: 'http://127.0.0.1:1', SIGN_API_KEY: KEY, SIGN_PATH });
    await app.register(createSignProxy(config).plugin);
  }
  app.get('/own', async () => 'from the host');
  // As Fastify connects its further servers, also where localhost has one address.
  const further = createServer();
  further.on('upgrade', (...upgrade: unknown[]) => app.server.emit('upgrade', ...upgrade));
  await app.ready();
  const port = await listen(further);
  t.after(async () => {
    further.close();
    further.closeAllConnections();
    await app.close();
  });
  const address = `http://127.0.0.1:${port}/own`;
  for (const Upgrade of ['websocket', 'h2c']) {
    assert.equal(await answerTo(address, { Connection: 'Upgrade', Upgrade }), 'from the host');
  }
});

test('each of two proxies carries the frames of its own path', async (t) => {
  const { one, upstream, origin } = await host(t);
  for (const path of ['/one', '/two'])
    await carriesFrames(origin, { upstream, close: () => one.close() }, path);
});

async function answerTo(address: string, headers: Record<string, string>): Promise<string> {
  const [response] = (await once(get(address, { headers }), 'response')) as [IncomingMessage];
  let body = '';
  for await (const chunk of response) body += String(chunk);
  return body;
}
