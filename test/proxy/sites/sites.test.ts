// Several sites behind one proxy (SIGN_SITES): which site a request belongs to, what each may do, and reloading.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import Fastify from 'fastify';
import { PROBLEM_TYPE } from '../../../src/protocol/problem.ts';
import { ConfigError, createSignProxy, readConfig } from '../../../proxy/index.ts';
import type { Resolve } from '../../../proxy/routes/name-lookups.ts';
import { until } from '../../until.ts';
import { openClient, SESSION_START } from '../client-socket.ts';
import { fakeUpstream } from '../fake-upstream.ts';
import { mountedProxy, type MountedProxy } from '../mounted-proxy.ts';
import { A, B, type Folder, folder, KEYS } from '../site-harness.ts';

const TWO_SITES = `
sites:
  - name: a
    origins: [${A}]
    apiKeyFile: a
    limits: { generatesPerMinute: 2 }
    features: [rest]
    signers: [JAY]
    context: [application, location]
  - name: b
    origins: [${B}]
    apiKeyFile: b
    operatorTokenFile: op
`;

async function twoSites(
  t: TestContext,
  resolve?: Resolve,
): Promise<MountedProxy & { readonly folder: Folder; env: NodeJS.ProcessEnv }> {
  const files = folder(TWO_SITES);
  const env = { SIGN_API_KEY: '', SIGN_SITES: files.file };
  const proxy = await mountedProxy(t, { env, ...(resolve && { resolve }) });
  proxy.upstream.answer = (response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  return { ...proxy, folder: files, env: { ...env, SIGN_API_URL: proxy.upstream.url } };
}

const generate = ({ origin }: MountedProxy, from: string, body: object = {}): Promise<Response> =>
  fetch(`${origin}/sign/v2/generate`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: from },
    body: JSON.stringify({ content: { data: 'Hello.' }, ...body }),
  });

const bySigner = (digitalSigner: unknown): object => ({
  output: { delivery: { config: { digitalSigner } } },
});

test('each site’s requests go up with its own key, and come back for its own origin', async (t) => {
  const proxy = await twoSites(t);
  const first = await generate(proxy, A, bySigner('jay'));
  assert.deepEqual([first.status, first.headers.get('access-control-allow-origin')], [200, A]);
  const second = await generate(proxy, B);
  assert.deepEqual([second.status, second.headers.get('access-control-allow-origin')], [200, B]);
  const keys = proxy.upstream.asked.all.map(({ request }) => request.headers['x-api-key']);
  assert.deepEqual(keys, [KEYS.a, KEYS.b]);
});

test('an id of 256 characters is looked up for a site', async (t) => {
  const proxy = await twoSites(t);
  const id = 'a'.repeat(256);
  const answer = await fetch(`${proxy.origin}/sign/v1/status/${id}`, { headers: { Origin: A } });
  assert.equal(answer.status, 200);
  assert.deepEqual(
    proxy.upstream.asked.all.map(({ request }) => request.url),
    [`/v1/status/${id}`],
  );
});

test('an id that is too long for a path is a problem of a site too', async (t) => {
  const { origin, upstream } = await twoSites(t);
  const answer = await fetch(`${origin}/sign/v1/status/${'a'.repeat(769)}`, { headers: { Origin: A } });
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [414, PROBLEM_TYPE]);
  assert.equal(((await answer.json()) as { code: string }).code, 'invalid_request');
  assert.equal(upstream.checks.length, 0);
});

test('sites that are reloaded before the proxy has started are served when it has started', async (t) => {
  const files = folder(TWO_SITES);
  const upstream = await fakeUpstream();
  upstream.status = 200;
  const env = { SIGN_SITES: files.file, SIGN_API_URL: upstream.url };
  const proxy = createSignProxy(readConfig(env));
  const app = Fastify();
  t.after(() => Promise.all([upstream.close(), app.close()]));
  void app.register(proxy.plugin);
  files.write('sites.yaml', TWO_SITES.replace(B, 'https://new.example'));
  proxy.reload(readConfig(env));
  const headers = { Origin: 'https://new.example' };
  assert.equal((await app.inject({ url: '/sign/v1/silence', headers })).statusCode, 200);
});

for (const [what, change] of [
  ['stops', (file: string) => file.replace('operatorTokenFile: op', 'limits: { dailySeconds: 0 }')],
  ['removes', (file: string) => file.slice(0, file.indexOf('  - name: b'))],
] as const) {
  test(`a reload that ${what} a site ends its open sessions at their next frame, without another request`, async (t) => {
    const proxy = await twoSites(t);
    const { client, session } = await proxy.pair({ Origin: B });
    client.socket.send(SESSION_START);
    await session.frames.next();
    proxy.folder.write('sites.yaml', change(TWO_SITES));
    proxy.proxy.reload(readConfig(proxy.env));
    client.socket.send(JSON.stringify({ type: 'text', id: 'a', data: 'Hello.' }));
    await Promise.race([client.closed, session.frames.next()]);
    assert.equal(client.socket.readyState, client.socket.CLOSED, 'the text did not go up');
    assert.deepEqual(await client.closed, { code: 1008, reason: 'budget_spent' });
  });
}

test('the host names that the requests of one client name are counted for all sites together', async (t) => {
  const ends: (() => void)[] = [];
  const resolve: Resolve = (name) =>
    new Promise((done) => void (name.startsWith('slow') ? ends.push(() => done([])) : done([])));
  const proxy = await twoSites(t, resolve);
  const withLogo = (from: string, digitalSigner: string, name: string): Promise<Response> => {
    const config = { digitalSigner, logo: { url: `https://${name}.example/a.png` } };
    return generate(proxy, from, { output: { delivery: { config } } });
  };
  const slow = Array.from({ length: 8 }, (_, n) => withLogo(B, 'rae', `slow-${n}`));
  await until(() => ends.length === slow.length);
  const ninth = await withLogo(A, 'jay', 'ninth');
  for (const end of ends) end();
  await Promise.all(slow);
  assert.equal(ninth.status, 429);
});

test('an origin of no site, and a request that belongs to no site, are refused', async (t) => {
  const proxy = await twoSites(t);
  for (const response of [
    await generate(proxy, 'https://c.example'),
    await fetch(`${proxy.origin}/sign/v1/silence`),
  ]) {
    assert.equal(response.status, 403);
    assert.equal(((await response.json()) as { code: string }).code, 'origin_refused');
  }
  await assert.rejects(openClient(proxy.address, { Origin: 'https://c.example' }), /403/);
  assert.equal(proxy.upstream.checks.length, 0);
});

test('an operator’s request without an origin goes to the site of its token', async (t) => {
  const { origin, upstream } = await twoSites(t);
  const list = (token: string): Promise<Response> =>
    fetch(`${origin}/sign/v2/live/sessions`, { headers: { Authorization: `Bearer ${token}` } });
  assert.equal((await list(KEYS.op)).status, 200);
  assert.equal(upstream.asked.all[0]?.request.headers['x-api-key'], KEYS.b);
  assert.equal((await list('another-token-of-20-characters')).status, 403);
});

test('an operator’s token chooses its site before the address of the proxy does', async (t) => {
  const { origin, upstream, folder, proxy, env } = await twoSites(t);
  folder.write('sites.yaml', TWO_SITES.replace(`[${A}]`, `[${A}, ${origin}]`));
  proxy.reload(readConfig(env));
  const headers = { Authorization: `Bearer ${KEYS.op}` };
  assert.equal((await fetch(`${origin}/sign/v2/live/sessions`, { headers })).status, 200);
  assert.equal(upstream.asked.all[0]?.request.headers['x-api-key'], KEYS.b);
});

test('limits, features, signers and context are each site’s own', async (t) => {
  const proxy = await twoSites(t);
  for (const signer of ['RAE', { toString: 1 }]) {
    const refused = await generate(proxy, A, bySigner(signer));
    const { errors } = (await refused.json()) as { errors?: { field: string }[] };
    assert.deepEqual([refused.status, errors?.[0]?.field], [400, 'output.delivery.config.digitalSigner']);
  }
  const context = { application: 'x', location: 'here', screen: 1 };
  assert.equal((await generate(proxy, A, { ...bySigner('JAY'), context })).status, 200);
  assert.equal((await generate(proxy, B, { context })).status, 200);
  const sent = proxy.upstream.asked.all.map(({ body }) => (JSON.parse(body) as { context: object }).context);
  assert.deepEqual(sent, [{ application: 'x', location: 'here' }, { application: 'x' }]);
  assert.equal((await generate(proxy, A, bySigner('jay'))).status, 200);
  assert.equal((await generate(proxy, A, bySigner('jay'))).status, 429, 'its third in this minute');
  assert.equal((await generate(proxy, B)).status, 200);
  await assert.rejects(openClient(proxy.address, { Origin: A }), /404/);
});

const startWith = (config: object, more: object = {}): string =>
  JSON.stringify({ ...(JSON.parse(SESSION_START) as object), config, ...more });

for (const [what, start] of [
  ['with a signer', SESSION_START],
  ['with a signer that cannot be made a string', startWith({ digital_signer: { toString: 1 } })],
  ['with a second signer', startWith({ digital_signer: 'JAY', Digital_Signer: 'RAE' })],
  [
    'with a second signer that some parsers take for the first',
    startWith({ digital_signer: 'JAY', 'digital_\u017figner': 'RAE' }),
  ],
  [
    'with a second configuration and its signer',
    startWith({ digital_signer: 'JAY' }, { CONFIG: { digital_signer: 'RAE' } }),
  ],
] as const) {
  test(`a session ${what} that the site does not allow is refused`, async (t) => {
    const proxy = await twoSites(t);
    proxy.folder.write('sites.yaml', TWO_SITES.replace('features: [rest]', ''));
    proxy.proxy.reload(readConfig(proxy.env));
    const client = await until(
      () => openClient(proxy.address, { Origin: A }).catch(() => null),
      (opened) => opened !== null,
    );
    const session = await proxy.upstream.sessions.next();
    client?.socket.send(start);
    const first = await Promise.race([client?.frames.next(), session.frames.next()]);
    assert.match(String(first), /"invalid_session_start".*digital_signer must be one of jay/);
  });
}

test('a reload replaces keys, sites and limits, and drops no socket', async (t) => {
  const proxy = await twoSites(t);
  const { client, session } = await proxy.pair({ Origin: B });
  client.socket.send(SESSION_START);
  await session.frames.next();
  proxy.folder.write('b', 'key-of-the-account-b-2');
  proxy.folder.write(
    'sites.yaml',
    `${TWO_SITES}  - { name: c, origins: ['https://c.example'], apiKeyFile: a }\n`,
  );
  proxy.proxy.reload(readConfig(proxy.env));
  await until(
    async () => (await generate(proxy, 'https://c.example')).status,
    (status) => status === 200,
  );
  await generate(proxy, B);
  const keys = proxy.upstream.asked.all.map(({ request }) => request.headers['x-api-key']);
  assert.deepEqual(keys, [KEYS.a, 'key-of-the-account-b-2']);
  client.socket.send('{"type":"text","id":"t","data":"A."}');
  assert.match((await session.frames.next()).text, /"t"/);
});

test('answers to a site hold no secret of another site, and none that a reload has replaced', async (t) => {
  const proxy = await twoSites(t);
  const NEW = 'key-of-the-account-a-2';
  const secrets = [...Object.values(KEYS), NEW];
  proxy.folder.write('a', NEW);
  proxy.proxy.reload(readConfig(proxy.env));
  proxy.upstream.answer = (response) => void response.end(JSON.stringify(secrets));
  const seen = await until(
    async () => (await fetch(`${proxy.origin}/sign/v1/status/job`, { headers: { Origin: A } })).text(),
    () => proxy.upstream.checks.at(-1)?.headers['x-api-key'] === NEW,
  );
  assert.deepEqual(
    JSON.parse(seen),
    secrets.map(() => '[redacted]'),
  );
});

test('a cap of 0 that a reload brings stops the site, and no other', async (t) => {
  const proxy = await twoSites(t);
  assert.equal((await generate(proxy, A, bySigner('jay'))).status, 200);
  proxy.folder.write(
    'sites.yaml',
    TWO_SITES.replace('generatesPerMinute: 2', 'generatesPerMinute: 2, dailySeconds: 0'),
  );
  proxy.proxy.reload(readConfig(proxy.env));
  const codes = await until(
    async () => (await generate(proxy, A, bySigner('jay'))).json() as Promise<{ code?: string }>,
    ({ code }) => code !== undefined,
  );
  assert.equal(codes.code, 'budget_spent');
  assert.equal((await generate(proxy, B)).status, 200);
});

test('a request that is pending while its site is replaced gets its response, and the next request follows the new file', async (t) => {
  const proxy = await twoSites(t);
  const { answer } = proxy.upstream;
  let finish = (): void => undefined;
  proxy.upstream.answer = (response, asked) => {
    finish = () => answer(response, asked);
  };
  const pending = generate(proxy, B);
  await proxy.upstream.asked.next();
  proxy.upstream.answer = answer;
  proxy.folder.write('b', 'key-of-the-account-b-2');
  proxy.proxy.reload(readConfig(proxy.env));
  await until(
    async () => {
      await generate(proxy, B);
      return proxy.upstream.asked.all.at(-1)?.request.headers['x-api-key'];
    },
    (key) => key === 'key-of-the-account-b-2',
  );
  finish();
  assert.equal((await pending).status, 200);
  assert.equal((await generate(proxy, B)).status, 200);
});

test('a file that has become wrong changes nothing', async (t) => {
  const proxy = await twoSites(t);
  proxy.folder.write('sites.yaml', 'sites: nothing');
  assert.throws(() => readConfig(proxy.env), ConfigError);
  assert.equal((await generate(proxy, B)).status, 200);
});
