// Rates a minute of one client address: frames on its sockets (SIGN_MESSAGES_PER_MINUTE), HTTP requests
// (SIGN_REQUESTS_PER_MINUTE), and of these the paid ones (SIGN_GENERATES_PER_MINUTE).
// - A token bucket with the tokens of one minute that fills evenly: a page may send a whole article at once. An IPv6 client
//   takes from the buckets of the networks around it too (sharesOf): all of them have a token, or none is taken.
// - Buckets outlive sockets, so that reconnecting does not fill them. Full ones are dropped once a minute, because each site has
//   its own for each address. At most 10,000 are kept. At that number full ones are dropped once a second; if that makes no room,
//   the CLOCK algorithm drops one that was not used since its last look. An exact order of use would cost time at each frame.
// - A shared rate is exact: one script reads and takes. Redis holds one number a bucket, the time in microseconds at
//   which the bucket is full; the key expires then.
// - A shared request also takes from the local bucket, so that a Redis that comes back empty does not fill it.
// - rate-limiter-flexible is not used: it counts in fixed windows, so that twice the rate passes around the end of a window.
import type { Clock } from '../clock.ts';
import { script } from '../redis/redis-client.ts';
import type { RedisLink } from '../redis/redis-link.ts';
import { isInNetworks, type Share, sharesOf } from './client-address.ts';

export class TokenBucket {
  /** Whether clientRate() has used it since it was added or last passed over. */
  wasUsed = false;
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
  take(now = this.clock.now()): number {
    const seconds = this.wait(now);
    if (seconds === 0) this.tokens -= 1;
    return seconds;
  }

  /** The same without taking the token. */
  wait(now = this.clock.now()): number {
    this.fill(now);
    return this.tokens >= 1 ? 0 : ((1 - this.tokens) * 60) / this.perMinute;
  }

  isFull(): boolean {
    this.fill(this.clock.now());
    return this.tokens >= this.perMinute;
  }

  private fill(now: number): void {
    this.tokens = Math.min(this.perMinute, this.tokens + ((now - this.filledAt) / 60_000) * this.perMinute);
    this.filledAt = now;
  }
}

const MAX_BUCKETS = 10_000;
const SWEEP_EVERY_MS = 60_000;
/** While there are MAX_BUCKETS. */
const SWEEP_FULL_EVERY_MS = 1_000;

/** Takes a token of an address: 0 when it may pass, else the seconds to wait. A promise where replicas share it. */
export type ClientRate = (address: string) => number | Promise<number>;

/** The rate of this process alone. */
interface LocalRate {
  (address: string): number;
  /** The same without taking the token. */
  wait(address: string): number;
}

export function clientRate(perMinute: number, clock: Clock): LocalRate {
  const buckets = new Map<string, TokenBucket>();
  let sweptAt = -Infinity;

  const sweep = (everyMs: number): void => {
    if (clock.now() - sweptAt < everyMs) return;
    sweptAt = clock.now();
    for (const [address, bucket] of buckets) if (bucket.isFull()) buckets.delete(address);
  };
  const makeRoom = (): void => {
    sweep(SWEEP_FULL_EVERY_MS);
    for (const [network, bucket] of buckets) {
      if (buckets.size < MAX_BUCKETS) return;
      buckets.delete(network);
      if (bucket.wasUsed) buckets.set(network, bucket);
      bucket.wasUsed = false;
    }
  };

  const bucketOf = ([network, times]: Share): TokenBucket => {
    const known = buckets.get(network);
    if (known !== undefined) return known;
    if (buckets.size >= MAX_BUCKETS) makeRoom();
    else sweep(SWEEP_EVERY_MS);
    const bucket = new TokenBucket(perMinute * times, clock);
    buckets.set(network, bucket);
    return bucket;
  };

  /**
   * A refused request adds no bucket, so that it removes no other client's. The clock is read once for all known buckets, because
   * every frame comes here.
   */
  const take = (address: string): number => {
    const now = clock.now();
    const bucket = buckets.get(address);
    if (bucket !== undefined && !isInNetworks(address)) {
      bucket.wasUsed = true;
      return bucket.take(now);
    }
    const shares = sharesOf(address);
    const seconds = longest(shares, (network) => {
      const bucket = buckets.get(network);
      if (bucket === undefined) return 0;
      bucket.wasUsed = true;
      return bucket.wait(now);
    });
    if (seconds > 0) return seconds;
    for (const share of shares) bucketOf(share).take(now);
    return 0;
  };
  const wait = (address: string): number =>
    longest(sharesOf(address), (network) => buckets.get(network)?.wait() ?? 0);
  return Object.assign(take, { wait });
}

/** The longest wait of any of these networks. */
function longest(shares: readonly Share[], waitOf: (network: string) => number): number {
  let seconds = 0;
  for (const [network] of shares) seconds = Math.max(seconds, waitOf(network));
  return seconds;
}

const MINUTE_US = 60_000_000;

/** ARGV: for each key the microseconds until one token is filled, and until the whole bucket is. */
const TAKE = script(`
  local time = redis.call('TIME')
  local now = time[1] * 1000000 + time[2]
  local fulls, wait = {}, 0
  for each = 1, #KEYS do
    local token, whole = tonumber(ARGV[2 * each - 1]), tonumber(ARGV[2 * each])
    local full = tonumber(redis.call('GET', KEYS[each]) or '0')
    -- At most a whole bucket from now: the clock of Redis may have been set back.
    fulls[each] = math.max(now, math.min(full, now + whole)) + token
    wait = math.max(wait, fulls[each] - now - whole)
  end
  if wait > 0 then return wait end
  for each = 1, #KEYS do
    local life = math.ceil((fulls[each] - now) / 1000)
    redis.call('SET', KEYS[each], string.format('%.0f', fulls[each]), 'PX', life)
  end
  return 0
`);

/** `name` is a part of the keys in Redis. `local` counts the same in this process. */
export function sharedRate(link: RedisLink, name: string, perMinute: number, local: LocalRate): ClientRate {
  const fillTimes = (times: number): readonly [tokenUs: number, wholeUs: number] => {
    const tokenUs = Math.floor(MINUTE_US / (perMinute * times));
    return [tokenUs, tokenUs * perMinute * times];
  };
  return (key) => {
    if (!link.isUp) return local(key);
    const seconds = local.wait(key);
    if (seconds > 0) return seconds;
    const shares = sharesOf(key);
    const keys = shares.map(([network]) => `sign:rate:${name}:${network}`);
    return link
      .run(
        TAKE,
        keys,
        shares.flatMap(([, times]) => fillTimes(times)),
      )
      .then((wait) => (typeof wait === 'number' && wait > 0 ? wait / 1_000_000 : local(key)));
  };
}
