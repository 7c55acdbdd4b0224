// Texts that replicas with a Redis have under way together: they exceed a cap by no more than one replica alone would.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { spendings, type Spending, type SpendingConfig } from '../../../proxy/limits/spending.ts';
import { redisServer } from '../../redis/redis-server.ts';
import { decision, NO_CAPS, silent } from '../spending-harness.ts';
import { replicas } from './replica.ts';

const CAPS: SpendingConfig = { ...NO_CAPS, site: 'a', dailySeconds: 100 };
const HELD = 'sign:spent:a:2026-11-23:held';

async function sharing(t: TestContext, count: number, caps = CAPS) {
  const redis = await redisServer(t);
  const all = await replicas(t, redis.url, count);
  const time = (): number => Date.parse('2026-11-23T12:00:00Z');
  const deps = { file: null, log: { warn: () => undefined }, metrics: silent, time };
  return {
    redis,
    all: all.map((one) => ({ ...one, site: spendings({ ...deps, clock: one.clock, link: one.link })(caps) })),
  };
}

/** Begins a text of this many seconds; returns whether it may go. */
function begin(site: Spending, seconds: number): boolean {
  if (site.mustWait(seconds, 0)) return false;
  site.expect(seconds, 0);
  return true;
}

test('the texts that replicas have under way at the same time together stay within a cap, and use it up', async (t) => {
  const { all } = await sharing(t, 3);
  let begun = 0;
  for (let round = 0; round < 20; round += 1) {
    for (const { site } of all) while (begin(site, 7)) begun += 7;
    // Now each replica has the answer of Redis to its request.
    for (const { site } of all) assert.equal(await decision(site), 'pass');
  }
  assert.equal(begun, 98, 'a text more would be over 100');
});

test('when a request for the whole cap comes to every replica at the same time, only one goes up', async (t) => {
  const { all } = await sharing(t, 3);
  await Promise.all(all.map(({ site }) => site.check(90, 0)));
  const passed = all.filter(({ site }) => begin(site, 90));
  assert.equal(passed.length, 1);
  // The refused requests have asked for room once more, and must not get the room that is given back below.
  for (const { site } of all) assert.equal(await decision(site), 'pass');
  passed[0]?.site.expect(-90, 0);
  assert.equal(await decision(passed[0]?.site as Spending), 'pass');
  const [other] = all.filter((one) => one !== passed[0]);
  assert.ok(other);
  await other.site.check(80, 0);
  assert.equal(begin(other.site, 80), true, 'what failed is held no longer');
});

test('one text may exceed the cap, and a second one of another replica may not', async (t) => {
  const { all } = await sharing(t, 2);
  const [one, other] = all;
  assert.ok(one && other);
  await one.site.check(150, 0);
  assert.equal(begin(one.site, 150), true);
  await other.site.check(1, 0);
  assert.equal(begin(other.site, 1), false);
  one.site.expect(-150, 0);
  one.site.add({ seconds: 150 });
  await decision(one.site);
  assert.equal(await decision(other.site), 'budget_spent');
});

test('the room that a killed replica held is free again after a minute', async (t) => {
  const { redis, all } = await sharing(t, 1);
  const [one] = all;
  assert.ok(one);
  const [now = '0'] = (await redis.command('TIME')) as readonly string[];
  await redis.command('HSET', HELD, 'killed', `95 0 0 ${Number(now) + 60}`);
  await one.site.check(3, 0);
  assert.equal(begin(one.site, 3), true);
  assert.equal(begin(one.site, 10), false);
  await redis.command('HSET', HELD, 'killed', `95 0 0 ${now}`);
  await one.site.check(10, 0);
  assert.equal(begin(one.site, 10), true);
  assert.equal(await redis.command('HEXISTS', HELD, 'killed'), 0);
  const lives = await redis.lives();
  assert.ok((lives.get(HELD) ?? 0) > 0 && (lives.get(HELD) ?? 0) <= 2 * 86_400_000);
});

test('the streams of a killed replica count, because they were made and the replica could not report them', async (t) => {
  const { redis, all } = await sharing(t, 1);
  const [one] = all;
  assert.ok(one);
  const [now = '0'] = (await redis.command('TIME')) as readonly string[];
  await redis.command('HSET', HELD, 'killed', `95 0 60 ${now}`);
  await one.site.check(30, 0);
  assert.equal(begin(one.site, 30), true, 'the rest of what it held is free');
  await one.site.check(30, 0);
  assert.equal(begin(one.site, 30), false);
  await redis.command('HSET', HELD, 'killed', `105 0 100 ${now}`);
  assert.equal(await decision(one.site), 'budget_spent');
  assert.equal(await decision(one.site), 'budget_spent', 'not only once');
});

test('the time of a stream that ends without seconds to add no longer counts in any other replica', async (t) => {
  const { all } = await sharing(t, 2);
  const [one, other] = all;
  assert.ok(one && other);
  const stop = one.site.streaming();
  await one.pass(100_000);
  await decision(one.site);
  assert.equal(await decision(other.site), 'budget_spent');
  stop();
  await one.pass(100);
  assert.equal(await decision(other.site), 'pass', 'its summary has no seconds');
});

test('room that was requested and is not used is given back, except for an eighth of the room that is left', async (t) => {
  const { all } = await sharing(t, 1);
  const [one] = all;
  assert.ok(one);
  await one.site.check(50, 0);
  await one.pass(30_000);
  assert.equal(begin(one.site, 50), false);
  assert.equal(begin(one.site, 12), true);
});

test('a text need not wait when nothing was sent for minutes', async (t) => {
  const { all } = await sharing(t, 1);
  const [one] = all;
  assert.ok(one);
  await one.site.check();
  await one.pass(300_000);
  assert.equal(begin(one.site, 5), true);
});

test('the time of streams that are open in another replica counts towards a cap', async (t) => {
  const { all } = await sharing(t, 2);
  const [one, other] = all;
  assert.ok(one && other);
  const stop = one.site.streaming();
  await one.pass(100_000);
  // The page of the stream sends a text.
  one.site.add({ characters: 5 });
  await decision(one.site);
  assert.equal(await decision(other.site), 'budget_spent');
  stop();
  one.site.add({ seconds: 20 });
  await decision(one.site);
  assert.equal(await decision(other.site), 'pass', 'its summary says that it was shorter');
});

test('while Redis is away each replica goes on by itself', async (t) => {
  const { redis, all } = await sharing(t, 1);
  const [one] = all;
  assert.ok(one);
  await redis.kill();
  while (one.link.isUp) await decision(one.site);
  assert.equal(begin(one.site, 60), true);
  assert.equal(begin(one.site, 60), false);
});

test('the room that was held before an outage of a minute is not used after it', async (t) => {
  const { redis, all } = await sharing(t, 1);
  const [one] = all;
  assert.ok(one);
  await one.site.check();
  await redis.kill();
  while (one.link.isUp) await decision(one.site);
  one.clock.advance(60_000);
  await redis.start();
  await one.up();
  assert.equal(begin(one.site, 5), false);
  assert.equal(await decision(one.site), 'pass');
  assert.equal(begin(one.site, 5), true);
});
