// Looks up the addresses of host names that clients send, by DNS.
// - One resolver for the process, which queries the name servers directly: the system's resolver has only four threads,
//   and a resolver for each name would use up all sockets. A name without an answer for both address families within
//   4 s has failed.
// - Requests for the same name share one look-up. A name with addresses is kept for 60 s, one without or one that
//   failed for 10 s; 1,000 of each.
// - At most 64 look-ups are pending for all sites, 8 of one client, fewer while many are pending (fair-share.ts). Over that: 503
//   `overloaded` or 429 `rate_limited`.
import { promises as dns } from 'node:dns';
import type { Clock } from '../clock.ts';
import { fairShare } from '../limits/fair-share.ts';
import type { Metrics } from '../metrics.ts';
import { ProblemError } from '../problem.ts';

const RESOLVE_MS = 2_000;
const TRIES = 2;
const KEEP_MS = 60_000;
const KEEP_FAILED_MS = 10_000;
const MAX_KEPT = 1_000;
const MAX_PENDING = 64;
const MAX_PENDING_OF_CLIENT = 8;

/** All addresses of a name, of both families; none when there is none. Rejects when the name servers do not answer. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** `servers` are addresses with a port; the system's name servers by default. */
export function resolveBy(servers?: readonly string[]): Resolve {
  const resolver = new dns.Resolver({ timeout: RESOLVE_MS, tries: TRIES });
  if (servers) resolver.setServers(servers);
  return async (name) => {
    const answers = await Promise.all([
      resolver.resolve4(name).catch(noneOrFail),
      resolver.resolve6(name).catch(noneOrFail),
    ]);
    return answers.flat();
  };
}

/** No address when the name has none of this family. Any other error fails, because a private address could be missed. */
function noneOrFail(error: NodeJS.ErrnoException): readonly string[] {
  if (error.code === 'ENODATA' || error.code === 'ENOTFOUND') return [];
  throw error;
}

export const resolveName: Resolve = resolveBy();

/**
 * The addresses of a name for the client of this key; none also when the name servers do not answer.
 * @throws ProblemError when too many look-ups are pending
 */
export type NameLookups = (name: string, client: string) => Promise<readonly string[]>;

interface Kept {
  readonly addresses: readonly string[];
  readonly until: number;
}

export function nameLookups(resolve: Resolve, clock: Clock, metrics: Pick<Metrics, 'limitHit'>): NameLookups {
  /** Kept apart from unknown names, so that those do not push out known ones. The oldest comes first. */
  const known = new Map<string, Kept>();
  const unknown = new Map<string, Kept>();
  const pending = new Map<string, Promise<readonly string[]>>();
  const places = fairShare(MAX_PENDING, MAX_PENDING_OF_CLIENT);

  const keep = (name: string, addresses: readonly string[]): void => {
    const [kept, other, ms] =
      addresses.length > 0 ? [known, unknown, KEEP_MS] : [unknown, known, KEEP_FAILED_MS];
    other.delete(name);
    kept.delete(name);
    const oldest = kept.keys().next();
    if (kept.size >= MAX_KEPT && !oldest.done) kept.delete(oldest.value);
    kept.set(name, { addresses, until: clock.now() + ms });
  };

  const lookUp = async (name: string, release: () => void): Promise<readonly string[]> => {
    const addresses = await resolve(name).catch(() => []);
    pending.delete(name);
    release();
    keep(name, addresses);
    return addresses;
  };

  return async (name, client) => {
    const kept = known.get(name) ?? unknown.get(name);
    if (kept && clock.now() < kept.until) return kept.addresses;
    const shared = pending.get(name);
    if (shared) return shared;
    const place = places.take(client);
    if (typeof place === 'string') {
      metrics.limitHit('name_lookups');
      throw new ProblemError(place === 'full' ? 'overloaded' : 'rate_limited', {
        headers: { 'retry-after': '2' },
        extra: { detail: 'too many host names are being looked up' },
      });
    }
    const addresses = lookUp(name, place);
    pending.set(name, addresses);
    return addresses;
  };
}
