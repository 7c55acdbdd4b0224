// One replica's side of the Redis that a test shares: its link, with a manual clock, its log and its metric.
// - The clock stands still during a request to Redis, so no answer is late, however slow the machine is.
import type { TestContext } from 'node:test';
import type { FastifyBaseLogger } from 'fastify';
import { redisLink, type RedisLink } from '../../../proxy/redis/redis-link.ts';
import { script } from '../../../proxy/redis/redis-client.ts';
import { manualClock, type ManualClock } from '../manual-clock.ts';

/** Shorter than every wait of the link. */
const STEP_MS = 100;
const NOTHING = script(`return 0`);

export interface Replica {
  readonly link: RedisLink;
  readonly clock: ManualClock;
  /** Log lines as JSON. */
  readonly lines: string[];
  /** The values that the metric was set to. */
  readonly states: boolean[];
  /** Advances the clock, and waits for the answers of Redis meanwhile. */
  pass(ms: number): Promise<void>;
  /** Resolves when Redis can be reached (again). */
  up(): Promise<void>;
}

export async function replica(t: TestContext, url: string): Promise<Replica> {
  const clock = manualClock();
  const lines: string[] = [];
  const states: boolean[] = [];
  const line = (...said: unknown[]): void => void lines.push(JSON.stringify(said));
  const log: Pick<FastifyBaseLogger, 'info' | 'warn'> = { info: line, warn: line };
  const link = await redisLink({ url, clock, log, metrics: { redisUp: (up) => states.push(up) } });
  t.after(() => link.close());
  return {
    link,
    clock,
    lines,
    states,
    async pass(ms) {
      for (let passed = 0; passed < ms; passed += STEP_MS) {
        clock.advance(STEP_MS);
        // Redis answers in order, so all earlier commands are answered by now.
        await link.run(NOTHING, [], []);
      }
    },
    async up() {
      await link.settled;
      while (!link.isUp) {
        const before = clock.pending;
        clock.advance(STEP_MS);
        // Another timer was set, so a probe was sent, whose answer may take any time.
        do await new Promise((go) => setTimeout(go, 5));
        while (!link.isUp && clock.pending > before);
      }
    },
  };
}

/** As many replicas, with Redis there. */
export async function replicas(t: TestContext, url: string, count: number): Promise<Replica[]> {
  const all = await Promise.all(Array.from({ length: count }, () => replica(t, url)));
  // A first connection can fail on a busy machine, and then the limits are each replica's own.
  await Promise.all(all.map((one) => one.up()));
  return all;
}
