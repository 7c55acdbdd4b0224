// Tells whether the Redis that replicas share (SIGN_REDIS_URL) answers, and runs scripts on it while it does. No request waits
// longer for it than 250 ms.
// - A response after 250 ms, a broken connection or an error of Redis (read-only, out of memory) counts as down:
//   pending scripts resolve with null at once, nothing more is sent, and every limit is local to this process.
// - Once a second a small write probes it; when that is answered in time, Redis is up again.
// - One log line and one metric for each change.
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Metrics } from '../metrics.ts';
import { kindOf, redisClient, script, type Script } from './redis-client.ts';

const ANSWER_MS = 250;
const PROBE_MS = 1_000;
/** How long the start waits for Redis, so that the first requests are counted together too. */
const START_MS = 1_000;

const PROBE = script(`return redis.call('SET', KEYS[1], '1', 'PX', 60000)`);

export interface RedisLink {
  /** False while limits are local to this process. */
  readonly isUp: boolean;
  /** Resolves when it is known whether Redis is up, after 1 s at the latest. */
  readonly settled: Promise<void>;
  /** Returns the result of the script; null when Redis is down or goes down before it answers. Never rejects. */
  run(script: Script, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown>;
  /** Calls the listener each time that Redis comes up; the returned function ends that. */
  onUp(listener: () => void): () => void;
  /** Waits at most 250 ms for pending scripts, and disconnects. */
  close(): Promise<void>;
}

interface RedisLinkDeps {
  readonly url: string;
  readonly clock: Clock;
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
  readonly metrics: Pick<Metrics, 'redisUp'>;
}

export async function redisLink({ url, clock, log, metrics }: RedisLinkDeps): Promise<RedisLink> {
  /** Null until it is known for the first time. */
  let isUp: boolean | null = null;
  let isProbing = false;
  /** No new scripts are sent: close() waits for the pending ones. */
  let isClosing = false;
  let isClosed = false;
  /** A function for each pending script, which gives it up. */
  const pending = new Map<() => void, Promise<unknown>>();
  const listeners = new Set<() => void>();
  let settle: () => void = () => undefined;
  const settled = new Promise<void>((done) => (settle = done));

  const setDown = (kind: string): void => {
    if (isClosed || isUp === false) return;
    isUp = false;
    log.warn({ error: kind }, 'Redis is gone: limits are this process’s own');
    metrics.redisUp(false);
    for (const giveUp of pending.keys()) giveUp();
    settle();
  };
  const setUp = (): void => {
    if (isClosed || isUp === true) return;
    isUp = true;
    log.info('Redis is there: limits are shared');
    metrics.redisUp(true);
    for (const listener of listeners) listener();
    settle();
  };

  /** Waits in two halves: a response that arrived while this process was busy is read between them. */
  const whenLate = (run: () => void): (() => void) => {
    let stop = clock.after(ANSWER_MS / 2, () => {
      stop = clock.after(ANSWER_MS / 2, run);
    });
    return () => stop();
  };

  const send: RedisLink['run'] = (script, keys, values) => {
    let giveUp: () => void = () => undefined;
    const answer = new Promise<unknown>((resolve) => {
      const stopTimer = whenLate(() => setDown('late'));
      const end = (reply: unknown): void => {
        stopTimer();
        pending.delete(giveUp);
        resolve(reply);
      };
      giveUp = () => end(null);
      client.run(script, keys, values).then(end, (error: unknown) => {
        // An error of a script that was given up does not mean that Redis is down now.
        if (pending.has(giveUp)) setDown(kindOf(error));
      });
    });
    pending.set(giveUp, answer);
    return answer;
  };

  const probe = (): void => {
    if (isProbing || !client.isReady) return;
    isProbing = true;
    let isLate = false;
    const stopTimer = whenLate(() => {
      isLate = true;
      setDown('late');
    });
    const answered = (): void => {
      if (!isLate) setUp();
    };
    client
      .run(PROBE, ['sign:probe'], [])
      .then(answered, (error: unknown) => setDown(kindOf(error)))
      .finally(() => {
        isProbing = false;
        stopTimer();
      });
  };

  const stopStartTimer = clock.after(START_MS, () => {
    if (isUp === null) setDown('late');
  });
  const client = await redisClient(url, { ready: probe, failed: (error) => setDown(kindOf(error)) });
  const stopProbing = clock.every(PROBE_MS, probe);

  return {
    get isUp() {
      return isUp === true && !isClosing;
    },
    settled,
    run: async (script, keys, values) => (isUp === true && !isClosing ? send(script, keys, values) : null),
    onUp(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      isClosing = true;
      stopStartTimer();
      stopProbing();
      settle();
      await Promise.all(pending.values());
      isClosed = true;
      client.destroy();
    },
  };
}
