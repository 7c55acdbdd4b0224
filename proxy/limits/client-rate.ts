// Rates a minute of one client address: frames on its sockets (SIGN_MESSAGES_PER_MINUTE), HTTP requests
// (SIGN_REQUESTS_PER_MINUTE), and of these the paid ones (SIGN_GENERATES_PER_MINUTE).
// - a token bucket with the tokens of one minute that fills evenly: a page may send a whole article at once.
// - buckets outlive sockets, so that reconnecting does not fill them. At most 10,000 are kept: full ones are dropped
//   first (searched for at most once a second), then the least recently used.
// - a shared rate is exact: one script reads and takes. Redis holds one number a bucket, the time in microseconds at
//   which the bucket is full; the key expires then.
// - a shared request also takes from the local bucket, so that a Redis that comes back empty does not fill it.
// - not rate-limiter-flexible: it counts in fixed windows, so that two full rates fit on both sides of a window's end.
import type { Clock } from '../clock.ts';
import { script } from '../redis/redis-client.ts';
import type { RedisLink } from '../redis/redis-link.ts';

export class TokenBucket {
  private tokens: number;
  private filledAt: number;
  private readonly perMinute: number;
  private readonly clock: Clock;

  constructor(perMinute: number, clock: Clock) {
    this.perMinute = perMinute;
    this.clock = clock;
    this.tokens = perMinute;
    this.filledAt = clock.now();
  }

  /** Takes a token: 0 when there was one, else the seconds until there is one. */
  take(): number {
    const seconds = this.wait();
    if (seconds === 0) this.tokens -= 1;
    return seconds;
  }

  /** The same without taking the token. */
  wait(): number {
    this.fill();
    return this.tokens >= 1 ? 0 : ((1 - this.tokens) * 60) / this.perMinute;
  }

  isFull(): boolean {
    this.fill();
    return this.tokens >= this.perMinute;
  }

  private fill(): void {
    const now = this.clock.now();
    this.tokens = Math.min(this.perMinute, this.tokens + ((now - this.filledAt) / 60_000) * this.perMinute);
    this.filledAt = now;
  }
}

const MAX_BUCKETS = 10_000;
const SWEEP_EVERY_MS = 1_000;

/** Takes a token of an address: 0 when it may pass, else the seconds to wait. A promise where replicas share it. */
export type ClientRate = (address: string) => number | Promise<number>;

/** The rate of this process alone. */
interface LocalRate {
  (address: string): number;
  /** The same without taking the token. */
  wait(address: string): number;
}

export function clientRate(perMinute: number, clock: Clock): LocalRate {
  /** The least recently used bucket comes first. */
  const buckets = new Map<string, TokenBucket>();
  let sweptAt = -Infinity;

  const makeRoom = (): void => {
    if (clock.now() - sweptAt >= SWEEP_EVERY_MS) {
      sweptAt = clock.now();
      for (const [address, bucket] of buckets) if (bucket.isFull()) buckets.delete(address);
    }
    const first = buckets.keys().next();
    if (buckets.size >= MAX_BUCKETS && !first.done) buckets.delete(first.value);
  };

  const take = (address: string): number => {
    let bucket = buckets.get(address);
    if (bucket) {
      buckets.delete(address);
    } else {
      if (buckets.size >= MAX_BUCKETS) makeRoom();
      bucket = new TokenBucket(perMinute, clock);
    }
    buckets.set(address, bucket);
    return bucket.take();
  };
  return Object.assign(take, { wait: (address: string) => buckets.get(address)?.wait() ?? 0 });
}

const MINUTE_US = 60_000_000;

/** ARGV: microseconds until one token is filled, and until the whole bucket is. */
const TAKE = script(`
  local time = redis.call('TIME')
  local now = time[1] * 1000000 + time[2]
  local token, whole = tonumber(ARGV[1]), tonumber(ARGV[2])
  local full = tonumber(redis.call('GET', KEYS[1]) or '0')
  -- At most a whole bucket from now: the clock of Redis may have been set back.
  full = math.max(now, math.min(full, now + whole)) + token
  if full > now + whole then return full - now - whole end
  redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX', math.ceil((full - now) / 1000))
  return 0
`);

/**
 * `name` is what is counted, `local` counts it in this process, and its keys are addresses or whatever else is
 * limited.
 */
export function sharedRate(link: RedisLink, name: string, perMinute: number, local: LocalRate): ClientRate {
  const tokenUs = Math.floor(MINUTE_US / perMinute);
  return (key) => {
    if (!link.isUp) return local(key);
    const seconds = local.wait(key);
    if (seconds > 0) return seconds;
    return link
      .run(TAKE, [`sign:rate:${name}:${key}`], [tokenUs, tokenUs * perMinute])
      .then((wait) => (typeof wait === 'number' && wait > 0 ? wait / 1_000_000 : local(key)));
  };
}
