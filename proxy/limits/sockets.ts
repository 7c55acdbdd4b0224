// Open sockets: of one client address (SIGN_MAX_SOCKETS_PER_CLIENT) and of this process (10,000 take about 240 MB).
// - shared by replicas, each socket is a lease of 30 s in the sorted set of its address, renewed every 10 s. Sockets of
//   a killed replica expire; sockets that Redis lost, or that were opened while it was down, are added again.
// - the local count is checked first and continues alone while Redis is down.
import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { script } from '../redis/redis-client.ts';
import type { RedisLink } from '../redis/redis-link.ts';

export const MAX_SOCKETS = 10_000;

/** Ends the count of a socket; called once, when it has closed. */
export type Release = () => void;
/** The limit that is reached: of the address, or of this process. */
type SocketRefusal = 'too_many_sockets' | 'overloaded';

/** Returns promises where replicas share the count. */
export interface OpenSockets {
  /** Why the address could not open one more socket now; null when it could. */
  refusal(address: string): SocketRefusal | null | Promise<SocketRefusal | null>;
  /** Counts one more socket. */
  open(address: string): Release | SocketRefusal | Promise<Release | SocketRefusal>;
}

export interface LocalSockets extends OpenSockets {
  refusal(address: string): SocketRefusal | null;
  open(address: string): Release | SocketRefusal;
}

/** Sockets of all sites of a process. */
export interface SocketCount {
  open: number;
}

export function openSockets(
  limit: number,
  total = MAX_SOCKETS,
  ofAll: SocketCount = { open: 0 },
): LocalSockets {
  const counts = new Map<string, number>();
  const refusal = (address: string): SocketRefusal | null => {
    if ((counts.get(address) ?? 0) >= limit) return 'too_many_sockets';
    return ofAll.open >= total ? 'overloaded' : null;
  };
  return {
    refusal,
    open(address) {
      const refused = refusal(address);
      if (refused !== null) return refused;
      counts.set(address, (counts.get(address) ?? 0) + 1);
      ofAll.open += 1;
      return () => {
        ofAll.open -= 1;
        const left = (counts.get(address) ?? 0) - 1;
        if (left > 0) counts.set(address, left);
        else counts.delete(address);
      };
    },
  };
}

const LEASE_MS = 30_000;
const RENEW_MS = 10_000;

const NOW = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** ARGV: limit, lease, socket. Returns 1 when the socket is within the limit. */
const OPEN = script(`${NOW}
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
  if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[1]) then return 0 end
  redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[3])
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  return 1
`);

const COUNT = script(`${NOW} return redis.call('ZCOUNT', KEYS[1], '(' .. now, '+inf')`);

/** ARGV: lease, sockets. */
const RENEW = script(`${NOW}
  for each = 2, #ARGV do redis.call('ZADD', KEYS[1], now + ARGV[1], ARGV[each]) end
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  return 0
`);

const RELEASE = script(`return redis.call('ZREM', KEYS[1], ARGV[1])`);

const keyOf = (address: string): string => `sign:sockets:${address}`;

/** `local` has the same limit. close() stops the renewing. */
export function sharedSockets(
  link: RedisLink,
  limit: number,
  local: LocalSockets,
  clock: Clock,
): OpenSockets & { close(): void } {
  const replica = randomUUID();
  let opened = 0;
  /** Open sockets of this process, by address. */
  const held = new Map<string, Set<string>>();
  let isRenewing = false;

  /** One address after the other, so that a busy Redis does not get all requests at once. */
  const renew = async (): Promise<void> => {
    if (isRenewing) return;
    isRenewing = true;
    for (const [address, sockets] of held) {
      if (!link.isUp) break;
      await link.run(RENEW, [keyOf(address)], [LEASE_MS, ...sockets]);
    }
    isRenewing = false;
  };
  const stopRenewing = clock.every(RENEW_MS, () => void renew());
  link.onUp(() => void renew());

  const hold = (address: string, socket: string, releaseLocal: () => void): (() => void) => {
    const sockets = held.get(address) ?? new Set();
    held.set(address, sockets.add(socket));
    return () => {
      releaseLocal();
      sockets.delete(socket);
      if (sockets.size === 0) held.delete(address);
      void link.run(RELEASE, [keyOf(address)], [socket]);
    };
  };

  return {
    refusal(address) {
      const refused = local.refusal(address);
      if (refused !== null || !link.isUp) return refused;
      return link
        .run(COUNT, [keyOf(address)], [])
        .then((count) => (typeof count === 'number' && count >= limit ? 'too_many_sockets' : null));
    },
    open(address) {
      const releaseLocal = local.open(address);
      if (typeof releaseLocal === 'string') return releaseLocal;
      const socket = `${replica}:${(opened += 1)}`;
      if (!link.isUp) return hold(address, socket, releaseLocal);
      return link.run(OPEN, [keyOf(address)], [limit, LEASE_MS, socket]).then((has) => {
        if (has !== 0) return hold(address, socket, releaseLocal);
        releaseLocal();
        return 'too_many_sockets';
      });
    },
    close: stopRenewing,
  };
}
