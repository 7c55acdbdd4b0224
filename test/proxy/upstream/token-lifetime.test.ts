// Access tokens for which the token server names an odd lifetime.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redisServer } from '../../redis/redis-server.ts';
import { harness, submit } from '../announcement-harness.ts';

test('a token whose lifetime is 0 is used until the service refuses it, because one for each request would be too many', async (t) => {
  const all = await harness(t, { seconds: 0 });
  for (let each = 0; each < 13; each++)
    assert.equal((await submit(all, { platform: `${each}` })).status, 200);
  assert.equal(all.auth.asked.all.length, 1);
});

test('replicas share a token that would live for 1e300 s for a day, because Redis refuses such a lifetime', async (t) => {
  const redis = await redisServer(t);
  const all = await harness(t, { seconds: 1e300, env: { SIGN_REDIS_URL: redis.url } });
  assert.equal((await submit(all)).status, 200);
  const lives = [...(await redis.lives())].filter(([key]) => key.startsWith('sign:token:'));
  assert.equal(lives.length, 1);
  assert.ok(lives[0]![1] > 80_000_000 && lives[0]![1] <= 86_400_000, `${lives[0]![1]} ms`);
});
