// Secrets that are replaced while the proxy runs: which requests use the new one, and what is not disturbed.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import Fastify from 'fastify';
import { readConfig } from '../../../proxy/index.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { until } from '../../until.ts';
import { say, harness, submit, tokenOf } from '../announcement-harness.ts';
import { fakeUpstream } from '../fake-upstream.ts';
import { API_KEY, mountedProxy } from '../mounted-proxy.ts';
import { openClient, SESSION_START } from '../client-socket.ts';
import { addressOf, run, type Program } from '../program.ts';

const lookUp = (origin: string): Promise<Response> => fetch(`${origin}/sign/v1/status/job`);
const list = async (origin: string, token: string): Promise<number> =>
  (await fetch(`${origin}/sign/v2/live/sessions`, { headers: { Authorization: `Bearer ${token}` } })).status;

test('a new key counts from the next request and the next socket on, and open sockets go on', async (t) => {
  const { origin, upstream, proxy, pair, started } = await mountedProxy(t);
  const before = await started();
  proxy.reload(readConfig({ SIGN_API_URL: upstream.url, SIGN_API_KEY: 'account-key-number-two' }));
  await lookUp(origin);
  assert.equal((await upstream.asked.next()).request.headers['x-api-key'], 'account-key-number-two');
  const { session } = await pair();
  assert.equal(session.request.headers['x-api-key'], 'account-key-number-two');
  before.client.socket.send('{"type":"ping"}');
  assert.equal((await before.session.frames.next()).text, '{"type":"ping"}');
  assert.equal(before.session.request.headers['x-api-key'], API_KEY);
});

test('the old key and the new one are found in answers of the service, also after many replacements', async (t) => {
  const { upstream, proxy, started } = await mountedProxy(t);
  const { client, session } = await started();
  const keys = Array.from({ length: 12 }, (_, index) => `key-number-${index}-of-many`);
  for (const key of keys) {
    proxy.reload(readConfig({ SIGN_API_URL: upstream.url, SIGN_API_KEY: key }));
    proxy.reload(readConfig({ SIGN_API_URL: upstream.url, SIGN_API_KEY: key }));
  }
  for (const key of [API_KEY, ...keys]) {
    session.socket.send(JSON.stringify({ type: 'error', message: key }));
    assert.equal(await client.frames.next(), '{"type":"error","message":"[redacted]"}');
  }
});

test('a new operator token is accepted at once, and the old one no longer', async (t) => {
  const env = { SIGN_OPERATOR_TOKEN: 'operator-token-number-one' };
  const { origin, upstream, proxy } = await mountedProxy(t, { env });
  upstream.status = 200;
  assert.deepEqual(
    [await list(origin, 'operator-token-number-one'), await list(origin, 'operator-token-number-two')],
    [200, 401],
  );
  proxy.reload(readConfig({ SIGN_API_URL: upstream.url, SIGN_OPERATOR_TOKEN: 'operator-token-number-two' }));
  assert.deepEqual(
    [await list(origin, 'operator-token-number-one'), await list(origin, 'operator-token-number-two')],
    [401, 200],
  );
});

test('after a new client secret another token is fetched at once, and announcements go up with it', async (t) => {
  const [api, auth] = await Promise.all([fakeUpstream(), fakeUpstream()]);
  t.after(() => Promise.all([api.close(), auth.close()]));
  let issued = 0;
  auth.answer = (response) =>
    void response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ access_token: `issued-token-${++issued}`, token_type: 'Bearer' }));
  api.status = 200;
  const env = {
    SIGN_TRANSPORT_URL: api.url,
    SIGN_AUTH_URL: auth.url,
    SIGN_CLIENT_ID: 'client-1',
    SIGN_CLIENT_SECRET: 'client-secret-number-one',
  };
  const { origin, proxy } = await mountedProxy(t, { env });
  const submit = async (): Promise<string | undefined> => {
    const headers = { 'Content-Type': 'application/json' };
    const path = '/sign/v1/sign-requests/train-announcements';
    await fetch(origin + path, { method: 'POST', headers, body: '{}' });
    let asked = await api.asked.next();
    // A request for the metrics checks whether the service is up.
    while (asked.request.url === '/') asked = await api.asked.next();
    return asked.request.headers.authorization;
  };
  assert.equal(await submit(), 'Bearer issued-token-1');
  await auth.asked.next();
  proxy.reload(readConfig({ ...env, SIGN_CLIENT_SECRET: 'client-secret-number-two' }));
  const { request } = await auth.asked.next();
  const basic = Buffer.from('client-1:client-secret-number-two').toString('base64');
  assert.equal(request.headers.authorization, `Basic ${basic}`);
  const isThere = async (): Promise<boolean> =>
    (await (await fetch(`${origin}/metrics`)).text()).includes('token_fetches_total{outcome="ok"} 2');
  await until(isThere);
  assert.equal(await submit(), 'Bearer issued-token-2');
  assert.equal(auth.asked.all.length, 2);
});

test('a token that was being fetched with the old client secret is not used after a new one came', async (t) => {
  const all = await harness(t, { env: { SIGN_CLIENT_SECRET: 'client-secret-number-one' } });
  const { api, auth, proxy } = all;
  let grantOld: (() => void) | null = null;
  auth.answer = (response, { request }) => {
    const basic = request.headers.authorization?.slice('Basic '.length) ?? '';
    const [, secret] = Buffer.from(basic, 'base64').toString().split(':');
    const grant = (): void => say(response, 200, { access_token: `from-${secret}`, token_type: 'Bearer' });
    if (secret === 'client-secret-number-two') {
      grantOld?.();
      grantOld = null;
      grant();
    } else {
      grantOld = grant;
    }
  };
  api.answer = (response) => say(response, 200, {});
  const submitted = submit(all);
  await auth.asked.next();
  const env = { SIGN_TRANSPORT_URL: api.url, SIGN_AUTH_URL: auth.url, SIGN_CLIENT_ID: 'client-1' };
  proxy.reload(readConfig({ ...env, SIGN_CLIENT_SECRET: 'client-secret-number-two' }));
  assert.equal((await submitted).status, 200);
  assert.equal((await submit(all)).status, 200);
  assert.deepEqual(api.asked.all.map(tokenOf), Array(2).fill('Bearer from-client-secret-number-two'));
});

test('the log of a host names the variables that have changed, and no value; a new Redis URL needs a restart', async (t) => {
  const lines: string[] = [];
  const app = Fastify({ logger: { stream: { write: (line: string) => void lines.push(line) } } });
  const { upstream, proxy } = await mountedProxy(t, { app });
  proxy.reload(
    readConfig({
      SIGN_API_URL: upstream.url,
      SIGN_API_KEY: API_KEY,
      SIGN_OPERATOR_TOKEN: 'operator-token-number-one',
      SIGN_REDIS_URL: 'redis://user:password-one@redis',
    }),
  );
  const found = lines.map((line) => JSON.parse(line) as { msg: string; replaced?: string[] });
  assert.deepEqual(
    found.slice(-2).map(({ msg, replaced }) => [msg, replaced]),
    [
      ['secrets read anew', ['SIGN_OPERATOR_TOKEN', 'SIGN_REDIS_URL']],
      ['SIGN_REDIS_URL counts from the next start on', undefined],
    ],
  );
  assert.doesNotMatch(lines.join(''), /number-one|password-one/);
});

interface Running {
  readonly program: Program;
  readonly address: URL;
  readonly keyFile: string;
  readonly tokenFile: string;
}

async function running(t: TestContext, upstream: { readonly url: string }): Promise<Running> {
  const folder = temporaryFolder();
  const [keyFile, tokenFile] = [join(folder, 'key'), join(folder, 'token')];
  writeFileSync(keyFile, 'account-key-number-one\n');
  writeFileSync(tokenFile, 'operator-token-number-one\n');
  const program = run(t, {
    PORT: '0',
    SIGN_API_URL: upstream.url,
    SIGN_API_KEY_FILE: keyFile,
    SIGN_OPERATOR_TOKEN_FILE: tokenFile,
  });
  return { program, address: await addressOf(program), keyFile, tokenFile };
}

test('on SIGHUP the program reads its files again, and a bad file is named and changes nothing', async (t) => {
  const upstream = await fakeUpstream();
  t.after(() => upstream.close());
  upstream.status = 200;
  const { program, address, keyFile, tokenFile } = await running(t, upstream);
  const { origin } = address;
  const client = await openClient(`ws://${address.host}/sign/ws/`);
  client.socket.send(SESSION_START);
  const session = await upstream.sessions.next();
  await session.frames.next();

  writeFileSync(keyFile, 'account-key-number-two');
  writeFileSync(tokenFile, 'operator-token-number-two');
  program.kill('SIGHUP');
  await program.logged('secrets read anew');
  await lookUp(origin);
  assert.equal((await upstream.asked.next()).request.headers['x-api-key'], 'account-key-number-two');
  assert.deepEqual(
    [await list(origin, 'operator-token-number-one'), await list(origin, 'operator-token-number-two')],
    [401, 200],
  );
  await upstream.asked.next();

  writeFileSync(keyFile, 'account-key-number-three');
  writeFileSync(tokenFile, 'too bad');
  program.kill('SIGHUP');
  const line = await program.logged('secrets not read anew');
  assert.match(line, /SIGN_OPERATOR_TOKEN_FILE/);
  await lookUp(origin);
  assert.equal((await upstream.asked.next()).request.headers['x-api-key'], 'account-key-number-two');
  assert.equal(await list(origin, 'operator-token-number-two'), 200);

  client.socket.send('{"type":"ping"}');
  assert.equal((await session.frames.next()).text, '{"type":"ping"}');
  program.kill('SIGTERM');
  assert.equal(await program.exited, 0);
  for (const word of ['number-one', 'number-two', 'number-three', 'too bad', keyFile, tokenFile]) {
    assert.ok(!program.stderr().includes(word), word);
  }
});
