// The connection to Redis.
import assert from 'node:assert/strict';
import { on, once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { type Clock, systemClock } from '../../../proxy/clock.ts';
import { script } from '../../../proxy/redis/redis-client.ts';
import { redisLink } from '../../../proxy/redis/redis-link.ts';
import { listen } from '../../listening.ts';
import { REDIS_PASSWORD, redisServer } from '../../redis/redis-server.ts';
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

test('when an answer takes over 250 ms, all pending commands are answered null and nothing more is sent', async (t) => {
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
  clock.advance(4_000);
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

test('a cluster counts as gone, because it takes no script with several keys, and the log says CROSSSLOT', async (t) => {
  const redis = await redisServer(t, { isCluster: true });
  await redis.command('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
  await until(async () => String(await redis.command('CLUSTER', 'INFO')).includes('cluster_state:ok'));
  const { link, states, lines } = await replica(t, redis.url);
  await link.settled;
  assert.deepEqual(states, [false]);
  assert.match(lines.join('\n'), /"CROSSSLOT"/);
});

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

test('commands that are sent during close() are answered null, and close() does not wait for them', async (t) => {
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

test('a start waits no longer than 1 s for a Redis that does not answer', async (t) => {
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

test('a connection on which nothing comes for 5 s is replaced', async (t) => {
  const silent = createServer();
  const port = await listen(silent);
  const sockets = on(silent, 'connection') as AsyncIterator<[Socket]>;
  const { clock } = await replica(t, `redis://127.0.0.1:${port}`);
  const [first] = (await sockets.next()).value as [Socket];
  const asked = once(first, 'data');
  await asked;
  const ended = once(first, 'close');
  // The first check finds that the connection was made.
  clock.advance(2_500);
  clock.advance(5_000);
  const [second] = (await sockets.next()).value as [Socket];
  await ended;
  t.after(() => {
    second.destroy();
    silent.close();
  });
});

/** The system's clock, and `stall` blocks this process for 6 s, right after the next probe was sent. */
function stallingClock(): { readonly clock: Clock; stall(): Promise<void> } {
  let stood: (() => void) | null = null;
  const every: Clock['every'] = (ms, run) =>
    systemClock.every(ms, () => {
      run();
      if (stood === null || ms !== 1_000) return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 6_000);
      stood();
      stood = null;
    });
  return { clock: { ...systemClock, every }, stall: () => new Promise((done) => (stood = done)) };
}

test('a process that was blocked for 6 s keeps its connection', async (t) => {
  const redis = await redisServer(t);
  const { clock, stall } = stallingClock();
  const log = { info: () => undefined, warn: () => undefined };
  const link = await redisLink({ url: redis.url, clock, log, metrics: { redisUp: () => undefined } });
  t.after(() => link.close());
  const answered = (): Promise<boolean> =>
    until(async () => (await link.run(ECHO, ['key'], ['a', 'b'])) !== null);
  /** How many connections Redis has accepted, including the ones of this function. */
  const connections = async (): Promise<number> => {
    const [, count] =
      /total_connections_received:(\d+)/.exec(String(await redis.command('INFO', 'stats'))) ?? [];
    return Number(count);
  };
  await answered();
  const before = await connections();
  await stall();
  await answered();
  assert.equal(await connections(), before + 1);
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
