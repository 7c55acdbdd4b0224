// The Dockerfile, the compose file, and what the image runs.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { test, type TestContext } from 'node:test';
import { readConfig } from '../../../proxy/index.ts';
import { compose, stages, texts } from './files.ts';

const last = stages().at(-1) ?? [];
const rests = (name: string): string[] =>
  last.filter((instruction) => instruction.name === name).map(({ rest }) => rest);
const { services } = compose;
const ours = Object.entries(services).filter(([name]) => name.startsWith('proxy'));

/** Names of the environment variables that the program reads, recorded while it runs. */
function variablesRead(): ReadonlySet<string> {
  const read = new Set<string>();
  const env = new Proxy<NodeJS.ProcessEnv>(
    { SIGN_API_URL: 'http://127.0.0.1:1', SIGN_TRANSPORT_URL: 'http://127.0.0.1:1' },
    {
      get(target, name) {
        if (typeof name === 'string') read.add(name);
        return Reflect.get(target, name) as string | undefined;
      },
    },
  );
  assert.throws(() => readConfig(env), /SIGN_CLIENT_ID/);
  return read;
}

test('the program reads every variable that the files set', () => {
  const known = variablesRead();
  assert.ok(known.has('SIGN_API_KEY_FILE') && known.has('PORT'), [...known].join());
  const named = Object.values(texts).flatMap((text) => text.match(/\bSIGN_[A-Z_]+\b/g) ?? []);
  const set = [
    ...named,
    ...ours.flatMap(([, { environment = {} }]) => Object.keys(environment)),
    ...rests('ENV').flatMap((rest) => rest.match(/\b[A-Z_]+(?==)/g) ?? []),
  ].filter((name) => name !== 'NODE_ENV');
  assert.ok(set.length > 10, set.join());
  for (const name of set) assert.ok(known.has(name), name);
});

test('every base image is pinned to a full version', () => {
  const images = [
    ...stages().map(([from]) => from?.rest.split(' ')[0] ?? ''),
    ...Object.values(services).map(({ image }) => image),
  ];
  assert.equal(images.length, 6);
  for (const image of images) assert.match(image, /^[a-z/-]+:\d+\.\d+\.\d+(-[a-z-]+)?$/, image);
});

test('the image runs as the user node, has a health check in Node, and ends by SIGTERM', () => {
  assert.ok(stages().length > 1, 'it is built in a stage that does not ship');
  assert.deepEqual(rests('USER'), ['node']);
  assert.deepEqual(rests('STOPSIGNAL'), ['SIGTERM']);
  assert.deepEqual(rests('ENTRYPOINT'), [
    '["node", "--max-semi-space-size=2", "--max-old-space-size=320", "main.js"]',
  ]);
  const [health = ''] = rests('HEALTHCHECK');
  assert.match(health, /CMD \["node", "-e", ".*\/healthz/);
  assert.doesNotMatch(health, /curl|wget/);
});

test('the last stage copies only the built proxy, owned by root, and installs nothing', () => {
  assert.deepEqual(rests('COPY'), ['--from=build --chown=root:root /build/dist/proxy ./']);
  assert.deepEqual([...rests('RUN'), ...rests('ADD'), ...rests('ARG')], []);
});

test('no secret is in a layer: none is in the context, in an ARG or in an ENV', () => {
  const all = stages().flat();
  for (const { name, rest } of all.filter(({ name }) => name === 'ARG' || name === 'ENV')) {
    assert.doesNotMatch(rest, /KEY|SECRET|TOKEN|PASSWORD/i, `${name} ${rest}`);
  }
  const ignored = texts.dockerignore.split('\n');
  for (const path of ['**/secrets', '**/.env*', '.git']) assert.ok(ignored.includes(path), path);
});

test('no source of the proxy is in a folder named secrets, which is excluded from image and commits', () => {
  const files = readdirSync('proxy', { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => file.endsWith('.ts'));
  assert.ok(sources.length > 30, `${sources.length}`);
  assert.deepEqual(
    sources.filter((file) => file.split('/').includes('secrets')),
    [],
  );
});

test('the compose file contains no secret: each secret is in a file, which a variable names', () => {
  const secret = /KEY|SECRET|TOKEN|REDIS|PASSWORD/;
  for (const [name, { environment = {}, secrets = [] }] of ours) {
    const given = Object.entries(environment).filter(([variable]) => secret.test(variable));
    assert.ok(given.length >= 3, name);
    for (const [variable, value] of given) {
      assert.match(variable, /_FILE$/);
      const [, file = ''] = /^\/run\/secrets\/(\w+)$/.exec(value) ?? [];
      assert.ok(secrets.includes(file), `${name}: ${variable}`);
    }
  }
  for (const { secrets = [] } of Object.values(services)) {
    for (const name of secrets) assert.match(compose.secrets[name]?.file ?? '', /^\.\/secrets\//, name);
  }
  assert.doesNotMatch(texts.compose, /redis:\/\/|requirepass [^…]/);
});

test('a cap or limit in the environment of compose reaches every replica', () => {
  const names = [...variablesRead()].filter((name) =>
    /_(SECONDS|CHARACTERS|PER_CLIENT|PER_MINUTE)$/.test(name),
  );
  assert.equal(names.length, 8, names.join());
  for (const name of names)
    for (const [service, { environment = {} }] of ours)
      assert.equal(environment[name], `\${${name}:-}`, `${service}: ${name}`);
});

test('two replicas run the same program, and share a Redis that nothing else can reach', () => {
  assert.deepEqual(
    ours.map(([name]) => name),
    ['proxy-1', 'proxy-2'],
  );
  assert.deepEqual(services['proxy-1'], services['proxy-2']);
  assert.deepEqual(services['proxy-1']?.build, { context: '..', dockerfile: 'proxy/Dockerfile' });
  assert.deepEqual(services.redis?.networks, ['back']);
  assert.equal(compose.networks.back?.internal, true);
  const front = { front: { ipv4_address: services['proxy-1']?.environment?.SIGN_TRUST_PROXY } };
  assert.deepEqual(services.balancer?.networks, front);
  const gateway = compose.networks.front?.ipam?.config[0]?.gateway ?? 'none';
  assert.ok(texts.nginx.includes(`set_real_ip_from ${gateway};`) && texts.nginx.includes(`${gateway} 1;`));
});

test('no service runs as root, writes to its root file system, keeps capabilities or gains privileges', () => {
  for (const [name, service] of Object.entries(services)) {
    assert.equal(service.read_only, true, name);
    assert.deepEqual(service.cap_drop, ['ALL'], name);
    assert.deepEqual(service.security_opt, ['no-new-privileges:true'], name);
    // The replicas run as the user of the image.
    if (!name.startsWith('proxy')) assert.match(service.user ?? 'root', /^(redis|nginx)$/, name);
  }
});

test('every service has a health check, and only the balancer is reachable, on loopback', () => {
  for (const [name, { healthcheck, build, ports = [] }] of Object.entries(services)) {
    assert.ok(healthcheck !== undefined || build !== undefined, name);
    if (name === 'balancer') assert.deepEqual(ports, ['127.0.0.1:8080:8080']);
    else assert.deepEqual(ports, [], name);
  }
});

test('a replica gets more time to stop than draining can take', () => {
  for (const [name, { stop_grace_period: grace = '0s' }] of ours) assert.ok(parseInt(grace) > 15, name);
});

const MAIN = resolve(import.meta.dirname, '../../../dist/proxy/main.js');
/** Node's own permissions (the flag has two names): files may be read, and nothing else is allowed. */
const permission = ['--permission', '--experimental-permission'].find((flag) =>
  process.allowedNodeEnvironmentFlags.has(flag),
);

async function built(t: TestContext, env: NodeJS.ProcessEnv = {}) {
  assert.ok(permission, 'this Node can restrict a program');
  const child = spawn(process.execPath, [permission, '--allow-fs-read=*', MAIN], {
    env: { PORT: '0', SIGN_API_URL: 'http://127.0.0.1:1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += String(chunk)));
  const exited = once(child, 'close').then(([code]) => code as number | null);
  const [line] = (await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    exited.then(() => Promise.reject(new Error(stderr))),
  ])) as [string];
  const address = new URL(/http:\S+$/.exec(line)?.[0] ?? '');
  return { child, exited, address, stderr: () => stderr };
}

/** Exit code of the image's HEALTHCHECK against a port. */
async function health(port: string): Promise<number | null> {
  const { rest = '' } =
    stages()
      .at(-1)
      ?.find(({ name }) => name === 'HEALTHCHECK') ?? {};
  const [, ...args] = JSON.parse(rest.slice(rest.indexOf('['))) as string[];
  const child = spawn(process.execPath, args, { env: { PORT: port }, stdio: 'ignore' });
  const [code] = (await once(child, 'close')) as [number | null];
  return code;
}

test('the image listens on every address of both families, because a cluster may have only one of them', async (t) => {
  const [, host = ''] = / HOST=(\S+)/.exec(rests('ENV').join(' ')) ?? [];
  const { address } = await built(t, { HOST: host });
  const loopback = Object.values(networkInterfaces()).flatMap((each = []) =>
    each.filter(({ internal }) => internal),
  );
  assert.ok(loopback.length > 0);
  for (const { address: own, family } of loopback) {
    const url = `http://${family === 'IPv6' ? `[${own}]` : own}:${address.port}/healthz`;
    assert.equal((await fetch(url)).status, 200, url);
  }
});

test('the program serves requests, health and metrics, and drains without writing a file', async (t) => {
  const { child, exited, address, stderr } = await built(t);
  for (const path of ['/healthz', '/metrics', '/sign/elements.js']) {
    assert.equal((await fetch(address.origin + path)).status, 200, path);
  }
  assert.equal(await health(address.port), 0);
  child.kill('SIGTERM');
  assert.equal(await exited, 0, stderr());
  assert.doesNotMatch(stderr(), /ERR_ACCESS_DENIED|EROFS|"level":[56]0/);
  assert.equal(await health(address.port), 1);
});
