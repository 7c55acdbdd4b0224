// All limits of a proxy: local to this process, or shared by all replicas through Redis (SIGN_REDIS_URL). The limits
// are the same in both. Each shared limit contains a local one, which continues alone while Redis is down.
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { RedisLink } from '../redis/redis-link.ts';
import { announcementBudget, sharedBudget, type AnnouncementBudget } from './announcement-budget.ts';
import { announcementIds, sharedIds, type AnnouncementIds } from './announcement-ids.ts';
import { clientRate, sharedRate, type ClientRate } from './client-rate.ts';
import { openSockets, sharedSockets, type OpenSockets } from './sockets.ts';

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
  close(): void;
}

/** `link` is null without a Redis. */
export function limitsOf(config: Config, clock: Clock, link: RedisLink | null): Limits {
  const { requestsPerMinute, messagesPerMinute, generatesPerMinute, maxSocketsPerClient } = config;
  const requests = clientRate(requestsPerMinute, clock);
  const messages = clientRate(messagesPerMinute, clock);
  const generates = clientRate(generatesPerMinute, clock);
  const sockets = openSockets(maxSocketsPerClient);
  const budget = announcementBudget(clock);
  const ids = announcementIds(clock);
  if (link === null) return { requests, messages, generates, sockets, budget, ids, close: () => undefined };
  const shared = sharedSockets(link, maxSocketsPerClient, sockets, clock);
  return {
    requests: sharedRate(link, 'requests', requestsPerMinute, requests),
    messages: sharedRate(link, 'messages', messagesPerMinute, messages),
    generates: sharedRate(link, 'generates', generatesPerMinute, generates),
    sockets: shared,
    budget: sharedBudget(link, budget),
    ids: sharedIds(link, ids),
    close: () => shared.close(),
  };
}
