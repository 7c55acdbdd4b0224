// The ids of announcements that replicas share: a Redis that has lost them loses no page its video.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { announcementIds, sharedIds } from '../../../proxy/limits/announcement-ids.ts';
import { redisServer } from '../../redis/redis-server.ts';
import { until } from '../../until.ts';
import { replicas, type Replica } from './replica.ts';

test('for ten minutes after a Redis came back empty, an unknown id may be that of another replica', async (t) => {
  const redis = await redisServer(t);
  const sides = await replicas(t, redis.url, 2);
  const [one, other] = sides as [Replica, Replica];
  const [ids, ofOther] = [one, other].map(({ link, clock }) =>
    sharedIds(link, announcementIds(clock), clock),
  ) as [ReturnType<typeof sharedIds>, ReturnType<typeof sharedIds>];
  await other.pass(600_000);
  await ids.add('request-1');
  assert.equal(await ofOther.get('request-2'), 'unknown');
  await redis.kill();
  for (const { link } of sides) await until(() => !link.isUp);
  await redis.start();
  for (const side of sides) await side.up();
  assert.equal(await ofOther.get('request-1'), 'uncertain');
  await ofOther.add('request-1');
  assert.equal(await ofOther.get('request-1'), 'known');
  await other.pass(600_000);
  assert.equal(await ofOther.get('request-2'), 'unknown');
});

test('for ten minutes after replicas were started, an unknown id may be one from before, because their Redis may have restarted with them', async (t) => {
  const redis = await redisServer(t);
  const [{ link, clock, pass }] = (await replicas(t, redis.url, 1)) as [Replica];
  const ids = sharedIds(link, announcementIds(clock), clock);
  assert.equal(await ids.get('request-1'), 'uncertain');
  await pass(600_000);
  assert.equal(await ids.get('request-1'), 'unknown');
});
