// Bodies that are not read to their end, at a proxy that listens by itself: the proxy must not wait for their rest.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { test, type TestContext } from 'node:test';
import { createSignProxy, readConfig } from '../../../proxy/index.ts';
import { listen } from '../../listening.ts';
import { statuses } from '../hostile/harness.ts';
import { A, folder } from '../site-harness.ts';

const SITES = JSON.stringify({ sites: [{ name: 'a', origins: [A] }] });

async function listening(t: TestContext, env: NodeJS.ProcessEnv): Promise<URL> {
  // The test needs no service, because none of these bodies ever ends.
  const proxy = createSignProxy(readConfig({ SIGN_API_URL: 'http://127.0.0.1:1', PORT: '0', ...env }));
  const url = await proxy.listen();
  t.after(() => proxy.close());
  return new URL(url);
}

/** Sends a head and the beginning of its body. Resolves with what is answered until the proxy closes the connection. */
async function begin({ hostname, port }: URL, head: string, body: string): Promise<string> {
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => undefined);
  socket.write(`${head}\r\nHost: proxy.example\r\nContent-Type: application/json\r\n${body}`);
  await once(socket, 'close');
  return Buffer.concat(chunks).toString('latin1');
}

const CHUNK = 'Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n';
const LONG = 'Content-Length: 300000\r\n\r\n{';
const ORIGIN = `Origin: ${A}\r\n`;

for (const sites of ['one site', 'a file of sites']) {
  for (const [what, status, head, body] of [
    ['a path that is not there', 404, 'POST /nothing HTTP/1.1', CHUNK],
    ['such a path under the prefix', 404, 'POST /sign/nothing HTTP/1.1', ORIGIN + CHUNK],
    ['the health of the proxy', 405, 'POST /healthz HTTP/1.1', LONG],
    ['another method', 405, 'PUT /sign/v2/generate HTTP/1.1', ORIGIN + CHUNK],
    ['another origin', 403, 'POST /sign/v2/generate HTTP/1.1', `Origin: https://other.example\r\n${CHUNK}`],
    ['a body that is too large', 413, 'POST /sign/v2/generate HTTP/1.1', ORIGIN + LONG],
  ] as const) {
    test(`${what} is answered ${status} without waiting for the rest of the body, by a proxy of ${sites}`, async (t) => {
      const env = sites === 'one site' ? { SIGN_ALLOWED_ORIGINS: A } : { SIGN_SITES: folder(SITES).file };
      const answer = await begin(await listening(t, env), head, body);
      assert.deepEqual(statuses(answer), [status], answer);
      assert.match(answer, /^connection: close/im);
    });
  }
}

test('a connection is kept when the rest of a body is short', async (t) => {
  const url = await listening(t, { SIGN_ALLOWED_ORIGINS: A });
  const get = 'GET /healthz HTTP/1.1\r\nHost: proxy.example\r\nConnection: close\r\n\r\n';
  const answer = await begin(url, 'POST /nothing HTTP/1.1', `Content-Length: 2\r\n\r\n{}${get}`);
  assert.ok(statuses(answer).includes(404), answer);
  assert.doesNotMatch(answer.split('\r\n\r\n')[0]!, /^connection: close/im);
});

test('what comes of a body after it was refused is not kept in memory', async (t) => {
  const proxy = createSignProxy(readConfig({ SIGN_API_URL: 'http://127.0.0.1:1' }));
  const kept: number[] = [];
  const server = createServer((request, response) => {
    // The rest of the read in which the refused piece came is parsed first.
    response.on('finish', () => setImmediate(() => kept.push(request.readableLength)));
    proxy.handler(request, response);
  });
  const port = await listen(server);
  t.after(() => proxy.close());
  t.after(() => server.close());
  const pieces = '1\r\n{\r\n'.repeat(20_000);
  const url = new URL(`http://127.0.0.1:${port}`);
  const answer = await begin(
    url,
    'POST /sign/v2/generate HTTP/1.1',
    `Transfer-Encoding: chunked\r\n\r\n${pieces}`,
  );
  assert.deepEqual(statuses(answer), [400]);
  assert.deepEqual(kept, [0]);
});
