// The ids of announcements that clients of this proxy have submitted: a look-up of any other id does not go upstream.
// - An id is known for 24 hours after its submit; at most 10,000 are kept, the oldest goes first.
// - An id that the service answers with 404 is not asked for again for a minute. One that was submitted within the last minute is
//   asked for again: the service may not know it yet, and pages ask for half a minute.
// - Replicas share the ids through Redis. While Redis is down, and for 10 minutes after it came up and may have lost its data,
//   an id may be another replica's: then an unknown one is `uncertain`. The same holds for 10 minutes after the start, with a
//   Redis and without, because a page may have submitted it before.
import type { Clock } from '../clock.ts';
import { script } from '../redis/redis-client.ts';
import type { RedisLink } from '../redis/redis-link.ts';

const KNOWN_MS = 24 * 3_600_000;
const MISSING_MS = 60_000;
const NEW_MS = 60_000;
const UNCERTAIN_MS = 10 * 60_000;
const MAX_IDS = 10_000;

type Knowledge = 'known' | 'unknown' | 'uncertain';

export interface AnnouncementIds {
  add(id: string): void | Promise<void>;
  /** The service has nothing under this id. */
  missing(id: string): void;
  get(id: string): Knowledge | Promise<Knowledge>;
}

interface LocalIds extends AnnouncementIds {
  add(id: string): void;
  get(id: string): Exclude<Knowledge, 'uncertain'>;
  isMissing(id: string): boolean;
}

export function announcementIds(clock: Clock): LocalIds {
  const known = expiringSet(clock, KNOWN_MS);
  const fresh = expiringSet(clock, NEW_MS);
  const missing = expiringSet(clock, MISSING_MS);
  return {
    add(id) {
      known.add(id);
      fresh.add(id);
    },
    missing(id) {
      if (!fresh.has(id)) missing.add(id);
    },
    isMissing: missing.has,
    get: (id) => (known.has(id) && !missing.has(id) ? 'known' : 'unknown'),
  };
}

/** Holds each word for `ms` after it was added. */
function expiringSet(clock: Clock, ms: number) {
  const untils = new Map<string, number>();
  return {
    add(word: string): void {
      untils.delete(word);
      untils.set(word, clock.now() + ms);
      const [oldest] = untils.keys();
      if (untils.size > MAX_IDS && oldest !== undefined) untils.delete(oldest);
    },
    has: (word: string): boolean => (untils.get(word) ?? -Infinity) > clock.now(),
  };
}

/** The ids of a proxy without a Redis. */
export function idsOfProcess(clock: Clock): AnnouncementIds {
  const local = announcementIds(clock);
  const startedAt = clock.now();
  return {
    ...local,
    get(id) {
      const mayBeOlder = clock.now() - startedAt < UNCERTAIN_MS && !local.isMissing(id);
      const knowledge = local.get(id);
      return knowledge === 'unknown' && mayBeOlder ? 'uncertain' : knowledge;
    },
  };
}

const ADD = script(`return redis.call('SET', KEYS[1], '1', 'PX', ARGV[1])`);
const HAS = script(`return redis.call('EXISTS', KEYS[1])`);
const keyOf = (id: string): string => `sign:announcement:${id}`;

export function sharedIds(link: RedisLink, local: LocalIds, clock: Pick<Clock, 'now'>): AnnouncementIds {
  return {
    missing: local.missing,
    /** Resolves once the other replicas know it. */
    async add(id) {
      local.add(id);
      await link.run(ADD, [keyOf(id)], [KNOWN_MS]);
    },
    get(id) {
      if (local.isMissing(id) || local.get(id) === 'known') return local.get(id);
      if (!link.isUp) return 'uncertain';
      return link.run(HAS, [keyOf(id)], []).then((has) => {
        if (has === 1) local.add(id);
        if (has === 1) return 'known';
        const mayBeLost = clock.now() - link.cameUpAt < UNCERTAIN_MS;
        return has === null || mayBeLost ? 'uncertain' : 'unknown';
      });
    },
  };
}
