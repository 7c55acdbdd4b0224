// Tells whether the Redis that replicas share (SIGN_REDIS_URL) answers, and runs scripts on it while it does. No request waits
// longer for it than 250 ms.
// - A response after 250 ms, a broken connection or an error of Redis (read-only, out of memory) counts as down:
//   pending scripts resolve with null at once, nothing more is sent, and every limit is local to this process.
// - Once a second a small write probes it; when that is answered in time, Redis is up again.
// - One log line and one metric for each change.
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Metrics } from '../metrics.ts';
import {
  kindOf,
  type RedisClient,
  redisConnector,
  type RedisConnector,
  script,
  type Script,
} from './redis-client.ts';

const ANSWER_MS = 250;
const PROBE_MS = 1_000;
/** How long the start waits for Redis, so that the first requests are counted together too. */
const START_MS = 1_000;

const PROBE = script(`return redis.call('SET', KEYS[1], '1', 'PX', 60000)`);
/** Two keys, as in most scripts: a cluster refuses keys of different slots (`CROSSSLOT`), so it counts as down. */
const PROBE_KEYS = ['sign:probe', 'sign:probe:by'];

export interface RedisLink {
  /** False while limits are local to this process. */
  readonly isUp: boolean;
  /** When Redis last came up, by the clock: it may have lost its data before, also where that was the first time. */
  readonly cameUpAt: number;
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

export const redisLink = async (deps: RedisLinkDeps): Promise<RedisLink> =>
  new Link(deps, await redisConnector());

class Link implements RedisLink {
  readonly settled: Promise<void>;
  readonly #deps: RedisLinkDeps;
  readonly #client: RedisClient;
  #settle: () => void = () => undefined;
  /** Null until it is known for the first time. */
  #isUp: boolean | null = null;
  #cameUpAt = -Infinity;
  #isProbing = false;
  /** No new scripts are sent: close() waits for the pending ones. */
  #isClosing = false;
  #isClosed = false;
  /** A function for each pending script, which gives it up. */
  readonly #pending = new Map<() => void, Promise<unknown>>();
  readonly #listeners = new Set<() => void>();
  /** What ends with the link. */
  readonly #stops: readonly (() => void)[];

  constructor(deps: RedisLinkDeps, connect: RedisConnector) {
    const { url, clock } = deps;
    this.#deps = deps;
    this.settled = new Promise<void>((done) => (this.#settle = done));
    const notInTime = (): void => {
      if (this.#isUp === null) this.#setDown('late');
    };
    this.#client = connect(url, clock, {
      ready: () => this.#probe(),
      failed: (error) => this.#setDown(kindOf(error)),
    });
    this.#stops = [clock.after(START_MS, notInTime), clock.every(PROBE_MS, () => this.#probe())];
  }

  get isUp(): boolean {
    return this.#isUp === true && !this.#isClosing;
  }

  get cameUpAt(): number {
    return this.#cameUpAt;
  }

  async run(script: Script, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown> {
    return this.isUp ? this.#send(script, keys, values) : null;
  }

  onUp(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    for (const stop of this.#stops) stop();
    this.#settle();
    await Promise.all(this.#pending.values());
    this.#isClosed = true;
    this.#client.destroy();
  }

  #setUp(): void {
    if (this.#isClosed || this.#isUp === true) return;
    this.#cameUpAt = this.#deps.clock.now();
    this.#isUp = true;
    this.#deps.log.info('Redis is there: limits are shared');
    this.#deps.metrics.redisUp(true);
    for (const listener of this.#listeners) listener();
    this.#settle();
  }

  #setDown(kind: string): void {
    if (this.#isClosed || this.#isUp === false) return;
    this.#isUp = false;
    this.#deps.log.warn({ error: kind }, 'Redis is gone: limits are this process’s own');
    this.#deps.metrics.redisUp(false);
    for (const giveUp of this.#pending.keys()) giveUp();
    this.#settle();
  }

  #send(script: Script, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown> {
    let giveUp: () => void = () => undefined;
    const answer = new Promise<unknown>((resolve) => {
      const stopTimer = this.#whenLate(() => this.#setDown('late'));
      const end = (reply: unknown): void => {
        stopTimer();
        this.#pending.delete(giveUp);
        resolve(reply);
      };
      giveUp = () => end(null);
      this.#client.run(script, keys, values).then(end, (error: unknown) => {
        // An error of a script that was given up does not mean that Redis is down now.
        if (this.#pending.has(giveUp)) this.#setDown(kindOf(error));
      });
    });
    this.#pending.set(giveUp, answer);
    return answer;
  }

  #probe(): void {
    if (this.#isProbing || !this.#client.isReady) return;
    this.#isProbing = true;
    let isLate = false;
    const stopTimer = this.#whenLate(() => {
      isLate = true;
      this.#setDown('late');
    });
    const answered = (): void => {
      if (!isLate) this.#setUp();
    };
    this.#client
      .run(PROBE, PROBE_KEYS, [])
      .then(answered, (error: unknown) => this.#setDown(kindOf(error)))
      .finally(() => {
        this.#isProbing = false;
        stopTimer();
      });
  }

  /** Waits in two halves: a response that arrived while this process was busy is read between them. */
  #whenLate(run: () => void): () => void {
    const { clock } = this.#deps;
    let stop = clock.after(ANSWER_MS / 2, () => {
      stop = clock.after(ANSWER_MS / 2, run);
    });
    return () => stop();
  }
}
