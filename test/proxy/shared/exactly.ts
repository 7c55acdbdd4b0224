// Asserts how many requests a rate in Redis accepts, for any time that the test takes to send them.
// - Redis' own clock fills the buckets and cannot be stopped: the tokens that it added meanwhile are counted by that clock.
import assert from 'node:assert/strict';
import type { RedisServer } from '../../redis/redis-server.ts';

/** Redis' clock, in microseconds. */
export async function redisNow({ command }: RedisServer): Promise<number> {
  const [seconds, rest] = (await command('TIME')) as [string, string];
  return Number(seconds) * 1_000_000 + Number(rest);
}

/**
 * Asserts that as many of these requests pass as the rate has tokens for a minute, and at most one more for each token that was
 * added meanwhile.
 * @param ask sends the requests. Resolves with the seconds that each has to wait; 0 when it passed
 */
export async function assertMinutePasses<Waits extends readonly number[]>(
  redis: RedisServer,
  perMinute: number,
  ask: () => Promise<Waits>,
): Promise<Waits> {
  const from = await redisNow(redis);
  const waits = await ask();
  const filled = Math.floor(((await redisNow(redis)) - from) / Math.floor(60_000_000 / perMinute));
  const passed = waits.filter((seconds) => seconds === 0).length;
  assert.ok(passed >= perMinute && passed <= perMinute + filled, `${passed} passed, ${filled} filled up`);
  return waits;
}
