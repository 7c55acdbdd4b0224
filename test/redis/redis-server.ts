// A real Redis for a test, on a free port of loopback, with a password and nothing saved to disk.
// - It is ended by its id when the test is over, and its folder is removed.
// - The tests run it from PATH, where obtain-redis.mjs has found or installed it.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createClient } from '@redis/client';
import { freePort } from '../backend/free-port.mjs';

export const REDIS_PASSWORD = 'password-of-the-test-redis';

/** Registers what runs after a test: its context, or a suite's after(). */
interface Ending {
  after(run: () => Promise<void>): void;
}

export interface RedisServer {
  readonly url: string;
  /** Sends a command as it is written in Redis' documents. Resolves with the answer of Redis, with numbers as numbers. */
  command(...words: readonly string[]): Promise<unknown>;
  /** Every key with its remaining lifetime in milliseconds (-1: for ever). */
  lives(): Promise<Map<string, number>>;
  /** Ends the server at once, as in a crash, so that it loses all data. */
  kill(): Promise<void>;
  /** Starts the server again on the same port. */
  start(): Promise<void>;
  /** Stops the server, whose connections stay open, until thaw(). */
  freeze(): void;
  thaw(): void;
}

/** `running: false` leaves the start to the test; a cluster has this one server, without any slot. */
export async function redisServer(
  t: Ending,
  { running = true, isCluster = false } = {},
): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'sign-redis-'));
  const port = await freePort();
  const url = `redis://:${REDIS_PASSWORD}@127.0.0.1:${port}/0`;
  const cluster = isCluster ? ['--cluster-enabled', 'yes', '--cluster-port', String(await freePort())] : [];
  let child: ChildProcess | null = null;

  const kill = async (): Promise<void> => {
    if (child === null) return;
    const ended = once(child, 'close');
    child.kill('SIGKILL');
    child = null;
    await ended;
  };
  const start = async (): Promise<void> => {
    const options = ['--port', String(port), '--bind', '127.0.0.1', '--requirepass', REDIS_PASSWORD];
    const memory = ['--save', '', '--appendonly', 'no', '--dir', folder];
    const started = spawn('redis-server', [...options, ...memory, ...cluster], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    child = started;
    let said = '';
    await new Promise<void>((ready, fail) => {
      started.once('error', fail);
      started.once('close', () => fail(new Error(`redis-server ended\n${said}`)));
      createInterface({ input: started.stdout }).on('line', (line) => {
        said += `${line}\n`;
        if (line.includes('Ready to accept connections')) ready();
      });
    });
  };
  const command: RedisServer['command'] = async (...words) => {
    const client = createClient({ url, RESP: 2, disableClientInfo: true, maintNotifications: 'disabled' });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await client.sendCommand([...words]);
    } finally {
      client.destroy();
    }
  };

  t.after(async () => {
    child?.kill('SIGCONT');
    await kill();
    rmSync(folder, { recursive: true });
  });
  if (running) await start();
  return {
    url,
    command,
    async lives() {
      const keys = (await command('KEYS', '*')) as string[];
      return new Map(
        await Promise.all(keys.map(async (key) => [key, (await command('PTTL', key)) as number] as const)),
      );
    },
    kill,
    start,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
  };
}
