// The announcement budget that all replicas share: the sliding windows of request-budget.ts, in Redis, and the hold that
// the service asked one of them for. Policy: exact, since one script looks at both windows and counts in both. Kept are
// the times of what was sent, at most 1,500 of all and as many again by address, which go 301 s after the last. What
// passes has to pass this process's own budget as well and is counted there, so a Redis that comes back empty gives
// nothing a second time here; while Redis is gone each process has all of it, and the service's own 429 is what holds
// them together.
import {
  BUDGET_OF_ADDRESS,
  BUDGET_REQUESTS,
  BUDGET_WINDOW_MS,
  type LocalBudget,
  type RequestBudget,
} from '../limits/request-budget.ts';
import type { RedisLink } from './redis-link.ts';
import { script } from './script.ts';

const HELD = 'sign:budget:held';

/** KEYS: of all, of the address, the hold. ARGV: limit of all, limit of the address, window in milliseconds. */
const TAKE = script(`
  local time = redis.call('TIME')
  local now = time[1] * 1000000 + time[2]
  local limits, window = { tonumber(ARGV[1]), tonumber(ARGV[2]) }, ARGV[3] * 1000
  local wait = redis.call('PTTL', KEYS[3]) * 1000
  for each = 1, 2 do
    if redis.call('LLEN', KEYS[each]) >= limits[each] then
      local oldest = tonumber(redis.call('LINDEX', KEYS[each], 0))
      wait = math.max(wait, math.min(oldest, now) + window - now)
    end
  end
  if wait > 0 then return wait end
  for each = 1, 2 do
    if redis.call('LLEN', KEYS[each]) >= limits[each] then redis.call('LPOP', KEYS[each]) end
    redis.call('RPUSH', KEYS[each], string.format('%.0f', now))
    redis.call('PEXPIRE', KEYS[each], ARGV[3])
  end
  return 0
`);

/** The longest hold counts. */
const HOLD = script(`
  if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], '1', 'PX', ARGV[1]) end
  return 0
`);

export function sharedBudget(link: RedisLink, own: LocalBudget): RequestBudget {
  return {
    take(address) {
      if (!link.isUp) return own.take(address);
      const seconds = own.wait(address);
      if (seconds > 0) return seconds;
      const keys = ['sign:budget:all', `sign:budget:of:${address}`, HELD];
      return link
        .run(TAKE, keys, [BUDGET_REQUESTS, BUDGET_OF_ADDRESS, BUDGET_WINDOW_MS])
        .then((wait) => (typeof wait === 'number' && wait > 0 ? wait / 1_000_000 : own.take(address)));
    },
    hold(seconds) {
      own.hold(seconds);
      if (seconds > 0) void link.run(HOLD, [HELD], [Math.ceil(seconds * 1000)]);
    },
  };
}
