// The access token that replicas share: one of them fetches it, and another one when the first fails or is killed.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Issued, TokenSharing } from '../../../proxy/upstream/access-token.ts';
import { tokenSharing } from '../../../proxy/upstream/shared-token.ts';
import { until } from '../../until.ts';
import { redisServer, type RedisServer } from '../../redis/redis-server.ts';
import { assertMinutePasses } from './exactly.ts';
import { replicas, type Replica } from './replica.ts';

const account = {
  url: '',
  authUrl: 'https://auth.test',
  clientId: 'client-1',
  clientSecret: 'of the client',
};

interface Side extends Replica {
  readonly sharing: TokenSharing;
  /** Gets a token; fetches `issued-<n>` when it must. */
  get(useless?: string | null): Promise<Issued>;
}

interface Harness {
  readonly redis: RedisServer;
  readonly sides: readonly Side[];
  /** The tokens that all replicas have fetched. */
  readonly fetched: string[];
  /** No fetch ends before this resolves. */
  ready: Promise<void>;
}

async function harness(t: TestContext, count: number, clientId = () => account.clientId): Promise<Harness> {
  const redis = await redisServer(t);
  const all = await replicas(t, redis.url, count);
  // The clocks of the replicas differ widely.
  for (const [n, replica] of all.entries()) await replica.pass(n * 2_000);
  const fetched: string[] = [];
  const state = { ready: Promise.resolve() };
  const sides = all.map((replica): Side => {
    const { link, clock } = replica;
    const sharing = tokenSharing({ ...account, clientId: clientId() }, clock, link);
    const fetch = async (): Promise<Issued> => {
      await state.ready;
      const token = `issued-${fetched.length + 1}`;
      fetched.push(token);
      const now = clock.now();
      return { token, expiresAt: now + 100_000, renewAt: now + 90_000 };
    };
    return { ...replica, sharing, get: (useless = null) => sharing.obtain(useless, fetch) };
  });
  return Object.assign(state, { redis, sides, fetched });
}

/** Advances the clocks of all replicas until `what` settles. */
async function whileLooking<T>(sides: readonly Side[], what: Promise<T>): Promise<T> {
  let isOver = false;
  const end = (): void => void (isOver = true);
  what.then(end, end);
  while (!isOver) await Promise.all(sides.map((side) => side.pass(100)));
  return what;
}

/** A fetch that gets no answer until the test makes it fail. */
async function stuckFetch({
  sharing,
}: Side): Promise<{ outcome: Promise<Issued>; fail: (why: Error) => void }> {
  let fail: (why: Error) => void = () => undefined;
  let began: () => void = () => undefined;
  const fetching = new Promise<void>((done) => (began = done));
  const outcome = sharing.obtain(null, () => {
    began();
    return new Promise((_, reject) => (fail = reject));
  });
  await fetching;
  return { outcome, fail };
}

const tokenKey = async ({ lives }: RedisServer): Promise<string> =>
  [...(await lives()).keys()].find((key) => key.startsWith('sign:token:')) ?? '';

test('of four replicas that need a token at once one fetches it, and all use it', async (t) => {
  const { sides, fetched } = await harness(t, 4);
  const all = await whileLooking(sides, Promise.all(sides.map((side) => side.get())));
  assert.deepEqual(fetched, ['issued-1']);
  assert.deepEqual(new Set(all.map(({ token }) => token)), new Set(['issued-1']));
});

test('a shared token has its remaining lifetime, by the clock of the replica that gets it', async (t) => {
  const { sides } = await harness(t, 2);
  const [one, other] = sides as [Side, Side];
  await one.get();
  const { expiresAt, renewAt } = await other.get();
  const left = expiresAt - other.clock.now();
  assert.ok(left > 50_000 && left <= 100_000, `${left} ms`);
  assert.equal(expiresAt - renewAt, 10_000);
});

test('a refused token is replaced once for all replicas that were refused with it', async (t) => {
  const { sides, fetched } = await harness(t, 3);
  const [one] = sides as [Side];
  await one.get();
  const all = await whileLooking(sides, Promise.all(sides.map((side) => side.get('issued-1'))));
  assert.deepEqual(fetched, ['issued-1', 'issued-2']);
  assert.deepEqual(new Set(all.map(({ token }) => token)), new Set(['issued-2']));
  assert.equal((await one.get()).token, 'issued-2');
});

test('when the replica that fetches fails, its caller alone gets the error, and the next replica fetches', async (t) => {
  const { sides, fetched } = await harness(t, 2);
  const [one, other] = sides as [Side, Side];
  const { outcome, fail } = await stuckFetch(one);
  const refused = assert.rejects(outcome, /no token server/);
  const waiting = other.get();
  await other.pass(300);
  assert.deepEqual(fetched, []);
  fail(new Error('no token server'));
  await refused;
  assert.equal((await whileLooking(sides, waiting)).token, 'issued-1');
});

test('when the replica that fetches is killed, the others wait for it no longer than 15 s', async (t) => {
  const { redis, sides, fetched } = await harness(t, 2);
  const [one, other] = sides as [Side, Side];
  await stuckFetch(one);
  const [lock = ''] = [...(await redis.lives())].find(([key]) => key.startsWith('sign:token-lock:')) ?? [];
  const life = Number(await redis.command('PTTL', lock));
  assert.ok(life > 0 && life <= 15_000, `${life} ms`);
  const from = other.clock.now();
  const waiting = other.get();
  // Even a lock that never expires makes no replica wait longer.
  await redis.command('PERSIST', lock);
  assert.equal((await whileLooking(sides, waiting)).token, 'issued-1');
  assert.deepEqual(fetched, ['issued-1']);
  assert.ok(other.clock.now() - from >= 15_000, 'it waited as long');
});

test('a value in Redis that is no token is not used', async (t) => {
  const { redis, sides } = await harness(t, 1);
  const [one] = sides as [Side];
  await one.get();
  const key = await tokenKey(redis);
  for (const junk of [
    '',
    'junk',
    '10 abc',
    '10 with\r\nheader: in it',
    `10 ${'x'.repeat(9_000)}`,
    'x longenough',
  ]) {
    await redis.command('SET', key, junk, 'PX', '60000');
    assert.match((await one.get()).token, /^issued-\d$/);
  }
});

test('accounts do not share a token', async (t) => {
  let accounts = 0;
  const { sides, fetched } = await harness(t, 2, () => `client-${(accounts += 1)}`);
  const [one, other] = sides as [Side, Side];
  assert.notEqual((await one.get()).token, (await other.get()).token);
  assert.equal(fetched.length, 2);
});

test('the token server is asked 12 times a minute by all replicas together', async (t) => {
  const { redis, sides } = await harness(t, 2);
  await assertMinutePasses(redis, 12, () =>
    Promise.all(sides.flatMap(({ sharing }) => Array.from({ length: 12 }, async () => sharing.mayFetch()))),
  );
});

test('the keys of the token have the proxy’s prefix and expire with the token, and neither names the client or its secret', async (t) => {
  const { redis, sides } = await harness(t, 1);
  await sides[0]?.get();
  const key = await tokenKey(redis);
  assert.match(key, /^sign:token:[0-9a-f]{64}$/);
  const lives = await redis.lives();
  lives.delete('sign:probe');
  assert.deepEqual([...lives.keys()], [key], 'the lock was given up');
  const life = lives.get(key) ?? 0;
  assert.ok(life > 50_000 && life <= 100_000, `${life} ms`);
});

test('while Redis is gone each replica fetches a token of its own', async (t) => {
  const { redis, sides, fetched } = await harness(t, 2);
  await redis.kill();
  await until(() => sides.every(({ link }) => !link.isUp));
  const tokens = await Promise.all(sides.map(async (side) => (await side.get()).token));
  assert.deepEqual(tokens, fetched);
  assert.equal(new Set(tokens).size, 2);
});
