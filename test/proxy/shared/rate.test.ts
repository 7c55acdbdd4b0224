// The rate a minute that replicas share: exact to one, and as long as the bucket of one process.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { clientRate, type ClientRate } from '../../../proxy/limits/client-rate.ts';
import { sharedRate } from '../../../proxy/limits/client-rate.ts';
import { redisServer, type RedisServer } from '../../redis/redis-server.ts';
import { replicas, type Replica } from './replica.ts';

interface Stage {
  readonly redis: RedisServer;
  readonly all: readonly Replica[];
  readonly rates: readonly ClientRate[];
}

async function stage(t: TestContext, perMinute: number, count = 4): Promise<Stage> {
  const redis = await redisServer(t);
  const all = await replicas(t, redis.url, count);
  const rates = all.map(({ link, clock }) =>
    sharedRate(link, 'requests', perMinute, clientRate(perMinute, clock)),
  );
  return { redis, all, rates };
}

/** Redis' clock, in microseconds. */
async function now({ command }: RedisServer): Promise<number> {
  const [seconds, rest] = (await command('TIME')) as [string, string];
  return Number(seconds) * 1_000_000 + Number(rest);
}

for (const perMinute of [1, 7, 240]) {
  test(`of four replicas’ requests at once exactly ${perMinute} pass`, async (t) => {
    const { redis, rates } = await stage(t, perMinute);
    const from = await now(redis);
    const waits = await Promise.all(
      rates.flatMap((rate) => Array.from({ length: perMinute }, async () => rate('192.0.2.1'))),
    );
    // One more for each that the bucket filled up meanwhile, by Redis' clock: on a slow machine that may be some.
    const filled = Math.floor(((await now(redis)) - from) / Math.floor(60_000_000 / perMinute));
    const passed = waits.filter((seconds) => seconds === 0).length;
    assert.ok(passed >= perMinute && passed <= perMinute + filled, `${passed} passed, ${filled} filled up`);
    const longest = 60 / perMinute;
    assert.ok(
      waits.every((seconds) => seconds <= longest),
      'nobody waits for more than one to fill up',
    );
  });
}

test('a replica waits for what another one took, and no longer than until one has filled up', async (t) => {
  const { redis, rates } = await stage(t, 2, 2);
  const [one, other] = rates as [(key: string) => Promise<number>, (key: string) => Promise<number>];
  assert.deepEqual([await one('a'), await one('a')], [0, 0]);
  const seconds = await other('a');
  assert.ok(seconds > 0 && seconds <= 30, `${seconds} s`);
  // Half a minute, as Redis would see it.
  const full = Number(await redis.command('GET', 'sign:rate:requests:a'));
  await redis.command('SET', 'sign:rate:requests:a', String(full - 30_000_000), 'KEEPTTL');
  assert.equal(await other('a'), 0);
  assert.ok((await one('a')) > 0, 'only one had filled up');
});

test('a long rest saves up no more than a minute’s worth', async (t) => {
  const { redis, rates } = await stage(t, 2, 1);
  const [rate] = rates as [(key: string) => Promise<number>];
  await redis.command('SET', 'sign:rate:requests:a', '1000000', 'PX', '60000');
  assert.deepEqual([await rate('a'), await rate('a')], [0, 0]);
  assert.ok((await rate('a')) > 0, 'the third waits');
});

test('a Redis whose clock was set back keeps nobody waiting for longer than one takes to fill up', async (t) => {
  const { redis, rates } = await stage(t, 2, 1);
  const [rate] = rates as [(key: string) => Promise<number>];
  const ahead = (await now(redis)) + 3_600_000_000;
  await redis.command('SET', 'sign:rate:requests:a', String(ahead), 'PX', '60000');
  const seconds = await rate('a');
  assert.ok(seconds > 0 && seconds <= 30, `${seconds} s`);
});

test('addresses and kinds of rate do not share', async (t) => {
  const { all, rates } = await stage(t, 1, 1);
  const [{ link, clock }] = all as [Replica];
  const [requests] = rates as [(key: string) => Promise<number>];
  const messages = sharedRate(link, 'messages', 1, clientRate(1, clock));
  assert.deepEqual([await requests('a'), await requests('b'), await messages('a')], [0, 0, 0]);
});

test('its keys have the proxy’s prefix and go within a minute', async (t) => {
  const { redis, rates } = await stage(t, 5, 1);
  for (const key of ['192.0.2.1', '2001:db8:0:1::/64']) await rates[0]?.(key);
  const lives = await redis.lives();
  lives.delete('sign:probe');
  assert.deepEqual([...lives.keys()].toSorted(), [
    'sign:rate:requests:192.0.2.1',
    'sign:rate:requests:2001:db8:0:1::/64',
  ]);
  for (const [key, life] of lives) assert.ok(life > 0 && life <= 60_000, `${key}: ${life}`);
});

test('while Redis is gone each replica has its own limit, less what passed it before, and no promise to wait for', async (t) => {
  const { redis, all, rates } = await stage(t, 3, 2);
  const [one, other] = rates as [ClientRate, ClientRate];
  assert.equal(await one('a'), 0);
  redis.freeze();
  const asked = one('a');
  for (const { clock, link } of all) {
    clock.advance(1_000);
    clock.advance(250);
    assert.equal(link.isUp, false);
  }
  assert.equal(await asked, 0, 'the one that waited for Redis passes by the own limit');
  assert.equal(one('a'), 0);
  assert.ok(Number(one('a')) > 0, 'three of this replica passed');
  assert.deepEqual([other('a'), other('a'), other('a')], [0, 0, 0]);
  assert.ok(Number(other('a')) > 0, 'three of that replica passed');
  redis.thaw();
  await Promise.all(all.map((replica) => replica.up()));
  assert.equal(typeof one('b'), 'object', 'a promise: shared again');
});

test('a Redis that comes back empty gives nobody a second helping', async (t) => {
  const { redis, rates } = await stage(t, 3, 1);
  const [rate] = rates as [ClientRate];
  assert.deepEqual([await rate('a'), await rate('a')], [0, 0]);
  await redis.command('FLUSHALL');
  const waits = await Promise.all([rate('a'), rate('a'), rate('a')]);
  assert.equal(waits.filter((seconds) => seconds === 0).length, 1);
  assert.equal(await rate('a'), 20);
});
