// How many requests the announcement API allows (document 1, Limits): 1,500 in any 5 minutes, for all clients
// together.
// - A sliding window of 301 s: requests sent 5 minutes apart may arrive closer. Every request counts, repeated ones
//   too. The last 300 are for submits: look-ups cannot use up what new announcements need.
// - Each network around a client has a limit of its own too (NETWORK_LIMITS), so that a host that has a whole /48 of IPv6
//   does not use up the budget. When the service answers 429 nevertheless, nothing is sent for the time that it names.
// - Shared by replicas it is exact: one script checks and counts all windows, as lists of times (at most 1,500) that
//   expire 301 s after the last.
// - A shared request also counts in the local budget, so that a Redis that comes back empty gives nothing twice.
//   While Redis is down each process has the whole budget, and the service's own 429 limits them.
import type { Clock } from '../clock.ts';
import { script } from '../redis/redis-client.ts';
import type { RedisLink } from '../redis/redis-link.ts';

const BUDGET_REQUESTS = 1_500;
const BUDGET_OF_LOOK_UPS = 1_200;
/** The limit of a network by the length of its prefix; an address and a /64 have ADDRESS_LIMIT. */
const NETWORK_LIMITS: Readonly<Record<string, number>> = { 56: 225, 48: 300, 24: 300 };
const ADDRESS_LIMIT = 150;
const BUDGET_WINDOW_MS = 301_000;

type AnnouncementRequestKind = 'submit' | 'look-up';

export interface AnnouncementBudget {
  /**
   * Counts one request of a client with these networks: 0 when it may be sent now, else the seconds until it may. A
   * promise where replicas share the budget.
   */
  take(networks: readonly string[], kind: AnnouncementRequestKind): number | Promise<number>;
  /** Nothing more is sent for these seconds. */
  hold(seconds: number): void;
}

export interface LocalBudget extends AnnouncementBudget {
  take(networks: readonly string[], kind: AnnouncementRequestKind): number;
  /** The same without counting the request. */
  wait(networks: readonly string[], kind: AnnouncementRequestKind): number;
}

/** The name that all look-ups of uncertain ids (announcement-ids.ts) are counted for; together they have ADDRESS_LIMIT. */
const UNCERTAIN = 'uncertain ids';
/** A network has a third of its limit for them: otherwise one address that guesses ids would use up those of all. */
const PART_OF_NETWORK = 3;

/** What a look-up of an uncertain id is counted for besides the networks of its client. */
export const uncertainNames = (networks: readonly string[]): readonly string[] => [
  UNCERTAIN,
  ...networks.map((network) => `${UNCERTAIN} of ${network}`),
];

const limitOf = (name: string): number => {
  const bits = name.split('/')[1];
  const limit = (bits === undefined ? undefined : NETWORK_LIMITS[bits]) ?? ADDRESS_LIMIT;
  return name.startsWith(`${UNCERTAIN} of `) ? limit / PART_OF_NETWORK : limit;
};

const limitOfAll = (kind: AnnouncementRequestKind): number =>
  kind === 'submit' ? BUDGET_REQUESTS : BUDGET_OF_LOOK_UPS;

export function announcementBudget(clock: Clock): LocalBudget {
  const ofAll = slidingWindow(BUDGET_REQUESTS);
  const ofNetwork = new Map<string, SlidingWindow>();
  let heldUntil = -Infinity;

  const windowOf = (network: string, now: number): SlidingWindow => {
    let window = ofNetwork.get(network);
    if (!window) {
      // At most 1,500 requests are in the window. Each counts in three networks, and at most 150 of them count in four more. If
      // there are more networks, some are empty.
      if (ofNetwork.size >= 4 * BUDGET_REQUESTS) {
        for (const [known, { emptyAt }] of ofNetwork) if (emptyAt() <= now) ofNetwork.delete(known);
      }
      window = slidingWindow(limitOf(network));
      ofNetwork.set(network, window);
    }
    return window;
  };

  const wait: LocalBudget['wait'] = (networks, kind) => {
    const networksFreeAt = networks.map((network) => ofNetwork.get(network)?.freeAt() ?? -Infinity);
    const from = Math.max(ofAll.freeAt(limitOfAll(kind)), ...networksFreeAt, heldUntil);
    return Math.max(0, (from - clock.now()) / 1000);
  };

  return {
    wait,
    take(networks, kind) {
      const seconds = wait(networks, kind);
      if (seconds > 0) return seconds;
      const now = clock.now();
      ofAll.add(now);
      for (const network of networks) windowOf(network, now).add(now);
      return 0;
    },
    hold(seconds) {
      heldUntil = Math.max(heldUntil, clock.now() + seconds * 1000);
    },
  };
}

interface SlidingWindow {
  /** When one more request may be sent; `limit` is the window's own or less. */
  freeAt(limit?: number): number;
  /** When no request counts any more. */
  emptyAt(): number;
  add(now: number): void;
}

/** The times of the latest `size` requests. */
function slidingWindow(size: number): SlidingWindow {
  const sent: number[] = [];
  /** Index of the next time: of the oldest one, once there are `size` of them. */
  let next = 0;
  let latest = -Infinity;
  return {
    freeAt(limit = size) {
      if (sent.length < limit) return -Infinity;
      return (sent[(next - limit + size) % size] ?? -Infinity) + BUDGET_WINDOW_MS;
    },
    emptyAt: () => latest + BUDGET_WINDOW_MS,
    add(now) {
      sent[next] = now;
      next = (next + 1) % size;
      latest = now;
    },
  };
}

const HELD = 'sign:budget:held';

/** KEYS: the hold, times of all, times of each network. ARGV: window in milliseconds, size of the whole, limit of each. */
const TAKE = script(`
  local time = redis.call('TIME')
  local now = time[1] * 1000000 + time[2]
  local window = ARGV[1] * 1000
  local wait = redis.call('PTTL', KEYS[1]) * 1000
  for each = 2, #KEYS do
    local count, limit = redis.call('LLEN', KEYS[each]), tonumber(ARGV[each + 1])
    if count >= limit then
      local oldest = tonumber(redis.call('LINDEX', KEYS[each], count - limit))
      wait = math.max(wait, math.min(oldest, now) + window - now)
    end
  end
  if wait > 0 then return wait end
  for each = 2, #KEYS do
    redis.call('RPUSH', KEYS[each], string.format('%.0f', now))
    redis.call('LTRIM', KEYS[each], each == 2 and -ARGV[2] or -ARGV[each + 1], -1)
    redis.call('PEXPIRE', KEYS[each], ARGV[1])
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
    take(networks, kind) {
      if (!link.isUp) return local.take(networks, kind);
      const seconds = local.wait(networks, kind);
      if (seconds > 0) return seconds;
      const keys = [HELD, 'sign:budget:all', ...networks.map((network) => `sign:budget:of:${network}`)];
      const limits = [limitOfAll(kind), ...networks.map(limitOf)];
      return link
        .run(TAKE, keys, [BUDGET_WINDOW_MS, BUDGET_REQUESTS, ...limits])
        .then((wait) =>
          typeof wait === 'number' && wait > 0 ? wait / 1_000_000 : local.take(networks, kind),
        );
    },
    hold(seconds) {
      local.hold(seconds);
      if (seconds > 0) void link.run(HOLD, [HELD], [Math.ceil(seconds * 1000)]);
    },
  };
}
