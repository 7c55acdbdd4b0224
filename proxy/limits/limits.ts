// All limits of a proxy: local to this process, or shared by all replicas through Redis (SIGN_REDIS_URL). The limits
// are the same in both. Each shared limit contains a local one, which continues alone while Redis is down.
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { RedisLink } from '../redis/redis-link.ts';
import { announcementBudget, sharedBudget, type AnnouncementBudget } from './announcement-budget.ts';
import { announcementIds, idsOfProcess, sharedIds, type AnnouncementIds } from './announcement-ids.ts';
import { clientRate, sharedRate, type ClientRate } from './client-rate.ts';
import { SharedSockets } from './shared-sockets.ts';
import { MAX_SOCKETS, openSockets, type OpenSockets, type SocketCount } from './sockets.ts';

export interface Limits {
  /** HTTP requests a minute of an address. */
  readonly requests: ClientRate;
  /** Paid requests a minute of an address. */
  readonly generates: ClientRate;
  /** Frames a minute on the sockets of an address. */
  readonly messages: ClientRate;
  readonly sockets: OpenSockets;
  /** Requests to the announcement API. */
  readonly budget: AnnouncementBudget;
  /** The announcements that may be looked up. */
  readonly ids: AnnouncementIds;
}

/** `redis` is null without a Redis; `ofAll` counts the sockets of all sites. */
export function limitsOf(config: Config, clock: Clock, redis: RedisLink | null, ofAll: SocketCount): Limits {
  const { requestsPerMinute, messagesPerMinute, generatesPerMinute, maxSocketsPerClient } = config;
  const requests = clientRate(requestsPerMinute, clock);
  const messages = clientRate(messagesPerMinute, clock);
  const generates = clientRate(generatesPerMinute, clock);
  const sockets = openSockets(maxSocketsPerClient, MAX_SOCKETS, ofAll);
  const budget = announcementBudget(clock);
  if (redis === null) return { requests, messages, generates, sockets, budget, ids: idsOfProcess(clock) };
  const link = config.site === 'default' ? redis : linkOfSite(redis, config.site);
  return {
    requests: sharedRate(link, 'requests', requestsPerMinute, requests),
    messages: sharedRate(link, 'messages', messagesPerMinute, messages),
    generates: sharedRate(link, 'generates', generatesPerMinute, generates),
    sockets: new SharedSockets(link, maxSocketsPerClient, sockets, clock),
    budget: sharedBudget(link, budget),
    ids: sharedIds(link, announcementIds(clock), clock),
  };
}

/** The link with the name of the site in each key, because each site counts alone. */
const linkOfSite = (link: RedisLink, site: string): RedisLink => ({
  get isUp() {
    return link.isUp;
  },
  get cameUpAt() {
    return link.cameUpAt;
  },
  settled: link.settled,
  run: (script, keys, values) =>
    link.run(
      script,
      keys.map((key) => key.replace(/^sign:/, `sign:site:${site}:`)),
      values,
    ),
  onUp: (listener) => link.onUp(listener),
  close: () => link.close(),
});
