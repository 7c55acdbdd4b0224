// The Redis that replicas share (SIGN_REDIS_URL), for as long as it is there. Policy: Redis may go at any time, and
// nobody waits for it. An answer that takes over 250 ms, a broken connection or an error of Redis' own (read-only, out of
// memory) means that it is gone: what was asked is answered null at once, nothing more is sent, and every limit is this
// process's own. Once a second a small write is tried, one at a time; when that is answered in time, Redis is there
// again. One log line and one metric for each change.
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Metrics } from '../metrics.ts';
import { kindOf, redisClient } from './redis-client.ts';
import { script, type Script } from './script.ts';

const ANSWER_MS = 250;
const PROBE_MS = 1_000;
/** How long a start waits for Redis, so that the first requests are counted together too. */
const START_MS = 1_000;

const PROBE = script(`return redis.call('SET', KEYS[1], '1', 'PX', 60000)`);

export interface RedisLink {
  /** False while limits are this process's own. */
  readonly isUp: boolean;
  /** Resolves when it is first known whether Redis is there, after 1 s at the latest. */
  readonly settled: Promise<void>;
  /** What the script returns; null when Redis is gone, or goes before it has answered. Never rejects. */
  run(what: Script, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown>;
  /** Called each time that Redis is there (again). */
  onUp(listener: () => void): void;
  /** Lets what was asked be answered, for 250 ms at most, and hangs up. */
  close(): Promise<void>;
}

export interface RedisLinkParts {
  readonly url: string;
  readonly clock: Clock;
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
  readonly metrics: Pick<Metrics, 'redisUp'>;
}

export async function redisLink({ url, clock, log, metrics }: RedisLinkParts): Promise<RedisLink> {
  /** Null until it is first known. */
  let isUp: boolean | null = null;
  let isProbing = false;
  /** Nothing more is asked: close() waits for what was. */
  let isClosing = false;
  let isClosed = false;
  /** What is waited for, and how to stop waiting. */
  const asked = new Map<() => void, Promise<unknown>>();
  const listeners: (() => void)[] = [];
  let settle: () => void = () => undefined;
  const settled = new Promise<void>((done) => (settle = done));

  const gone = (kind: string): void => {
    if (isClosed || isUp === false) return;
    isUp = false;
    log.warn({ error: kind }, 'Redis is gone: limits are this process’s own');
    metrics.redisUp(false);
    for (const giveUp of asked.keys()) giveUp();
    settle();
  };
  const there = (): void => {
    if (isClosed || isUp === true) return;
    isUp = true;
    log.info('Redis is there: limits are shared');
    metrics.redisUp(true);
    for (const listener of listeners) listener();
    settle();
  };

  /** In two halves: after the first this process has read what came while it was busy itself. */
  const whenLate = (run: () => void): (() => void) => {
    let stop = clock.after(ANSWER_MS / 2, () => {
      stop = clock.after(ANSWER_MS / 2, run);
    });
    return () => stop();
  };

  const ask: RedisLink['run'] = (what, keys, values) => {
    let giveUp: () => void = () => undefined;
    const answer = new Promise<unknown>((resolve) => {
      const stopTimer = whenLate(() => gone('late'));
      const end = (reply: unknown): void => {
        stopTimer();
        asked.delete(giveUp);
        resolve(reply);
      };
      giveUp = () => end(null);
      client.run(what, keys, values).then(end, (error: unknown) => {
        // Else it was given up already, and what became of it since says nothing of now.
        if (asked.has(giveUp)) gone(kindOf(error));
      });
    });
    asked.set(giveUp, answer);
    return answer;
  };

  const probe = (): void => {
    if (isProbing || !client.isReady) return;
    isProbing = true;
    let isLate = false;
    const stopTimer = whenLate(() => {
      isLate = true;
      gone('late');
    });
    const answered = (): void => {
      if (!isLate) there();
    };
    client
      .run(PROBE, ['sign:probe'], [])
      .then(answered, (error: unknown) => gone(kindOf(error)))
      .finally(() => {
        isProbing = false;
        stopTimer();
      });
  };

  const stopStartTimer = clock.after(START_MS, () => {
    if (isUp === null) gone('late');
  });
  const client = await redisClient(url, { ready: probe, failed: (error) => gone(kindOf(error)) });
  const stopProbing = clock.every(PROBE_MS, probe);

  return {
    get isUp() {
      return isUp === true && !isClosing;
    },
    settled,
    run: async (what, keys, values) => (isUp === true && !isClosing ? ask(what, keys, values) : null),
    onUp: (listener) => void listeners.push(listener),
    async close() {
      isClosing = true;
      stopStartTimer();
      stopProbing();
      settle();
      await Promise.all(asked.values());
      isClosed = true;
      client.destroy();
    },
  };
}
