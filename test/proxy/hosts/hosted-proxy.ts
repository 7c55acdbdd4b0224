// The proxy inside another server (its host): a service that repeats the key that it gets, and the checks that hold in every kind
// of host.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { WebSocket } from 'ws';
import { createSignProxy, readConfig, type SignProxy } from '../../../proxy/index.ts';
import { fakeUpstream, type FakeUpstream } from '../fake-upstream.ts';
import { openClient, SESSION_START } from '../client-socket.ts';

export const KEY = 'key-of-a-hosted-proxy';

export interface HostedProxy {
  readonly upstream: FakeUpstream;
  /** Closes the proxy and not the host. */
  close(): Promise<void>;
}

/** A service that answers with the key that it got. */
export async function repeatingUpstream(t: TestContext): Promise<FakeUpstream> {
  const upstream = await fakeUpstream();
  t.after(() => upstream.close());
  upstream.answer = (response, { request }) =>
    void response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ said: request.headers['x-api-key'] ?? null }));
  return upstream;
}

/** The proxy, created before its host; the test closes the host after the proxy. */
export async function proxyForHost(t: TestContext): Promise<HostedProxy & { readonly proxy: SignProxy }> {
  const upstream = await repeatingUpstream(t);
  const proxy = createSignProxy(readConfig({ SIGN_API_URL: upstream.url, SIGN_API_KEY: KEY }));
  return { upstream, proxy, close: () => proxy.close() };
}

const generate = { digitalSigner: 'RAE', language: 'BSL', content: { format: 'text', data: 'Hello' } };

/**
 * A request on a connection of its own: on a busy machine a host may work for longer than it keeps a connection, and closes it
 * although the next request has arrived on it.
 */
export const ask = (
  url: string,
  init: { headers?: Record<string, string> } & RequestInit = {},
): Promise<Response> => fetch(url, { ...init, headers: { ...init.headers, Connection: 'close' } });

export const postGenerate = (origin: string, path = '/sign'): Promise<Response> =>
  ask(`${origin}${path}/v2/generate`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(generate),
  });

/** A request reaches the service whole and with the key, and the key does not reach the client. */
export async function carriesBodies(origin: string, { upstream }: HostedProxy, path?: string): Promise<void> {
  const response = await postGenerate(origin, path);
  const answer = await response.text();
  assert.equal(response.status, 200, answer);
  const { request, body } = await upstream.asked.next();
  assert.equal(request.url, '/v2/generate');
  assert.equal(request.headers['x-api-key'], KEY);
  assert.deepEqual(JSON.parse(body), generate);
  assert.deepEqual(JSON.parse(answer), { said: '[redacted]' });
}

/** A page of another site is refused, a page of the host is accepted, and frames pass in both directions. */
export async function carriesFrames(
  origin: string,
  { upstream }: HostedProxy,
  path = '/sign',
): Promise<void> {
  const address = `${origin.replace('http', 'ws')}${path}/ws/`;
  await assert.rejects(openClient(address, { Origin: 'https://other.example' }), /403/);
  const page = await openClient(address, { Origin: origin });
  page.socket.send(SESSION_START);
  const session = await upstream.sessions.next();
  // By now the host has handled the upgrade of the proxy's path in its own way.
  await (await ask(origin)).text();
  assert.equal((await session.frames.next()).text, SESSION_START);
  session.socket.send(`{"type":"pong","key":"${KEY}"}`);
  assert.equal(await page.frames.next(), '{"type":"pong","key":"[redacted]"}');
  page.socket.terminate();
  await session.closed;
}

/** The proxy answers requests that it refuses with a problem document, and the host adds nothing to it. */
export async function refusesByItself(origin: string, path = '/sign'): Promise<void> {
  for (const [url, init, status] of [
    [`${path}/nowhere`, {}, 404],
    [`${path}/v2/generate`, { method: 'PUT' }, 405],
    [`${path}/v1/silence`, { headers: { Origin: 'https://other.example' } }, 403],
  ] as const) {
    const response = await ask(origin + url, init);
    assert.deepEqual(
      [response.status, response.headers.get('content-type')],
      [status, 'application/problem+json'],
      url,
    );
  }
}

/** When the proxy is closed, it closes its sockets with 1012, and the host goes on. */
export async function closesAlone(origin: string, { close, upstream }: HostedProxy): Promise<void> {
  const page = await openClient(`${origin.replace('http', 'ws')}/sign/ws/`);
  page.socket.send(SESSION_START);
  const session = await upstream.sessions.next();
  await session.frames.next();
  await close();
  assert.deepEqual(await page.closed, { code: 1012, reason: 'restarting' });
  assert.equal((await ask(origin)).status, 200);
}

/** The first message on a socket of the host's own. */
export async function firstMessage(address: string): Promise<string> {
  const socket = new WebSocket(address);
  const [data] = (await once(socket, 'message')) as [Buffer];
  socket.terminate();
  return data.toString();
}
