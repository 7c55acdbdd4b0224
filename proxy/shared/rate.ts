// A rate a minute that all replicas share: the token bucket of client-rate.ts, in Redis. Policy: exact, since the
// script looks and takes in one step. Kept is one number a bucket, the time at which it is full again, in whole
// microseconds so that no rounding takes one away; the key goes when the bucket is full. This process's own bucket,
// from which each one that passes is taken as well, has to let it pass too: when Redis goes, or comes back empty,
// nobody gets a second helping here.
import type { ClientRate, LocalRate } from '../limits/client-rate.ts';
import type { RedisLink } from './redis-link.ts';
import { script } from './script.ts';

const MINUTE_US = 60_000_000;

/** ARGV: microseconds that one takes to fill, microseconds that a whole bucket takes. */
const TAKE = script(`
  local time = redis.call('TIME')
  local now = time[1] * 1000000 + time[2]
  local one, whole = tonumber(ARGV[1]), tonumber(ARGV[2])
  local full = tonumber(redis.call('GET', KEYS[1]) or '0')
  -- Not later than a whole bucket from now: Redis' clock may have been set back.
  full = math.max(now, math.min(full, now + whole)) + one
  if full > now + whole then return full - now - whole end
  redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX', math.ceil((full - now) / 1000))
  return 0
`);

/** `name` says what is counted, `own` counts it in this process. Keys of `name` are an address, or what else is limited. */
export function sharedRate(link: RedisLink, name: string, perMinute: number, own: LocalRate): ClientRate {
  const one = Math.floor(MINUTE_US / perMinute);
  return (key) => {
    if (!link.isUp) return own(key);
    const seconds = own.wait(key);
    if (seconds > 0) return seconds;
    return link
      .run(TAKE, [`sign:rate:${name}:${key}`], [one, one * perMinute])
      .then((wait) => (typeof wait === 'number' && wait > 0 ? wait / 1_000_000 : own(key)));
  };
}
