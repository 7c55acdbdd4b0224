// The access token that all replicas use. Policy: one of them fetches it, the others wait for it, for 15 s at most; it is
// kept with the life it has left, and goes 5 s before its end. It stands in Redis as it is: whoever can read this Redis
// can use the announcement account until the token expires, so it belongs on a private network, with a password, and is
// not to be saved to disk. Replicas share it by token server and client id, so that proxies of two accounts do not mix.
// What Redis says is checked like anything else that becomes part of a header. Nothing of it is logged.
import { createHash, randomUUID } from 'node:crypto';
import { isToken, type Issued, type TokenSharing } from '../upstream/access-token.ts';
import type { Clock } from '../clock.ts';
import type { TransportConfig } from '../config.ts';
import type { RedisLink } from './redis-link.ts';
import { script } from './script.ts';

const FETCH_MS = 15_000;
const LOOK_EVERY_MS = 100;

/**
 * KEYS: token, lock. ARGV: a token that is of no use, who asks, life of the lock. The token and the milliseconds that it
 * has left; or 1 for who is to fetch one now, 0 for who is to wait.
 */
const CLAIM = script(`
  local kept = redis.call('GET', KEYS[1])
  if kept and string.match(kept, ' (.*)') ~= ARGV[1] then return { kept, redis.call('PTTL', KEYS[1]) } end
  return redis.call('SET', KEYS[2], ARGV[2], 'NX', 'PX', ARGV[3]) and 1 or 0
`);

/** KEYS: lock, token. ARGV: who fetched, and with a token what to keep and for how long. */
const FETCHED = script(`
  if ARGV[2] then redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3]) end
  if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
  return 0
`);

/** `rate` is how often all replicas may ask the token server. This process asks for one at a time (access-token.ts). */
export function sharedToken(
  link: RedisLink,
  { authUrl, clientId }: TransportConfig,
  clock: Clock,
  rate: (key: string) => number | Promise<number>,
): TokenSharing {
  const replica = randomUUID();
  const name = createHash('sha256').update(`${authUrl} ${clientId}`).digest('hex');
  const [token, lock] = [`sign:token:${name}`, `sign:token-lock:${name}`];

  /** What Redis kept, when it is what was put there. */
  const read = (claim: unknown): Issued | null => {
    if (!Array.isArray(claim)) return null;
    const [kept, left] = claim as unknown[];
    const [, early, value = ''] = /^(\d{1,9}) (.*)$/.exec(String(kept)) ?? [];
    if (!isToken(value) || typeof left !== 'number' || left <= 0) return null;
    const unusedAt = clock.now() + left;
    return { token: value, unusedAt, renewAt: unusedAt - Number(early) };
  };

  const fetchForAll = async (fetch: () => Promise<Issued>): Promise<Issued> => {
    try {
      const issued = await fetch();
      const left = Math.floor(issued.unusedAt - clock.now());
      const early = Math.ceil(issued.unusedAt - issued.renewAt);
      if (left > 0) await link.run(FETCHED, [lock, token], [replica, `${early} ${issued.token}`, left]);
      return issued;
    } catch (error) {
      await link.run(FETCHED, [lock, token], [replica]);
      throw error;
    }
  };

  return {
    mayFetch: () => rate(name),
    async obtain(useless, fetch) {
      for (let waited = 0; waited < FETCH_MS; waited += LOOK_EVERY_MS) {
        const claim = await link.run(CLAIM, [token, lock], [useless ?? '', replica, FETCH_MS]);
        if (claim === 1) return fetchForAll(fetch);
        if (claim !== 0) return read(claim) ?? fetch();
        await new Promise<void>((go) => void clock.after(LOOK_EVERY_MS, go));
      }
      return fetch();
    },
  };
}
