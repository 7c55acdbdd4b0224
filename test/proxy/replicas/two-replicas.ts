// Two replicas of the proxy that share a real Redis, each in front of a service of its own that only listens.
// - The proxies have a manual clock, so that no answer of Redis is late on a slow machine.
// - Only the probe of each second uses the system's clock: node-redis replaces a connection that has no traffic for 5 s, and
//   limits are not shared meanwhile.
import type { TestContext } from 'node:test';
import { redisServer, type RedisServer } from '../../redis/redis-server.ts';
import { manualClock, type ManualClock } from '../manual-clock.ts';
import { mountedProxy, type MountedProxy } from '../mounted-proxy.ts';

interface TwoReplicas {
  readonly redis: RedisServer;
  readonly both: readonly [MountedProxy, MountedProxy];
}

function clockOfReplica(): ManualClock {
  return Object.assign(manualClock(), {
    every(ms: number, run: () => void) {
      const timer = setInterval(run, ms);
      return () => clearInterval(timer);
    },
  });
}

export async function twoReplicas(t: TestContext, env: Record<string, string>): Promise<TwoReplicas> {
  const redis = await redisServer(t);
  const one = (): Promise<MountedProxy> =>
    mountedProxy(t, { env: { ...env, SIGN_REDIS_URL: redis.url }, clock: clockOfReplica() });
  return { redis, both: [await one(), await one()] };
}

/** Sends `count` requests at once, to the two replicas alternately, and counts the answers by status. */
export async function statusesOf(
  both: readonly [MountedProxy, MountedProxy],
  count: number,
  ask: (replica: MountedProxy) => Promise<Response>,
): Promise<Map<number, number>> {
  const answers = Array.from({ length: count }, async (_, n) => {
    const response = await ask(both[n % 2 === 0 ? 0 : 1]);
    await response.arrayBuffer();
    return response.status;
  });
  const counts = new Map<number, number>();
  for (const status of await Promise.all(answers)) counts.set(status, (counts.get(status) ?? 0) + 1);
  return counts;
}
