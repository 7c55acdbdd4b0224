// The announcement budget that replicas share: 1,500 in 301 s of all, 500 of one address, and the service's own hold.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { announcementBudget, type AnnouncementBudget } from '../../../proxy/limits/announcement-budget.ts';
import { sharedBudget } from '../../../proxy/limits/announcement-budget.ts';
import { redisServer, type RedisServer } from '../../redis/redis-server.ts';
import { replicas, type Replica } from './replica.ts';

interface Stage {
  readonly redis: RedisServer;
  readonly all: readonly Replica[];
  readonly budgets: readonly AnnouncementBudget[];
}

async function stage(t: TestContext, count: number): Promise<Stage> {
  const redis = await redisServer(t);
  const all = await replicas(t, redis.url, count);
  return { redis, all, budgets: all.map(({ link, clock }) => sharedBudget(link, announcementBudget(clock))) };
}

/** How many of `each` requests of every replica, spread over the addresses, pass at once. */
async function passed(budgets: readonly AnnouncementBudget[], each: number, addresses: readonly string[]) {
  const waits = await Promise.all(
    budgets.flatMap((budget) =>
      Array.from({ length: each }, async (_, n) => budget.take(addresses[n % addresses.length] ?? '')),
    ),
  );
  return { passed: waits.filter((seconds) => seconds === 0).length, longest: Math.max(...waits) };
}

test('of four replicas’ requests at once exactly 1,500 pass, and the others wait for the window', async (t) => {
  const { budgets } = await stage(t, 4);
  const { passed: count, longest } = await passed(budgets, 500, ['a', 'b', 'c', 'd', 'e']);
  assert.equal(count, 1_500);
  assert.ok(longest > 200 && longest <= 301, `${longest} s`);
});

test('one address has exactly 500 of them, at whichever replicas it asks', async (t) => {
  const { budgets } = await stage(t, 2);
  assert.equal((await passed(budgets, 400, ['a'])).passed, 500);
  assert.equal(await budgets[0]?.take('b'), 0);
});

test('one more passes when the oldest leaves the window', async (t) => {
  const { redis, budgets } = await stage(t, 2);
  await passed(budgets, 250, ['a']);
  const age = async (key: string): Promise<void> => {
    const oldest = Number(await redis.command('LINDEX', key, '0'));
    await redis.command('LSET', key, '0', String(oldest - 301_000_000));
  };
  await age('sign:budget:of:a');
  assert.equal(await budgets[0]?.take('a'), 0);
  assert.ok(((await budgets[1]?.take('a')) ?? 0) > 0, 'only one had left it');
});

test('what one replica is held back for holds the others back as long, and the longest hold counts', async (t) => {
  const { all, budgets } = await stage(t, 2);
  const [one, other] = budgets as [AnnouncementBudget, AnnouncementBudget];
  one.hold(200);
  one.hold(5);
  await all[0]?.pass(100);
  const seconds = await other.take('b');
  assert.ok(seconds > 5 && seconds <= 200, `${seconds} s`);
});

test('its keys have the proxy’s prefix and go with the window', async (t) => {
  const { redis, all, budgets } = await stage(t, 1);
  await budgets[0]?.take('192.0.2.1');
  budgets[0]?.hold(20);
  await all[0]?.pass(100);
  const lives = await redis.lives();
  lives.delete('sign:probe');
  assert.deepEqual([...lives.keys()].toSorted(), [
    'sign:budget:all',
    'sign:budget:held',
    'sign:budget:of:192.0.2.1',
  ]);
  for (const [key, life] of lives) assert.ok(life > 0 && life <= 301_000, `${key}: ${life}`);
});

test('while Redis is gone each replica keeps its own budget, less what passed it before', async (t) => {
  const { redis, all, budgets } = await stage(t, 1);
  const [{ clock }] = all as [Replica];
  assert.equal((await passed(budgets, 400, ['a'])).passed, 400);
  redis.freeze();
  clock.advance(1_000);
  clock.advance(250);
  assert.equal((await passed(budgets, 400, ['a'])).passed, 100);
  budgets[0]?.hold(20);
  assert.equal(await budgets[0]?.take('b'), 20);
});

test('a Redis that comes back empty gives nobody a second helping, and forgets no hold', async (t) => {
  const { redis, budgets } = await stage(t, 1);
  const [budget] = budgets as [AnnouncementBudget];
  assert.equal((await passed(budgets, 500, ['a'])).passed, 500);
  await redis.command('FLUSHALL');
  assert.equal((await passed(budgets, 10, ['a'])).passed, 0);
  assert.equal(await budget.take('b'), 0);
  budget.hold(60);
  await redis.command('FLUSHALL');
  assert.equal(await budget.take('b'), 60);
});

test('what comes at once after a Redis came back empty is counted here as well', async (t) => {
  const { redis, budgets } = await stage(t, 1);
  assert.equal((await passed(budgets, 400, ['a'])).passed, 400);
  await redis.command('FLUSHALL');
  assert.equal((await passed(budgets, 400, ['a'])).passed, 100);
});
