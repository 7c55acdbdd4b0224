// The sockets that replicas count together.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Release } from '../../../proxy/limits/fair-share.ts';
import { SharedSockets } from '../../../proxy/limits/shared-sockets.ts';
import { openSockets, type OpenSockets } from '../../../proxy/limits/sockets.ts';
import { redisServer, type RedisServer } from '../../redis/redis-server.ts';
import { until } from '../../until.ts';
import { type Replica, replicas } from './replica.ts';

const KEY = 'sign:sockets:a';

interface Harness {
  readonly redis: RedisServer;
  readonly all: readonly Replica[];
  readonly counts: readonly OpenSockets[];
}

async function harness(t: TestContext, limit: number, count = 2): Promise<Harness> {
  const redis = await redisServer(t);
  const all = await replicas(t, redis.url, count);
  const counts = all.map(({ link, clock }) => new SharedSockets(link, limit, openSockets(limit), clock));
  return { redis, all, counts };
}

async function opened(sockets: OpenSockets | undefined, address = 'a'): Promise<Release> {
  const leave = await sockets?.open(address);
  if (typeof leave !== 'function') throw new Error(`refused: ${leave}`);
  return leave;
}

/** Waits until Redis knows of this many sockets of address a. */
async function known({ command }: RedisServer, count: number): Promise<void> {
  await until(
    () => command('ZCARD', KEY),
    (known) => known === count,
  );
}

test('of the simultaneous sockets at four replicas exactly as many open as the limit allows', async (t) => {
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

/** How many sockets of address a have a lease that has not expired. */
async function leased({ command }: RedisServer): Promise<unknown> {
  const [seconds, micros] = (await command('TIME')) as [string, string];
  return command('ZCOUNT', KEY, `(${Number(seconds) * 1000 + Math.floor(Number(micros) / 1000)}`, '+inf');
}

test('a lease lasts 30 s and is renewed every 10 s, so that a killed replica’s sockets stop counting', async (t) => {
  const { redis, all, counts } = await harness(t, 2);
  await opened(counts[0]);
  await opened(counts[1]);
  assert.equal(await leased(redis), 2);
  // As if thirty seconds had passed for Redis.
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
