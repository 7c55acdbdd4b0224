// How many requests the announcement API allows (document 1, Limits): 1,500 in any 5 minutes, for all clients
// together.
// - a sliding window of 301 s: requests sent 5 minutes apart may arrive closer. Every request counts, repeated ones
//   too.
// - one client address has a third of it. When the service answers 429 nevertheless, nothing is sent while it asks.
// - shared by replicas it is exact: one script checks and counts both windows, as lists of times (at most 1,500) that
//   expire 301 s after the last.
// - a shared request also counts in the local budget, so that a Redis that comes back empty gives nothing twice.
//   While Redis is down each process has the whole budget, and the service's own 429 limits them.
import type { Clock } from '../clock.ts';
import { script } from '../redis/redis-client.ts';
import type { RedisLink } from '../redis/redis-link.ts';

const BUDGET_REQUESTS = 1_500;
const BUDGET_OF_ADDRESS = BUDGET_REQUESTS / 3;
const BUDGET_WINDOW_MS = 301_000;

export interface AnnouncementBudget {
  /**
   * Counts one request of `address`: 0 when it may be sent now, else the seconds until it may. A promise where replicas
   * share the budget.
   */
  take(address: string): number | Promise<number>;
  /** Nothing more is sent for these seconds. */
  hold(seconds: number): void;
}

export interface LocalBudget extends AnnouncementBudget {
  take(address: string): number;
  /** The same without counting the request. */
  wait(address: string): number;
}

export function announcementBudget(clock: Clock): LocalBudget {
  const ofAll = slidingWindow(BUDGET_REQUESTS);
  const ofAddress = new Map<string, SlidingWindow>();
  let heldUntil = -Infinity;

  const windowOf = (address: string, now: number): SlidingWindow => {
    let window = ofAddress.get(address);
    if (!window) {
      // More addresses than the budget has requests: some of them have none left in the window.
      if (ofAddress.size >= BUDGET_REQUESTS) {
        for (const [known, { emptyAt }] of ofAddress) if (emptyAt() <= now) ofAddress.delete(known);
      }
      window = slidingWindow(BUDGET_OF_ADDRESS);
      ofAddress.set(address, window);
    }
    return window;
  };

  const wait = (address: string): number => {
    const addressFreeAt = ofAddress.get(address)?.freeAt() ?? -Infinity;
    const from = Math.max(ofAll.freeAt(), addressFreeAt, heldUntil);
    return Math.max(0, (from - clock.now()) / 1000);
  };

  return {
    wait,
    take(address) {
      const seconds = wait(address);
      if (seconds > 0) return seconds;
      const now = clock.now();
      ofAll.add(now);
      windowOf(address, now).add(now);
      return 0;
    },
    hold(seconds) {
      heldUntil = Math.max(heldUntil, clock.now() + seconds * 1000);
    },
  };
}

interface SlidingWindow {
  /** When one more request may be sent. */
  freeAt(): number;
  /** When no request counts any more. */
  emptyAt(): number;
  add(now: number): void;
}

/** The times of the latest `limit` requests. */
function slidingWindow(limit: number): SlidingWindow {
  const sent: number[] = [];
  /** Index of the oldest time, once there are `limit` of them. */
  let oldest = 0;
  let latest = -Infinity;
  return {
    freeAt: () => (sent.length < limit ? -Infinity : (sent[oldest] ?? -Infinity) + BUDGET_WINDOW_MS),
    emptyAt: () => latest + BUDGET_WINDOW_MS,
    add(now) {
      sent[oldest] = now;
      oldest = (oldest + 1) % limit;
      latest = now;
    },
  };
}

const HELD = 'sign:budget:held';

/**
 * KEYS: times of all, times of the address, the hold. ARGV: limit of all, limit of the address, window in
 * milliseconds.
 */
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

/** KEYS: the hold. ARGV: its milliseconds. The longest hold counts. */
const HOLD = script(`
  if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], '1', 'PX', ARGV[1]) end
  return 0
`);

export function sharedBudget(link: RedisLink, local: LocalBudget): AnnouncementBudget {
  return {
    take(address) {
      if (!link.isUp) return local.take(address);
      const seconds = local.wait(address);
      if (seconds > 0) return seconds;
      const keys = ['sign:budget:all', `sign:budget:of:${address}`, HELD];
      return link
        .run(TAKE, keys, [BUDGET_REQUESTS, BUDGET_OF_ADDRESS, BUDGET_WINDOW_MS])
        .then((wait) => (typeof wait === 'number' && wait > 0 ? wait / 1_000_000 : local.take(address)));
    },
    hold(seconds) {
      local.hold(seconds);
      if (seconds > 0) void link.run(HOLD, [HELD], [Math.ceil(seconds * 1000)]);
    },
  };
}
