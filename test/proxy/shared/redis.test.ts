// The connection to Redis, and the sockets that replicas count together.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { openSockets, type OpenSockets, type Release, sharedSockets } from '../../../proxy/limits/sockets.ts';
import { script } from '../../../proxy/redis/redis-client.ts';
import { listen } from '../../listening.ts';
import { REDIS_PASSWORD, redisServer, type RedisServer } from '../../redis/redis-server.ts';
import { until } from '../../until.ts';
import { replica, type Replica, replicas } from './replica.ts';

const ECHO = script(`return { KEYS[1], ARGV[1], ARGV[2] }`);
const WRITE = script(`return redis.call('SET', KEYS[1], ARGV[1], 'PX', 60000)`);
const ADD = script(`return redis.call('INCR', KEYS[1])`);

test('a script gets its keys and values, also one that Redis does not know yet', async (t) => {
  const redis = await redisServer(t);
  const [{ link, states, lines }] = (await replicas(t, redis.url, 1)) as [Replica];
  assert.deepEqual(await link.run(ECHO, ['key'], ['a b', 7]), ['key', 'a b', '7']);
  await redis.command('SCRIPT', 'FLUSH');
  assert.deepEqual(await link.run(ECHO, ['key'], ['c', 8]), ['key', 'c', '8']);
  assert.deepEqual(states, [true]);
  assert.equal(lines.length, 1);
});

test('without a Redis at the start the proxy warns once, and uses Redis as soon as it answers', async (t) => {
  const redis = await redisServer(t, { running: false });
  const { link, states, lines, up } = await replica(t, redis.url);
  await link.settled;
  assert.equal(link.isUp, false);
  assert.equal(await link.run(ECHO, ['key'], []), null);
  await redis.start();
  await up();
  assert.deepEqual(await link.run(ECHO, ['key'], ['a', 'b']), ['key', 'a', 'b']);
  assert.deepEqual(states, [false, true]);
  assert.deepEqual(
    lines.map((line) => JSON.parse(line) as unknown),
    [
      [{ error: 'ECONNREFUSED' }, 'Redis is gone: limits are this process’s own'],
      ['Redis is there: limits are shared'],
    ],
  );
});

test('a Redis that is killed is gone at once and there again after its restart, with one line for each', async (t) => {
  const redis = await redisServer(t);
  const { link, states, lines, up } = await replica(t, redis.url);
  await link.settled;
  for (const round of [1, 2]) {
    await redis.kill();
    while (link.isUp) await link.run(ECHO, ['key'], []);
    const many = await Promise.all(Array.from({ length: 50 }, () => link.run(ECHO, ['key'], [])));
    assert.deepEqual(new Set(many), new Set([null]));
    await redis.start();
    await up();
    assert.equal(states.length, 1 + 2 * round);
  }
  assert.deepEqual(states, [true, false, true, false, true]);
  assert.equal(lines.length, 5);
});

test('an answer that takes over 250 ms is given up on, with all others, and nothing more is sent', async (t) => {
  const redis = await redisServer(t);
  const { link, clock, states, up } = await replica(t, redis.url);
  await link.settled;
  redis.freeze();
  const asked = Array.from({ length: 20 }, () => link.run(ADD, ['slow'], []));
  clock.advance(249);
  assert.equal(link.isUp, true);
  clock.advance(1);
  assert.equal(link.isUp, false);
  assert.deepEqual(new Set(await Promise.all(asked)), new Set([null]));
  const later = Array.from({ length: 1_000 }, () => link.run(ADD, ['slow'], []));
  assert.deepEqual(new Set(await Promise.all(later)), new Set([null]));
  clock.advance(10_000);
  redis.thaw();
  await up();
  assert.deepEqual(states, [true, false, true]);
  // Redis had received the 20 already, and never got the 1,000.
  assert.equal(await redis.command('GET', 'slow'), '20');
});

test('a Redis that pauses its clients counts as gone for that time', async (t) => {
  const redis = await redisServer(t);
  const { link, clock, up } = await replica(t, redis.url);
  await link.settled;
  await redis.command('CLIENT', 'PAUSE', '1000', 'ALL');
  const asked = link.run(ECHO, ['key'], ['a', 'b']);
  clock.advance(250);
  assert.equal(await asked, null);
  await up();
  assert.deepEqual(await link.run(ECHO, ['key'], ['a', 'b']), ['key', 'a', 'b']);
});

test('the loss of Redis is noticed also when no request needs it', async (t) => {
  const redis = await redisServer(t);
  const { link, clock, states } = await replica(t, redis.url);
  await link.settled;
  redis.freeze();
  clock.advance(1_000);
  clock.advance(250);
  assert.equal(link.isUp, false);
  assert.deepEqual(states, [true, false]);
});

for (const [what, setting, value, usual, named] of [
  ['without its replicas', 'min-replicas-to-write', '1', '0', 'NOREPLICAS'],
  ['that is full', 'maxmemory', '1', '0', 'OOM'],
] as const) {
  test(`a Redis ${what} takes no writes and counts as gone, without going back and forth, and the log says ${named}`, async (t) => {
    const redis = await redisServer(t);
    const { link, clock, states, lines, up } = await replica(t, redis.url);
    await link.settled;
    await redis.command('CONFIG', 'SET', setting, value);
    assert.equal(await link.run(WRITE, ['key'], ['a']), null);
    for (let second = 0; second < 20; second += 1) {
      clock.advance(1_000);
      await new Promise((go) => setTimeout(go, 5));
    }
    assert.deepEqual(states, [true, false]);
    assert.match(lines[1] ?? '', new RegExp(`"${named}"`));
    await redis.command('CONFIG', 'SET', setting, usual);
    await up();
    assert.equal(await link.run(WRITE, ['key'], ['a']), 'OK');
  });
}

test('a wrong password is logged as such, and neither the password nor the address is', async (t) => {
  const redis = await redisServer(t);
  const { link, lines } = await replica(t, redis.url.replace(REDIS_PASSWORD, 'another-password'));
  await link.settled;
  assert.equal(link.isUp, false);
  assert.match(lines.join('\n'), /"WRONGPASS"/);
  assert.doesNotMatch(lines.join('\n'), /password|127\.0\.0\.1|redis:/);
});

test('after close() pending commands are answered, and later ones answer null', async (t) => {
  const redis = await redisServer(t);
  const { link, clock } = await replica(t, redis.url);
  await link.settled;
  const asked = link.run(ECHO, ['key'], ['a', 'b']);
  await link.close();
  assert.deepEqual(await asked, ['key', 'a', 'b']);
  assert.equal(await link.run(ECHO, ['key'], ['a', 'b']), null);
  assert.equal(clock.pending, 0);
});

test('what is asked while it closes is answered null, and the closing does not wait for it', async (t) => {
  const redis = await redisServer(t);
  const { link, clock } = await replica(t, redis.url);
  await link.settled;
  const asked = link.run(ECHO, ['key'], ['a', 'b']);
  const closed = link.close();
  assert.equal(link.isUp, false);
  assert.equal(await link.run(ECHO, ['key'], ['a', 'b']), null);
  assert.deepEqual(await asked, ['key', 'a', 'b']);
  await closed;
  assert.equal(clock.pending, 0);
});

test('a start waits no longer than 1 s for a Redis that says nothing', async (t) => {
  const silent = createServer();
  const port = await listen(silent);
  const connected = once(silent, 'connection') as Promise<[Socket]>;
  const { link, clock, states } = await replica(t, `redis://127.0.0.1:${port}`);
  const [socket] = await connected;
  t.after(() => {
    socket.destroy();
    silent.close();
  });
  clock.advance(999);
  assert.deepEqual(states, []);
  clock.advance(1);
  await link.settled;
  assert.deepEqual(states, [false]);
  assert.equal(await link.run(ECHO, ['key'], []), null);
});

for (const wait of ['9'.repeat(23), String(Number.MAX_SAFE_INTEGER), '301000001']) {
  test(`a wait of ${wait} microseconds counts as a failure of Redis, because no script returns it`, async (t) => {
    const sockets: Socket[] = [];
    const broken = createServer((socket) => {
      sockets.push(socket);
      socket.on('data', (asked) => {
        const isProbe = asked.includes('sign:probe');
        socket.write(isProbe ? '+OK\r\n' : `:${wait}\r\n`);
      });
    });
    const port = await listen(broken);
    t.after(() => {
      for (const socket of sockets) socket.destroy();
      broken.close();
    });
    const { link, states, lines } = await replica(t, `redis://127.0.0.1:${port}`);
    await link.settled;
    assert.equal(await link.run(ADD, ['key'], []), null);
    assert.deepEqual(states, [true, false]);
    assert.match(lines[1] ?? '', /"RangeError"/);
  });
}

const KEY = 'sign:sockets:a';

interface Harness {
  readonly redis: RedisServer;
  readonly all: readonly Replica[];
  readonly counts: readonly OpenSockets[];
}

async function harness(t: TestContext, limit: number, count = 2): Promise<Harness> {
  const redis = await redisServer(t);
  const all = await replicas(t, redis.url, count);
  const counts = all.map(({ link, clock }) => sharedSockets(link, limit, openSockets(limit), clock));
  return { redis, all, counts };
}

async function opened(sockets: OpenSockets | undefined, address = 'a'): Promise<Release> {
  const leave = await sockets?.open(address);
  if (typeof leave !== 'function') throw new Error(`refused: ${leave}`);
  return leave;
}

/** Waits until Redis knows of as many sockets of address a. */
async function known({ command }: RedisServer, count: number): Promise<void> {
  await until(
    () => command('ZCARD', KEY),
    (known) => known === count,
  );
}

test('of four replicas’ sockets at once exactly the limit opens', async (t) => {
  const { counts } = await harness(t, 5, 4);
  const answers = await Promise.all(
    counts.flatMap((sockets) => Array.from({ length: 4 }, async () => sockets.open('a'))),
  );
  assert.equal(answers.filter((answer) => typeof answer === 'function').length, 5);
  assert.deepEqual(
    new Set(answers.filter((answer) => typeof answer === 'string')),
    new Set(['too_many_sockets']),
  );
  for (const sockets of counts) assert.equal(await sockets.refusal('a'), 'too_many_sockets');
  await opened(counts[0], 'b');
});

test('a place that is given back at one replica is free at the other', async (t) => {
  const { redis, counts } = await harness(t, 1);
  const leave = await opened(counts[0]);
  assert.equal(await counts[1]?.open('a'), 'too_many_sockets');
  leave();
  await known(redis, 0);
  assert.equal(await counts[1]?.refusal('a'), null);
  await opened(counts[1]);
  assert.equal(await counts[0]?.open('a'), 'too_many_sockets');
});

/** How many of the sockets of address a have a lease that goes on. */
async function leased({ command }: RedisServer): Promise<unknown> {
  const [seconds, micros] = (await command('TIME')) as [string, string];
  return command('ZCOUNT', KEY, `(${Number(seconds) * 1000 + Math.floor(Number(micros) / 1000)}`, '+inf');
}

test('a lease lasts 30 s and is renewed every 10 s, so that a killed replica’s sockets stop counting', async (t) => {
  const { redis, all, counts } = await harness(t, 2);
  await opened(counts[0]);
  await opened(counts[1]);
  assert.equal(await leased(redis), 2);
  // Thirty seconds, as Redis would see it.
  for (const socket of (await redis.command('ZRANGE', KEY, '0', '-1')) as string[])
    await redis.command('ZINCRBY', KEY, '-30000', socket);
  assert.equal(await leased(redis), 0);
  // The other replica was killed.
  await all[1]?.pass(10_000);
  assert.equal(await leased(redis), 1);
  const life = Number(await redis.command('PTTL', KEY));
  assert.ok(life > 0 && life <= 30_000, `${life} ms`);
  await opened(counts[1]);
  assert.equal(await counts[1]?.open('a'), 'too_many_sockets');
});

test('sockets that opened or were forgotten while Redis was gone count again when it is back', async (t) => {
  const { redis, all, counts } = await harness(t, 3);
  await opened(counts[0]);
  await redis.kill();
  await until(() => all.every(({ link }) => !link.isUp));
  await opened(counts[0]);
  const leave = await opened(counts[0]);
  assert.equal(await counts[0]?.open('a'), 'too_many_sockets', 'this replica is full by itself');
  leave();
  await redis.start();
  await Promise.all(all.map((replica) => replica.up()));
  await known(redis, 2);
  await opened(counts[1]);
  assert.equal(await counts[1]?.open('a'), 'too_many_sockets');
});
