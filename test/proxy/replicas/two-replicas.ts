// Two replicas of the proxy that share a real Redis, each in front of a service of its own that only listens.
// - Time of the proxies is moved by hand, so that on a slow machine no answer of Redis is late.
// - Only what is done every so often follows the time of the system: node-redis replaces a connection without traffic for 5 s,
//   limits are not shared meanwhile, and it is the probe of each second that keeps the connection.
import type { TestContext } from 'node:test';
import { redisServer, type RedisServer } from '../../redis/redis-server.ts';
import { manualClock, type ManualClock } from '../manual-clock.ts';
import { mountedProxy, type MountedProxy } from '../mounted-proxy.ts';

export interface TwoReplicas {
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

/** Sends `count` requests at once, to both replicas in turn, and counts the answers by status. */
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
