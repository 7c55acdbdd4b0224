// Rates and the announcement budget that replicas share through Redis.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import {
  announcementBudget,
  type AnnouncementBudget,
  sharedBudget,
} from '../../../proxy/limits/announcement-budget.ts';
import { clientRate, type ClientRate, sharedRate } from '../../../proxy/limits/client-rate.ts';
import { redisServer, type RedisServer } from '../../redis/redis-server.ts';
import { assertMinutePasses, redisNow } from './exactly.ts';
import { type Replica, replicas } from './replica.ts';

interface Harness {
  readonly redis: RedisServer;
  readonly all: readonly Replica[];
  readonly rates: readonly ClientRate[];
}

async function harness(t: TestContext, perMinute: number, count = 4): Promise<Harness> {
  const redis = await redisServer(t);
  const all = await replicas(t, redis.url, count);
  const rates = all.map(({ link, clock }) =>
    sharedRate(link, 'requests', perMinute, clientRate(perMinute, clock)),
  );
  return { redis, all, rates };
}

for (const perMinute of [1, 7, 240]) {
  test(`exactly ${perMinute} of the simultaneous requests at four replicas pass`, async (t) => {
    const { redis, rates } = await harness(t, perMinute);
    const waits = await assertMinutePasses(redis, perMinute, () =>
      Promise.all(rates.flatMap((rate) => Array.from({ length: perMinute }, async () => rate('192.0.2.1')))),
    );
    const longest = 60 / perMinute;
    assert.ok(
      waits.every((seconds) => seconds <= longest),
      'nobody waits longer than one token takes',
    );
  });
}

test('a replica waits for tokens that another one took, at most as long as one token takes', async (t) => {
  const { redis, rates } = await harness(t, 2, 2);
  const [one, other] = rates as [(key: string) => Promise<number>, (key: string) => Promise<number>];
  assert.deepEqual([await one('a'), await one('a')], [0, 0]);
  const seconds = await other('a');
  assert.ok(seconds > 0 && seconds <= 30, `${seconds} s`);
  // As if half a minute had passed for Redis.
  const full = Number(await redis.command('GET', 'sign:rate:requests:a'));
  await redis.command('SET', 'sign:rate:requests:a', String(full - 30_000_000), 'KEEPTTL');
  assert.equal(await other('a'), 0);
  assert.ok((await one('a')) > 0, 'only one had filled up');
});

test('the /56 and the /48 around an IPv6 client have 4 and 16 times its rate, whichever replicas it asks', async (t) => {
  const { redis, rates } = await harness(t, 2, 2);
  const ask = async (count: number, address: (n: number) => string): Promise<number[]> =>
    Promise.all(Array.from({ length: count }, async (_, n) => rates[n % 2]!(address(n))));
  const hex = (number: number): string => number.toString(16);
  await assertMinutePasses(redis, 2 * 16, async () => [
    ...(await assertMinutePasses(redis, 2 * 4, () => ask(40, (n) => `2001:db8:1:${hex(0x100 + n)}::/64`))),
    ...(await ask(40, (n) => `2001:db8:1:${hex(0x1000 * (1 + (n % 15)))}::/64`)),
  ]);
  await assertMinutePasses(redis, 2, () => ask(4, () => '2001:db8:2:0::/64'));
});

test('a client that rests saves up the tokens of one minute at most', async (t) => {
  const { redis, rates } = await harness(t, 2, 1);
  const [rate] = rates as [(key: string) => Promise<number>];
  await redis.command('SET', 'sign:rate:requests:a', '1000000', 'PX', '60000');
  assert.deepEqual([await rate('a'), await rate('a')], [0, 0]);
  assert.ok((await rate('a')) > 0, 'the third waits');
});

test('a Redis whose clock was set back makes nobody wait longer than one token takes', async (t) => {
  const { redis, rates } = await harness(t, 2, 1);
  const [rate] = rates as [(key: string) => Promise<number>];
  const ahead = (await redisNow(redis)) + 3_600_000_000;
  await redis.command('SET', 'sign:rate:requests:a', String(ahead), 'PX', '60000');
  const seconds = await rate('a');
  assert.ok(seconds > 0 && seconds <= 30, `${seconds} s`);
});

test('each address and each kind of rate has tokens of its own', async (t) => {
  const { all, rates } = await harness(t, 1, 1);
  const [{ link, clock }] = all as [Replica];
  const [requests] = rates as [(key: string) => Promise<number>];
  const messages = sharedRate(link, 'messages', 1, clientRate(1, clock));
  assert.deepEqual([await requests('a'), await requests('b'), await messages('a')], [0, 0, 0]);
});

test('the keys of a rate have the proxy’s prefix and expire within a minute', async (t) => {
  const { redis, rates } = await harness(t, 1, 1);
  // Each network has used up its rate, so that no key expires within the next seconds.
  const networks = ['', '10', '20', '30'].flatMap((net) =>
    ['0', '1', '2', '3'].map((host) => `2001:db8:0:${net}${host}::/64`),
  );
  for (const key of ['192.0.2.1', ...networks]) assert.equal(await rates[0]?.(key), 0, key);
  const lives = await redis.lives();
  lives.delete('sign:probe');
  const keys = [...lives.keys()];
  assert.deepEqual(
    keys.filter((key) => !key.startsWith('sign:rate:requests:')),
    [],
  );
  const ends = ['.1', '/64', '/56', '/48'].map((end) => keys.filter((key) => key.endsWith(end)).length);
  assert.deepEqual(ends, [1, 16, 4, 1]);
  for (const [key, life] of lives) assert.ok(life > 0 && life <= 60_000, `${key}: ${life}`);
});

test('while Redis is gone each replica has its own limit, minus the requests that it let through before, and answers at once', async (t) => {
  const { redis, all, rates } = await harness(t, 3, 2);
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

test('a Redis that comes back empty does not admit anybody twice', async (t) => {
  const { redis, rates } = await harness(t, 3, 1);
  const [rate] = rates as [ClientRate];
  assert.deepEqual([await rate('a'), await rate('a')], [0, 0]);
  await redis.command('FLUSHALL');
  const waits = await Promise.all([rate('a'), rate('a'), rate('a')]);
  assert.equal(waits.filter((seconds) => seconds === 0).length, 1);
  assert.equal(await rate('a'), 20);
});

interface BudgetHarness {
  readonly redis: RedisServer;
  readonly all: readonly Replica[];
  readonly budgets: readonly AnnouncementBudget[];
}

async function budgetHarness(t: TestContext, count: number): Promise<BudgetHarness> {
  const redis = await redisServer(t);
  const all = await replicas(t, redis.url, count);
  return { redis, all, budgets: all.map(({ link, clock }) => sharedBudget(link, announcementBudget(clock))) };
}

/**
 * A connection that is silent for 5 s is replaced, and on a busy machine Redis takes that long for some hundreds of requests at
 * once.
 */
const AT_ONCE = 50;

/**
 * How many requests pass when every replica sends `each`, spread over the addresses. At most `AT_ONCE` of a replica are pending.
 */
async function passed(budgets: readonly AnnouncementBudget[], each: number, addresses: readonly string[]) {
  const waits: number[] = [];
  for (let from = 0; from < each; from += AT_ONCE) {
    const asked = budgets.flatMap((budget) =>
      Array.from({ length: Math.min(AT_ONCE, each - from) }, async (_, n) =>
        budget.take([addresses[(from + n) % addresses.length] ?? ''], 'submit'),
      ),
    );
    waits.push(...(await Promise.all(asked)));
  }
  return { passed: waits.filter((seconds) => seconds === 0).length, longest: Math.max(...waits) };
}

test('exactly 1,500 of the simultaneous requests at four replicas pass, and the others wait for the window', async (t) => {
  const { budgets } = await budgetHarness(t, 4);
  const { passed: count, longest } = await passed(budgets, 500, [...'abcdefghijklmno']);
  assert.equal(count, 1_500);
  assert.ok(longest > 200 && longest <= 301, `${longest} s`);
});

test('one address has exactly 150 requests of the budget, whichever replicas it asks', async (t) => {
  const { budgets } = await budgetHarness(t, 2);
  assert.equal((await passed(budgets, 100, ['a'])).passed, 150);
  assert.equal(await budgets[0]?.take(['b'], 'submit'), 0);
});

test('the networks of a client, and the look-ups of all clients, have shares of their own, whichever replicas are asked', async (t) => {
  const { redis, budgets } = await budgetHarness(t, 2);
  const take = (n: number, kind: 'submit' | 'look-up'): Promise<number> =>
    Promise.resolve(budgets[n % 2]?.take([`2001:db8:1:${n}::/64`, '2001:db8:1:0::/56'], kind) ?? -1);
  const waits = await Promise.all(Array.from({ length: 300 }, (_, n) => take(n, 'look-up')));
  assert.equal(waits.filter((seconds) => seconds === 0).length, 225);
  // As if others had looked up the rest of what look-ups may have.
  const now = String(await redis.command('LINDEX', 'sign:budget:all', '0'));
  await redis.command('LPUSH', 'sign:budget:all', ...Array<string>(975).fill(now));
  assert.ok(Number(await budgets[0]?.take(['c'], 'look-up')) > 200, 'look-ups wait');
  assert.equal(await budgets[0]?.take(['c'], 'submit'), 0, 'a submit passes');
});

test('one more request passes when the oldest one leaves the window', async (t) => {
  const { redis, budgets } = await budgetHarness(t, 2);
  await passed(budgets, 75, ['a']);
  const age = async (key: string): Promise<void> => {
    const oldest = Number(await redis.command('LINDEX', key, '0'));
    await redis.command('LSET', key, '0', String(oldest - 301_000_000));
  };
  await age('sign:budget:of:a');
  assert.equal(await budgets[0]?.take(['a'], 'submit'), 0);
  assert.ok(((await budgets[1]?.take(['a'], 'submit')) ?? 0) > 0, 'only one had left it');
});

test('a wait that the service asks one replica for holds for the others too, and the longest one counts', async (t) => {
  const { all, budgets } = await budgetHarness(t, 2);
  const [one, other] = budgets as [AnnouncementBudget, AnnouncementBudget];
  one.hold(200);
  one.hold(5);
  await all[0]?.pass(100);
  const seconds = await other.take(['b'], 'submit');
  assert.ok(seconds > 5 && seconds <= 200, `${seconds} s`);
});

test('the keys of the budget have the proxy’s prefix and expire with the window', async (t) => {
  const { redis, all, budgets } = await budgetHarness(t, 1);
  await budgets[0]?.take(['192.0.2.1'], 'submit');
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

test('while Redis is gone each replica keeps its own budget, minus the requests that it let through before', async (t) => {
  const { redis, all, budgets } = await budgetHarness(t, 1);
  const [{ clock }] = all as [Replica];
  assert.equal((await passed(budgets, 120, ['a'])).passed, 120);
  redis.freeze();
  clock.advance(1_000);
  clock.advance(250);
  assert.equal((await passed(budgets, 120, ['a'])).passed, 30);
  budgets[0]?.hold(20);
  assert.equal(await budgets[0]?.take(['b'], 'submit'), 20);
});

test('a Redis that comes back empty does not admit anybody twice, and holds stay in force', async (t) => {
  const { redis, budgets } = await budgetHarness(t, 1);
  const [budget] = budgets as [AnnouncementBudget];
  assert.equal((await passed(budgets, 150, ['a'])).passed, 150);
  await redis.command('FLUSHALL');
  assert.equal((await passed(budgets, 10, ['a'])).passed, 0);
  assert.equal(await budget.take(['b'], 'submit'), 0);
  budget.hold(60);
  await redis.command('FLUSHALL');
  assert.equal(await budget.take(['b'], 'submit'), 60);
});

test('requests just after a Redis came back empty are counted in this process as well', async (t) => {
  const { redis, budgets } = await budgetHarness(t, 1);
  assert.equal((await passed(budgets, 120, ['a'])).passed, 120);
  await redis.command('FLUSHALL');
  assert.equal((await passed(budgets, 120, ['a'])).passed, 30);
});
