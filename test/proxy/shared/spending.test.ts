// What replicas spend together, in a Redis that they share.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spendings, type SpendingConfig } from '../../../proxy/limits/spending.ts';
import { redisServer } from '../../redis/redis-server.ts';
import { decision, NO_CAPS, silent } from '../spending-harness.ts';
import { replica, replicas } from './replica.ts';

test('replicas share what is spent, a restart forgets nothing, and what was spent during an outage is added after it', async (t) => {
  const redis = await redisServer(t);
  const [one, other] = await replicas(t, redis.url, 2);
  assert.ok(one && other);
  const log = { warn: () => undefined };
  const caps: SpendingConfig = { ...NO_CAPS, site: 'a', dailySeconds: 10 };
  const time = (): number => Date.parse('2026-11-23T12:00:00Z');
  const first = spendings({ clock: one.clock, link: one.link, file: null, log, metrics: silent, time })(caps);
  const second = spendings({ clock: other.clock, link: other.link, file: null, log, metrics: silent, time })(
    caps,
  );
  first.add({ seconds: 6 });
  second.add({ seconds: 3 });
  assert.equal(await decision(first), 'pass');
  second.add({ seconds: 1 });
  assert.equal(await decision(second), 'budget_spent');
  assert.equal(await decision(first), 'budget_spent');
  const restarted = await replica(t, redis.url);
  await restarted.link.settled;
  const fresh = { ...caps, dailySeconds: 12 };
  const third = spendings({
    clock: restarted.clock,
    link: restarted.link,
    file: null,
    log,
    metrics: silent,
    time,
  })(fresh);
  assert.equal(await decision(third), 'pass');

  await redis.kill();
  while (one.link.isUp) await decision(first);
  while (restarted.link.isUp) await decision(third);
  first.add({ seconds: 2 });
  await redis.start();
  await one.up();
  await restarted.up();
  await decision(first);
  assert.equal(await decision(third), 'budget_spent');
});

test('a replica that stops while Redis is away logs the seconds that it spent and could not send', async (t) => {
  const redis = await redisServer(t);
  const { clock, link, up } = await replica(t, redis.url);
  await up();
  const lines: unknown[] = [];
  const log = { warn: (...line: unknown[]) => void lines.push(line) };
  const all = spendings({ clock, link, file: null, log, metrics: silent });
  const caps: SpendingConfig = { ...NO_CAPS, site: 'a', dailySeconds: 100 };
  const spending = all(caps);
  spending.add({ seconds: 6, characters: 20 });
  assert.equal(await decision(spending), 'pass');
  await redis.kill();
  while (link.isUp) await decision(spending);
  spending.add({ seconds: 2 });
  spending.expect(1.4, 9);
  all.close();
  const lost = { site: 'a', seconds: 3, characters: 9 };
  assert.deepEqual(lines, [[lost, 'spending lost: the Redis is away']]);
});

test('seconds that Redis has counted but answered too late are counted once, and later seconds are added', async (t) => {
  const redis = await redisServer(t);
  const one = await replica(t, redis.url);
  await one.up();
  const caps: SpendingConfig = { ...NO_CAPS, site: 'a', dailySeconds: 10 };
  const deps = { clock: one.clock, file: null, log: { warn: () => undefined }, metrics: silent };
  const spending = spendings({ ...deps, link: one.link })(caps);
  spending.add({ seconds: 3 });
  assert.equal(await decision(spending), 'pass');
  redis.freeze();
  spending.add({ seconds: 4 });
  one.clock.advance(1_000);
  one.clock.advance(250);
  assert.equal(one.link.isUp, false, 'it did not answer in time');
  redis.thaw();
  await one.up();
  spending.add({ seconds: 2 });
  assert.equal(await decision(spending), 'pass', '9 of 10');
  const other = await replica(t, redis.url);
  await other.up();
  const fresh = spendings({ ...deps, link: other.link })(caps);
  assert.equal(await decision(fresh), 'pass', 'the same at another replica');
  fresh.add({ seconds: 1 });
  assert.equal(await decision(fresh), 'budget_spent');
  assert.equal(await decision(spending), 'budget_spent');
});

test('a Redis that comes back empty gets everything that the replicas spent before and meanwhile, although none of them knew all of it', async (t) => {
  const redis = await redisServer(t);
  const all = await replicas(t, redis.url, 3);
  const deps = { file: null, log: { warn: () => undefined }, metrics: silent };
  const caps: SpendingConfig = { ...NO_CAPS, site: 'a', dailySeconds: 19 };
  const [first, second, third] = all.map(({ clock, link }) => spendings({ ...deps, clock, link })(caps));
  assert.ok(first && second && third);
  first.add({ seconds: 5 });
  assert.equal(await decision(first), 'pass');
  second.add({ seconds: 7 });
  assert.equal(await decision(second), 'pass');
  await redis.kill();
  for (const { link } of all) while (link.isUp) await decision(first);
  first.add({ seconds: 3 });
  second.add({ seconds: 4 });
  await redis.start();
  await Promise.all(all.map((one) => one.up()));
  await decision(first);
  await decision(second);
  assert.equal(await decision(third), 'budget_spent', '19 of 19');
});

test('the seconds that a replica spends after its clock was a day ahead count at the others too', async (t) => {
  const redis = await redisServer(t);
  const [one, other] = await replicas(t, redis.url, 2);
  assert.ok(one && other);
  const deps = { file: null, log: { warn: () => undefined }, metrics: silent };
  const caps: SpendingConfig = { ...NO_CAPS, site: 'a', dailySeconds: 12 };
  const noon = Date.parse('2026-11-23T12:00:00Z');
  let now = noon;
  const first = spendings({ ...deps, clock: one.clock, link: one.link, time: () => now })(caps);
  const second = spendings({ ...deps, clock: other.clock, link: other.link, time: () => noon })(caps);
  first.add({ seconds: 5 });
  assert.equal(await decision(first), 'pass');
  now += 86_400_000;
  assert.equal(await decision(first), 'pass');
  now = noon;
  assert.equal(await decision(first), 'pass');
  second.add({ seconds: 3 });
  assert.equal(await decision(second), 'pass', '8 of 12');
  first.add({ seconds: 4 });
  await decision(first);
  assert.equal(await decision(second), 'budget_spent', '12 of 12');
});
