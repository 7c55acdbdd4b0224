// The balancer's configuration in a real nginx, behind a server that terminates TLS and in front of two real replicas.
// - TLS is terminated by a second server of the same nginx, which reaches the balancer from an address of its own.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { get as httpsGet } from 'node:https';
import { connect } from 'node:net';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { freePort } from '../../backend/free-port.mjs';
import { obtainNginx } from '../../nginx/obtain-nginx.mjs';
import { until } from '../../until.ts';
import { fakeUpstream, type FakeUpstream } from '../fake-upstream.ts';
import { openClient, SESSION_START } from '../client-socket.ts';
import { addressOf, run, type Program } from '../program.ts';
import { texts } from './files.ts';

const nginx = obtainNginx((step) => console.log(step));
const endings: (() => void)[] = [];
let upstream: FakeUpstream;
let replicas: readonly Program[];
let addresses: readonly URL[];
let origin: string;
let tlsPort: number;
/** The address of the server that terminates TLS, in place of the network gateway in compose.yaml. */
const TLS_SERVER = '127.0.0.9';

before(async () => {
  upstream = await fakeUpstream();
  upstream.status = 200;
  replicas = [1, 2].map(() =>
    run(
      { after: (end) => void endings.push(end) },
      {
        PORT: '0',
        SIGN_API_URL: upstream.url,
        SIGN_TRUST_PROXY: '127.0.0.1',
        SIGN_FORWARD_CLIENT_ADDRESS: '1',
      },
    ),
  );
  addresses = await Promise.all(replicas.map(addressOf));
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;

  // The workers of nginx run as another user when this runs as root.
  const folder = mkdtempSync(join(tmpdir(), 'sign-balancer-'));
  chmodSync(folder, 0o777);
  endings.push(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'nginx.conf');
  tlsPort = await freePort();
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const files = ['-subj', '/CN=localhost', '-keyout', key, '-out', certificate];
  assert.equal(spawnSync('openssl', ['req', '-x509', ...ec, ...files]).status, 0, 'openssl is there');
  const endOfTls = `
    server {
      listen 127.0.0.1:${tlsPort} ssl;
      ssl_certificate ${certificate};
      ssl_certificate_key ${key};
      location / {
        proxy_pass http://127.0.0.1:${port};
        proxy_bind ${TLS_SERVER};
        proxy_set_header Host $http_host;
        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
        proxy_set_header X-Forwarded-Proto $scheme;
      }
    }`;
  const here = texts.nginx
    .replaceAll('172.30.40.1', TLS_SERVER)
    .replaceAll('/tmp/', `${folder}/`)
    .replace('listen 8080;', `listen 127.0.0.1:${port};`)
    // With this time a socket that waits as long as a request does would not be answered in the test.
    .replace('proxy_connect_timeout 2s;', 'proxy_connect_timeout 600s;')
    .replaceAll(/proxy-([12]):8787/g, (_, number: string) => addresses[Number(number) - 1]?.host ?? '')
    .replace(/}\s*$/, `${endOfTls}}`);
  writeFileSync(file, here);
  const check = spawnSync(nginx, ['-t', '-e', 'stderr', '-c', file], { encoding: 'utf8' });
  assert.equal(check.status, 0, check.stderr);

  const args = ['-e', 'stderr', '-c', file, '-g', 'daemon off; error_log stderr notice;'];
  const child = spawn(nginx, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  endings.unshift(() => void child.kill('SIGTERM'));
  const lines = createInterface({ input: child.stderr });
  await Promise.race([
    new Promise<void>((started) =>
      lines.on('line', (line) => line.includes('start worker process') && started()),
    ),
    ended.then(() => Promise.reject(new Error('nginx ended'))),
  ]);
});

after(async () => {
  for (const end of endings) end();
  await upstream.close();
});

test('the proxy sees the address of each page, whatever X-Forwarded-For the page sends', async () => {
  const headers = { Origin: origin, 'X-Forwarded-For': '198.51.100.7', 'X-Forwarded-Proto': 'https' };
  const response = await fetch(`${origin}/sign/v1/silence`, { headers });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('access-control-allow-origin'), origin);
  const { request } = await upstream.asked.next();
  assert.equal(request.headers['x-forwarded-for'], '127.0.0.1');
});

/** The status and CORS origin of `/sign/v1/silence` for a visitor at this address, through TLS. */
async function throughTls(localAddress: string, headers: Record<string, string>) {
  const get = httpsGet({
    host: '127.0.0.1',
    port: tlsPort,
    path: '/sign/v1/silence',
    localAddress,
    headers: { Host: 'www.site.example', ...headers },
    rejectUnauthorized: false,
    agent: false,
  });
  const [response] = (await once(get, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'close');
  return [response.statusCode, response.headers['access-control-allow-origin']];
}

test('behind a server that terminates TLS each visitor has an address of its own, and the page its https origin', async () => {
  for (const visitor of ['127.0.0.5', '127.0.0.6']) {
    const forged = { 'X-Forwarded-For': '198.51.100.7', 'X-Forwarded-Proto': 'http' };
    const site = 'https://www.site.example';
    assert.deepEqual(await throughTls(visitor, { Origin: site, ...forged }), [200, site]);
    const { request } = await upstream.asked.next();
    assert.equal(request.headers['x-forwarded-for'], visitor);
  }
  assert.deepEqual(await throughTls('127.0.0.5', { Origin: 'http://www.site.example' }), [403, undefined]);
});

test('the Host header of a page reaches the proxy, which allows the origin of that host alone', async () => {
  assert.equal((await fetch(`${origin}/sign/v1/silence`, { headers: { Origin: origin } })).status, 200);
  await upstream.asked.next();
  const other = await fetch(`${origin}/sign/v1/silence`, { headers: { Origin: 'https://other.example' } });
  assert.equal(other.status, 403);
});

for (const [what, addressOfVisitor] of [
  ['one visitor', () => '192.0.2.8'],
  ['an IPv6 network of one visitor', (n: number) => `2001:db8:1:2:${n.toString(16)}::1`],
] as const) {
  test(`one of 129 simultaneous requests of ${what} is refused with 429, and another visitor is served`, async () => {
    const visitors = Array.from({ length: 129 }, () =>
      connect({ host: '127.0.0.1', port: Number(new URL(origin).port), localAddress: TLS_SERVER }),
    );
    try {
      for (const [n, visitor] of visitors.entries()) {
        const from = `X-Forwarded-For: ${addressOfVisitor(n)}`;
        visitor.write(`POST /sign/v1/generate HTTP/1.1\r\nHost: a\r\n${from}\r\nContent-Length: 9\r\n\r\n`);
      }
      const [answer] = (await Promise.race(visitors.map((visitor) => once(visitor, 'data')))) as [Buffer];
      assert.match(answer.toString(), /^HTTP\/1.1 429 /);
      assert.deepEqual(await throughTls('127.0.0.5', { Origin: 'http://www.site.example' }), [
        403,
        undefined,
      ]);
    } finally {
      for (const visitor of visitors) visitor.destroy();
    }
  });
}

test('frames go both ways', async () => {
  const page = await openClient(`${origin.replace('http', 'ws')}/sign/ws/`, { Origin: origin });
  page.socket.send(SESSION_START);
  const session = await upstream.sessions.next();
  assert.equal((await session.frames.next()).text, SESSION_START);
  session.socket.send('{"type":"pong"}');
  assert.equal(await page.frames.next(), '{"type":"pong"}');
  page.socket.close();
  await session.closed;
});

test('health is answered; metrics and all other paths are not routed', async () => {
  for (const path of ['/healthz', '/readyz']) assert.equal((await fetch(origin + path)).status, 200, path);
  for (const path of ['/metrics', '/sign/../metrics', '/%6detrics', '//metrics', '/', '/signs/metrics']) {
    const response = await fetch(origin + path);
    assert.equal(response.status, 404, path);
    assert.doesNotMatch(await response.text(), /sign_proxy/, path);
  }
});

test('while a replica drains, sessions begin at the other', async () => {
  const own = addresses[0]?.host ?? '';
  const slow = await openClient(`ws://${own}/sign/ws/`, { Origin: `http://${own}` });
  slow.socket.pause();
  replicas[0]?.kill('SIGTERM');
  await until(async () => (await fetch(`http://${own}/sign/ws/`)).status === 503);
  const pages = [];
  for (let count = 0; count < 6; count += 1) {
    pages.push(await openClient(`${origin.replace('http', 'ws')}/sign/ws/`, { Origin: origin }));
    const { status } = await fetch(`${origin}/sign/elements.js`, { method: 'HEAD' });
    assert.notEqual(status, 503);
  }
  for (const { socket } of [slow, ...pages]) socket.terminate();
});

test('with one replica gone every request is answered by the other', async () => {
  assert.equal(await replicas[0]?.exited, 0);
  for (let request = 0; request < 6; request += 1) {
    assert.equal((await fetch(`${origin}/sign/v1/silence`)).status, 200);
    await upstream.asked.next();
  }
});

test('sockets begin at once at a replica that has come back, when the other is gone', async () => {
  const port = addresses[0]?.port ?? '';
  const again = run(
    { after: (end) => void endings.push(end) },
    { PORT: port, SIGN_API_URL: upstream.url, SIGN_TRUST_PROXY: '127.0.0.1' },
  );
  // Meanwhile the balancer finds that the replica is gone.
  const socket = (): ReturnType<typeof openClient> =>
    openClient(`${origin.replace('http', 'ws')}/sign/ws/`, { Origin: origin });
  const pages = [await socket(), await socket()];
  await addressOf(again);
  replicas[1]?.kill('SIGKILL');
  await replicas[1]?.exited;
  for (let count = 0; count < 3; count += 1) pages.push(await socket());
  for (const { socket } of pages) socket.terminate();
});

test('while the host of a replica does not answer at all, a socket begins at the other one sooner than a request would', async () => {
  const port = addresses[1]?.port ?? '';
  const program = `require('net').createServer().listen(${port}, '127.0.0.1', 1, () => process.send('listening'))`;
  const mute = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  endings.push(() => void mute.kill('SIGKILL'));
  await once(mute, 'message');
  // A stopped program takes as many connections as its queue holds, which is one more than the program has asked for.
  mute.kill('SIGSTOP');
  for (let count = 0; count < 2; count += 1) {
    const queued = connect(Number(port), '127.0.0.1');
    endings.push(() => void queued.destroy());
    await once(queued, 'connect');
  }
  for (let count = 0; count < 2; count += 1) {
    const page = await openClient(`${origin.replace('http', 'ws')}/sign/ws/`, { Origin: origin });
    page.socket.terminate();
  }
});

test('the workers of nginx have connections and files for all sockets of two replicas', () => {
  const setting = (name: string): number => Number(new RegExp(`${name} (\\d+);`).exec(texts.nginx)?.[1]);
  const socketsOfReplica = 10_000;
  assert.ok(setting('worker_processes') * setting('worker_connections') >= 2 * 2 * socketsOfReplica);
  assert.ok(setting('worker_rlimit_nofile') >= setting('worker_connections'));
});
