// The access token that all replicas use, in Redis.
// - One replica fetches it, the others wait for it, at most 15 s. It is kept for as long as it is used.
// - It is stored in plain text: Redis belongs on a private network, with a password and without persistence.
// - The key is made of token server and client id, so that proxies of two accounts do not mix.
// - What Redis returns is checked before it is used in a header, and not logged.
import { createHash, randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { TransportConfig } from '../config.ts';
import { clientRate, sharedRate } from '../limits/client-rate.ts';
import { script } from '../redis/redis-client.ts';
import type { RedisLink } from '../redis/redis-link.ts';
import { isToken, TOKEN_FETCHES_PER_MINUTE, type Issued, type TokenSharing } from './access-token.ts';

const FETCH_MS = 15_000;
const POLL_MS = 100;

/**
 * KEYS: token, lock. ARGV: the token to replace, the replica, life of the lock. Returns the token and the
 * milliseconds it has left; or 1 when this replica is to fetch one, 0 when it is to wait.
 */
const CLAIM = script(`
  local kept = redis.call('GET', KEYS[1])
  if kept and string.match(kept, ' (.*)') ~= ARGV[1] then return { kept, redis.call('PTTL', KEYS[1]) } end
  return redis.call('SET', KEYS[2], ARGV[2], 'NX', 'PX', ARGV[3]) and 1 or 0
`);

/** KEYS: lock, token. ARGV: the replica that fetched; when it got a token also what to store and for how long. */
const FETCHED = script(`
  if ARGV[2] then redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3]) end
  if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
  return 0
`);

/** With a Redis the token is shared, without one (`link` null) it is this process's own. */
export function tokenSharing(
  { authUrl, clientId }: TransportConfig,
  clock: Clock,
  link: RedisLink | null,
): TokenSharing {
  const local = clientRate(TOKEN_FETCHES_PER_MINUTE, clock);
  if (link === null) return { mayFetch: () => local(clientId), obtain: (_replaced, fetch) => fetch() };
  const rate = sharedRate(link, 'token', TOKEN_FETCHES_PER_MINUTE, local);
  const replica = randomUUID();
  const name = createHash('sha256').update(`${authUrl} ${clientId}`).digest('hex');
  const [token, lock] = [`sign:token:${name}`, `sign:token-lock:${name}`];

  /** The token in Redis; null when it is not what a replica stored. */
  const read = (claim: unknown): Issued | null => {
    if (!Array.isArray(claim)) return null;
    const [stored, left] = claim as unknown[];
    const [, early, value = ''] = /^(\d{1,9}) (.*)$/.exec(String(stored)) ?? [];
    if (!isToken(value) || typeof left !== 'number' || left <= 0) return null;
    const expiresAt = clock.now() + left;
    return { token: value, expiresAt, renewAt: expiresAt - Number(early) };
  };

  const fetchForAll = async (fetch: () => Promise<Issued>): Promise<Issued> => {
    try {
      const issued = await fetch();
      const left = Math.floor(issued.expiresAt - clock.now());
      const early = Math.ceil(issued.expiresAt - issued.renewAt);
      if (left > 0) await link.run(FETCHED, [lock, token], [replica, `${early} ${issued.token}`, left]);
      return issued;
    } catch (error) {
      await link.run(FETCHED, [lock, token], [replica]);
      throw error;
    }
  };

  return {
    mayFetch: () => rate(name),
    async obtain(replaced, fetch) {
      for (let waited = 0; waited < FETCH_MS; waited += POLL_MS) {
        const claim = await link.run(CLAIM, [token, lock], [replaced ?? '', replica, FETCH_MS]);
        if (claim === 1) return fetchForAll(fetch);
        if (claim !== 0) return read(claim) ?? fetch();
        await new Promise<void>((go) => void clock.after(POLL_MS, go));
      }
      return fetch();
    },
  };
}
