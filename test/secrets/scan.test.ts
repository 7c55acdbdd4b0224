// The recorder and the scanner: which leaks they find, and what they do not report.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../temporary-folder.ts';
import { scan, tooSmall } from './scan.mjs';
import { spellingsOf } from './spellings.mjs';

const SECRET = 'planted/"secret"+of a test';
const RECORDER = pathToFileURL(join(import.meta.dirname, 'record.mjs')).href;

/**
 * Runs a program in which `app` is a Fastify instance that counts as a proxy, `ask` fetches a path of it, and `SECRET`
 * is known to be one; returns the findings of the scanner.
 */
async function recorded(program: string) {
  const folder = temporaryFolder();
  const source = `
    import Fastify from 'fastify';
    import { channel } from 'node:diagnostics_channel';
    const SECRET = ${JSON.stringify(SECRET)};
    channel('sign-test.secrets').publish([SECRET]);
    const app = Fastify();
    app.get('/readyz', async () => 'ready');
    const listening = async () => (await app.listen({ host: '127.0.0.1', port: 0 }));
    const ask = async (path) => (await fetch((await listening()) + path)).text();
    ${program}
    await app.close();`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    env: { ...process.env, NODE_OPTIONS: `--import=${RECORDER}`, SIGN_TEST_RECORDS: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  assert.equal(code, 0, stderr);
  return scan(folder);
}

const leaks: Readonly<Record<string, string>> = {
  'in a header': `app.get('/', async (_, reply) => reply.header('x-a', encodeURIComponent(SECRET)).send('')); await ask('/');`,
  'as base64 among other words': `app.get('/', async () => Buffer.from('id:' + SECRET + '!').toString('base64')); await ask('/');`,
  'cut in two by the writes': `
    app.get('/', (_, reply) => {
      reply.hijack();
      reply.raw.socket.write('HTTP/1.0 200 OK\\r\\n\\r\\n' + SECRET.slice(0, 9));
      setImmediate(() => reply.raw.socket.end(SECRET.slice(9)));
    });
    await ask('/');`,
  'in the answer to bytes that are no HTTP': `
    app.server.removeAllListeners('clientError');
    app.server.on('clientError', (_, socket) => socket.end(SECRET));
    const { port } = new URL(await listening());
    const { connect } = await import('node:net');
    const { once } = await import('node:events');
    const socket = connect(Number(port), '127.0.0.1', () => socket.write('nonsense\\r\\n\\r\\n'));
    await once(socket.resume(), 'close');`,
  'in a frame': `
    const { WebSocket, WebSocketServer } = await import('ws');
    const { once } = await import('node:events');
    const frames = new WebSocketServer({ server: app.server });
    frames.on('connection', (page) => page.send(JSON.stringify({ key: SECRET })));
    const page = new WebSocket((await listening()).replace('http', 'ws'));
    await once(page, 'message');
    page.terminate();`,
  'in a log line': `console.error(JSON.stringify({ level: 30, msg: SECRET })); await ask('/readyz');`,
};
for (const [what, program] of Object.entries(leaks)) {
  test(`a secret ${what} is found`, async () => {
    const { hits } = await recorded(program);
    assert.ok(hits.length > 0, 'no hit');
  });
}

test('every spelling of a secret is found in one answer', async () => {
  for (const spelling of spellingsOf(SECRET)) assert.ok(spelling.length >= 8, spelling);
  const spellings = JSON.stringify(spellingsOf(SECRET));
  const { hits } = await recorded(`app.get('/', async () => ${spellings}.join(' ')); await ask('/');`);
  const found = new Set(hits.map(({ spelling }) => spelling));
  assert.deepEqual(
    spellingsOf(SECRET).filter((spelling) => !found.has(spelling)),
    [],
  );
});

test('a secret that is sent to the service is counted and not reported as a leak', async () => {
  const { hits, counts } = await recorded(`
    const { createServer, request } = await import('node:http');
    const { once } = await import('node:events');
    const service = createServer((_, response) => response.end(SECRET)).listen(0, '127.0.0.1');
    await once(service, 'listening');
    const up = request({ port: service.address().port, headers: { 'x-api-key': 'a-key-that-goes-up' } }).end();
    const [answer] = await once(up, 'response');
    await once(answer.resume(), 'end');
    service.close();
    await ask('/readyz');`);
  assert.deepEqual(hits, []);
  assert.deepEqual([counts.proxies, counts.answers, counts.secrets], [1, 1, 2]);
});

test('a record with too few proxies or answers fails', () => {
  const minimum = { proxies: 2, answers: 2 };
  assert.deepEqual(tooSmall({ proxies: 2, answers: 2 }, minimum), []);
  assert.equal(tooSmall({ proxies: 1, answers: 0 }, minimum).length, 2);
});
