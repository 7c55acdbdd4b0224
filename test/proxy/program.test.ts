// The program `sign-proxy` itself, as a process.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { PROBLEM_TYPE } from '../../src/protocol/problem.ts';
import { listen } from '../listening.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { fakeUpstream } from './fake-upstream.ts';
import { openClient, SESSION_START } from './client-socket.ts';
import { addressOf, run } from './program.ts';
import { folder } from './site-harness.ts';
import { bodyFor, JOB, json } from './translation-exchange.ts';

const KEY = 'key-that-must-not-be-seen';

async function running(t: TestContext, env: NodeJS.ProcessEnv = {}) {
  const upstream = await fakeUpstream();
  t.after(() => upstream.close());
  const program = run(t, { PORT: '0', SIGN_API_URL: upstream.url, SIGN_API_KEY: KEY, ...env });
  return { upstream, program, address: await addressOf(program) };
}

const generate = (address: URL): Promise<Response> =>
  fetch(`${address.origin}/sign/v2/generate`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(bodyFor()),
  });

test('with a bad environment the program exits 2, and names every bad variable at once and no secret', async (t) => {
  const bad = {
    HOST: 'a b',
    PORT: 'many',
    SIGN_PATH: 'sign',
    SIGN_API_URL: 'nonsense',
    SIGN_WS_URL: `wss://user:${KEY}@x`,
    SIGN_API_KEY: `${KEY} with a space`,
    SIGN_TRANSPORT_URL: 'nonsense',
    SIGN_AUTH_URL: 'nonsense',
    SIGN_CLIENT_SECRET: `${KEY} with a space`,
    SIGN_ALLOWED_ORIGINS: '*',
    SIGN_OPERATOR_TOKEN_FILE: '/nowhere',
    SIGN_MAX_SOCKETS_PER_CLIENT: '0',
    SIGN_REQUESTS_PER_MINUTE: '0',
    SIGN_MESSAGES_PER_MINUTE: '0',
    SIGN_REDIS_URL: `http://${KEY}`,
    SIGN_TRUST_PROXY: 'everyone',
    SIGN_MAX_TEXT_BYTES: '0',
    SIGN_ALLOWED_HOSTS: 'a/b',
    SIGN_FORWARD_CLIENT_ADDRESS: 'yes',
  };
  const program = run(t, bad);
  assert.equal(await program.exited, 2);
  for (const name of [...Object.keys(bad), 'SIGN_CLIENT_ID'])
    assert.match(program.stderr(), new RegExp(`^ +${name} `, 'm'));
  assert.ok(!program.stderr().includes(KEY));
  assert.deepEqual(program.lines.all, []);
});

test('the log names misspelled variables, and none that the proxy has', async (t) => {
  const upstream = await fakeUpstream();
  t.after(() => upstream.close());
  const own = {
    PORT: '0',
    SIGN_API_URL: upstream.url,
    SIGN_API_KEY: KEY,
    SIGN_REDIS_URL_FILE: '',
    SIGN_CLIENT_SECRET_FILE: '',
    SIGN_TICKET_KEY_FILE: '',
    SIGN_OPERATIONS_PORT: '',
    SIGN_SITES: '',
    SIGN_KEPT_FILES: '',
  };
  const program = run(t, { ...own, SIGN_DAILY_SECOND: '3600', SIGN_ALLOWED_ORIGIN: 'https://page.example' });
  const { variables } = JSON.parse(await program.logged('no variables of these names')) as {
    variables: string[];
  };
  // The tests give every program variables of their own.
  const others = variables.filter((name) => !name.startsWith('SIGN_TEST_'));
  assert.deepEqual(others.toSorted(), ['SIGN_ALLOWED_ORIGIN', 'SIGN_DAILY_SECOND']);
});

for (const name of ['PORT', 'SIGN_OPERATIONS_PORT'])
  test(`a ${name} that is taken exits 1 and is named`, async (t) => {
    const server = createServer();
    const port = await listen(server);
    t.after(() => server.close());
    const program = run(t, { PORT: '0', [name]: String(port), SIGN_API_URL: 'http://127.0.0.1:1' });
    assert.equal(await program.exited, 1);
    assert.match(program.stderr(), new RegExp(`port ${port} .*EADDRINUSE`));
  });

test('a start that takes longer than Fastify allows a plugin goes on, as on a busy machine', async (t) => {
  const silent = createServer();
  const port = await listen(silent);
  t.after(() => silent.close());
  // Here Fastify’s 10 s are over at once, while the program waits a second for a Redis that does not answer.
  const first = `const wait = setTimeout;
    globalThis.setTimeout = (run, ms, ...rest) => wait(run, ms === 10_000 ? 0 : ms, ...rest);`;
  const options = `--import="data:text/javascript,${encodeURIComponent(first)}"`;
  const { address } = await running(t, {
    SIGN_REDIS_URL: `redis://127.0.0.1:${port}`,
    NODE_OPTIONS: [process.env.NODE_OPTIONS, options].filter(Boolean).join(' '),
  });
  assert.equal((await fetch(`${address.origin}/healthz`)).status, 200);
});

test('health and metrics are on a port of their own if asked, until the last request is over', async (t) => {
  const upstream = await fakeUpstream();
  t.after(() => upstream.close());
  const env = { PORT: '0', SIGN_API_URL: upstream.url, SIGN_OPERATIONS_PORT: '0', SIGN_DRAIN_DELAY: '1' };
  const program = run(t, env);
  const { origin } = await addressOf(program);
  const listening = /"Server listening at (http:[^"]+)"/;
  let own = origin;
  while (own === origin) own = listening.exec(await program.logged('Server listening'))?.[1] ?? '';
  for (const path of ['/healthz', '/readyz', '/metrics']) {
    assert.equal((await fetch(origin + path)).status, 404, path);
    assert.equal((await fetch(own + path)).status, 200, path);
  }
  assert.equal((await fetch(`${own}/sign/elements.js`)).status, 404);
  assert.equal((await fetch(`${own}/sign/v1/silence`)).status, 404);
  program.kill('SIGTERM');
  let ready = 200;
  while (ready === 200) ready = (await fetch(`${own}/readyz`)).status;
  assert.equal(ready, 503);
  assert.equal(await program.exited, 0);
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`on ${signal} it closes its clients with 1012 restarting and exits 0, and has printed one line`, async (t) => {
    const { upstream, program, address } = await running(t);
    const client = await openClient(`ws://${address.host}/sign/ws/`);
    client.socket.send(SESSION_START);
    const session = await upstream.sessions.next();
    await session.frames.next();
    program.kill(signal);
    assert.deepEqual(await client.closed, { code: 1012, reason: 'restarting' });
    assert.equal(await session.closed, 1000);
    assert.equal(await program.exited, 0);
    assert.equal(program.lines.all.length, 1);
  });
}

for (const second of ['SIGTERM', 'SIGINT'] as const) {
  test(`a ${second} while the program drains ends it at once`, async (t) => {
    const { upstream, program, address } = await running(t);
    upstream.answer = () => undefined;
    const client = await openClient(`ws://${address.host}/sign/ws/`);
    const answer = generate(address);
    await upstream.asked.next();
    program.kill('SIGTERM');
    await client.closed;
    program.kill(second);
    await assert.rejects(answer);
    assert.equal(await program.exited, null);
  });
}

test('at its end the program waits some seconds for a disk that does not answer, and then kills itself', async (t) => {
  const folder = temporaryFolder();
  const file = join(folder, 'spending.json');
  // A pipe that nobody reads, in place of a disk that takes nothing.
  execFileSync('mkfifo', [`${file}.new`]);
  const { upstream, program, address } = await running(t, { SIGN_SPENDING_FILE: file });
  upstream.answer = (response) => json(response, JOB);
  const { status } = await generate(address);
  assert.equal(status, 200);
  program.kill('SIGTERM');
  // A normal exit of Node would wait for the disk, so the program kills itself and has no exit status.
  assert.equal(await program.exited, null);
  assert.match(program.stderr(), /the disk does not answer/);
});

const ONE_SITE = `sites: [{ name: a, origins: ['https://a.example'], apiKeyFile: a }]`;

for (const [what, env] of [
  ['', () => ({})],
  [' of a site', () => ({ SIGN_API_KEY: '', SIGN_SITES: folder(ONE_SITE).file })],
] as const) {
  test(`while the program drains, an answer${what} closes its connection, because no further request is taken on it`, async (t) => {
    const { upstream, program, address } = await running(t, env());
    let finish = (): void => assert.fail('not asked');
    upstream.answer = (response) => {
      finish = () => json(response, JOB);
    };
    const client = await openClient(`ws://${address.host}/sign/ws/`);
    const answer = generate(address);
    await upstream.asked.next();
    program.kill('SIGTERM');
    assert.deepEqual(await client.closed, { code: 1012, reason: 'restarting' });
    finish();
    const { status, headers } = await answer;
    assert.deepEqual([status, headers.get('connection')], [200, 'close']);
    assert.equal(await program.exited, 0);
  });
}

test('on localhost it listens on one address, so that no server is without its limits', async (t) => {
  const program = run(t, { HOST: 'localhost', PORT: '0', SIGN_API_URL: 'http://127.0.0.1:1' });
  const { hostname, port } = await addressOf(program);
  const others = ['127.0.0.1', '::1'].filter((address) => !hostname.includes(address));
  assert.equal(others.length, 1);
  const [error] = (await once(connect(Number(port), others[0]), 'error')) as [NodeJS.ErrnoException];
  assert.match(error.code ?? '', /ECONNREFUSED|EADDRNOTAVAIL/);
});

test('while nobody reads the pipe of its log the program goes on serving, counts the lines it drops, and then logs how many there were', async (t) => {
  const upstream = { SIGN_API_URL: 'http://127.0.0.1:1', SIGN_REQUESTS_PER_MINUTE: '100000' };
  const program = run(t, { PORT: '0', ...upstream });
  const { origin } = await addressOf(program);
  program.stallLog(true);
  // Lines of 300 bytes and more: 64 kB are in the pipe, 64 kB in its reader, 256 kB in the program.
  const headers = {
    'X-Request-Id': 'x'.repeat(64),
    traceparent: `00-${'1'.repeat(32)}-${'1'.repeat(16)}-01`,
  };
  const ask = async (): Promise<void> => {
    for (let count = 0; count < 250; count += 1) {
      const response = await fetch(`${origin}/nowhere`, { headers });
      assert.equal(response.status, 404);
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: 8 }, ask));
  const metrics = await (await fetch(`${origin}/metrics`)).text();
  const [, counted] = /^sign_proxy_log_lines_dropped_total (\d+)$/m.exec(metrics) ?? [];
  assert.ok(Number(counted) > 0, 'more than its buffers hold was written');
  program.stallLog(false);
  const { lines } = JSON.parse(await program.logged('log lines dropped')) as { lines: number };
  assert.ok(
    lines === Number(counted) || lines === Number(counted) + 1,
    `${counted} counted, ${lines} logged`,
  );
  program.kill('SIGTERM');
  assert.equal(await program.exited, 0);
  const written = program.stderr().match(/"msg":"request"/g)?.length;
  assert.equal((written ?? 0) + lines, 2_000);
});

test('when the pipe of its log is closed the program goes on serving, and exits 0', async (t) => {
  const { program, address } = await running(t);
  program.hangUpLog();
  // Each request is a line.
  for (let count = 0; count < 3; count += 1) {
    assert.equal((await fetch(`${address.origin}/nowhere`)).status, 404);
  }
  program.kill('SIGTERM');
  assert.equal(await program.exited, 0);
});

test('the log is JSON, and holds no secret and nothing that a client has sent', async (t) => {
  const { upstream, program, address } = await running(t);
  const TEXT = 'words-of-the-client';
  await fetch(`${address.origin}/sign/${TEXT}?q=${TEXT}`, {
    headers: { Cookie: TEXT, Authorization: `Bearer ${KEY}` },
  });
  const guessing = await openClient(`ws://${address.host}/sign/ws/`, { 'X-Request-Id': KEY });
  (await upstream.sessions.next()).socket.close(1011, KEY);
  await guessing.closed;
  const client = await openClient(`ws://${address.host}/sign/ws/?q=${TEXT}`);
  client.socket.send(SESSION_START);
  client.socket.send(JSON.stringify({ type: 'text', id: '1', data: TEXT }));
  const session = await upstream.sessions.next();
  session.socket.send(JSON.stringify({ type: 'error', message: KEY }));
  assert.ok(!(await client.frames.next()).includes(KEY));
  session.socket.close(1011, KEY);
  assert.deepEqual(await client.closed, { code: 1011, reason: 'session_failed' });
  program.kill('SIGTERM');
  await program.exited;
  const log = program.stderr().trim().split('\n');
  const messages = log.map((line) => (JSON.parse(line) as { msg: string }).msg);
  assert.ok(messages.includes('request') && messages.includes('relay ended'), messages.join());
  assert.ok(!program.stderr().includes(KEY) && !program.stderr().includes(TEXT), program.stderr());
  assert.ok(program.stderr().includes('[redacted]'), 'the request id that was the key is there, redacted');
});

test('a request that is no HTTP, has no valid URL or no route is answered as a problem', async (t) => {
  const { address } = await running(t);
  const nowhere = await fetch(`${address.origin}/nowhere`);
  assert.deepEqual([nowhere.status, nowhere.headers.get('content-type')], [404, PROBLEM_TYPE]);
  const badUrl = await fetch(`${address.origin}/sign/%zz`);
  assert.deepEqual([badUrl.status, badUrl.headers.get('content-type')], [400, PROBLEM_TYPE]);

  const socket = connect(Number(address.port), address.hostname);
  socket.end('HELLO\r\n\r\n');
  let answer = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
  await once(socket, 'close');
  assert.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n/);
  assert.match(answer, /application\/problem\+json\r\n[^]*"code":"invalid_request"/);
});
