// The programs of the long run of replicas: replicas of the built program on ports of their own, nginx with the configuration
// that operators get, a real Redis, the sandbox, and a file of sites.
// - Each process is ended by its id.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { startSandbox, type Sandbox } from '../../../demo/sandbox/index.ts';
import { freePort } from '../../backend/free-port.mjs';
import { obtainNginx } from '../../nginx/obtain-nginx.mjs';
import { obtainRedis } from '../../redis/obtain-redis.mjs';
import { redisServer, type RedisServer } from '../../redis/redis-server.ts';

const root = resolve(import.meta.dirname, '../../..');
export const REPLICAS = 3;
export const REQUESTS_PER_MINUTE = 60;
export const ORIGINS = { a: 'https://a.example', b: 'https://b.example' } as const;
export type SiteName = keyof typeof ORIGINS;

interface Replica {
  readonly port: number;
  /** Resolves with the exit code. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
  /** Reloads the replica; resolves when it has read the file of sites. */
  reload(): Promise<void>;
  /** How often its log has said that Redis is gone. */
  redisLosses(): number;
}

export interface Harness {
  /** Address of the balancer. */
  readonly port: number;
  readonly redis: RedisServer;
  readonly replicas: Replica[];
  /** Starts the n-th replica with one of the two builds. */
  start(n: number, build?: 'old' | 'new'): Promise<void>;
  /** Writes these sites into the file. Replicas read it at reload(). */
  writeSites(names: readonly SiteName[]): void;
  /** Path of a chunk under the prefix that one build has and the other has not. */
  readonly chunkOf: Readonly<Record<'old' | 'new', string>>;
  close(): Promise<void>;
}

export async function startHarness(): Promise<Harness> {
  const program = join(root, 'dist/proxy/main.js');
  if (!existsSync(program)) throw new Error('the bench runs the built program: run `npm run build` first');
  obtainRedis((step: string) => console.log(step));
  const folder = mkdtempSync(join(tmpdir(), 'sign-replicas-'));
  chmodSync(folder, 0o777);
  const endings: (() => Promise<unknown> | void)[] = [];
  const redis = await redisServer({ after: (end) => void endings.push(end) });
  const sandbox = await startSandbox({
    limits: { max_messages_per_minute: 100_000 },
    render: { framesPerWord: 2 },
  });
  const builds = twoBuilds(folder);
  const ports = await Promise.all(Array.from({ length: REPLICAS }, freePort));
  const port = await freePort();
  const replicas: Replica[] = [];
  const key = join(folder, 'key');
  writeFileSync(key, sandbox.addresses.apiKey);
  const sites = join(folder, 'sites.json');
  const env = environment(sandbox, redis, { sites, kept: join(folder, 'kept') });

  const harness: Harness = {
    port,
    redis,
    replicas,
    chunkOf: builds.chunkOf,
    writeSites: (names) =>
      writeFileSync(
        sites,
        JSON.stringify({
          sites: names.map((name) => ({ name, origins: [ORIGINS[name]], apiKeyFile: key })),
        }),
      ),
    async start(n, build = 'old') {
      replicas[n] = await startReplica(join(builds.folderOf[build], 'main.js'), ports[n] ?? 0, env);
    },
    async close() {
      await Promise.all(replicas.map((replica) => replica.end('SIGKILL')));
      for (const end of endings.toReversed()) await end();
      await sandbox.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  harness.writeSites(['a']);
  for (const n of ports.keys()) await harness.start(n);
  endings.push(await startNginx(folder, port, ports));
  return harness;
}

function environment(
  { addresses }: Sandbox,
  redis: RedisServer,
  { sites, kept }: { readonly sites: string; readonly kept: string },
): NodeJS.ProcessEnv {
  return {
    ...process.env,
    SIGN_API_URL: addresses.apiUrl,
    SIGN_WS_URL: addresses.wsUrl,
    SIGN_SITES: sites,
    SIGN_KEPT_FILES: kept,
    SIGN_REDIS_URL: redis.url,
    SIGN_TRUST_PROXY: '127.0.0.1',
    SIGN_DRAIN_DELAY: '1',
    SIGN_MESSAGES_PER_MINUTE: '100000',
    SIGN_REQUESTS_PER_MINUTE: String(REQUESTS_PER_MINUTE),
  };
}

/** The built program twice; in the second one chunk has another hash, as after a change. */
function twoBuilds(folder: string) {
  const folderOf = { old: join(folder, 'old'), new: join(folder, 'new') };
  for (const build of Object.values(folderOf)) {
    cpSync(join(root, 'dist/proxy'), build, { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const chunks = join(folderOf.new, 'cdn/chunks');
  const [chunk = ''] = readdirSync(chunks).filter((name) => /-[\da-f]{6}\.js$/.test(name));
  const renamed = chunk.replace(/[\da-f]{6}\.js$/, 'abcdef.js');
  assert.notEqual(chunk, '', 'the build has chunks with a hash');
  for (const end of ['', '.br', '.gz']) {
    if (existsSync(join(chunks, chunk + end)))
      renameSync(join(chunks, chunk + end), join(chunks, renamed + end));
  }
  return { folderOf, chunkOf: { old: `/sign/chunks/${chunk}`, new: `/sign/chunks/${renamed}` } };
}

async function startReplica(program: string, port: number, env: NodeJS.ProcessEnv): Promise<Replica> {
  const child = spawn(process.execPath, [program], {
    env: { ...env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  let log = '';
  let losses = 0;
  let onSitesRead = (): void => undefined;
  createInterface({ input: child.stderr }).on('line', (line) => {
    log = `${log}${line}\n`.slice(-5_000);
    if (line.includes('Redis is gone')) losses += 1;
    if (line.includes('sites read anew')) onSitesRead();
  });
  const listens = once(createInterface({ input: child.stdout }), 'line');
  await Promise.race([listens, exited.then(() => Promise.reject(new Error(log)))]);
  return {
    port,
    async end(signal) {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      return exited;
    },
    async reload() {
      const read = new Promise<void>((done) => (onSitesRead = done));
      child.kill('SIGHUP');
      await read;
    },
    redisLosses: () => losses,
  };
}

/** Runs nginx by proxy/nginx.conf with these ports; returns the function that ends it. */
async function startNginx(
  folder: string,
  port: number,
  ports: readonly number[],
): Promise<() => Promise<void>> {
  const serversWith = (options: string): string =>
    ports.map((each) => `server 127.0.0.1:${each}${options}\n`).join('');
  const file = join(folder, 'nginx.conf');
  const text = readFileSync(join(root, 'proxy/nginx.conf'), 'utf8')
    .replaceAll('/tmp/', `${folder}/`)
    .replace('listen 8080;', `listen 127.0.0.1:${port};`)
    .replaceAll(/server proxy-1:8787(.*)\n.*server proxy-2.*\n/g, (_, options: string) =>
      serversWith(options),
    );
  writeFileSync(file, text);
  const args = ['-e', 'stderr', '-c', file, '-g', 'daemon off; error_log stderr notice;'];
  const child = spawn(
    obtainNginx((step: string) => console.log(step)),
    args,
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const exited = once(child, 'exit');
  const started = new Promise<void>((done) =>
    createInterface({ input: child.stderr }).on(
      'line',
      (line) => line.includes('start worker process') && done(),
    ),
  );
  await Promise.race([started, exited.then(() => Promise.reject(new Error('nginx ended')))]);
  return async () => {
    child.kill('SIGTERM');
    await exited;
  };
}
