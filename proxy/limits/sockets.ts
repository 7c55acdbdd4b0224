// Open sockets: of one client address (SIGN_MAX_SOCKETS_PER_CLIENT) and of this process (10,000 take about 240 MB).
// - Shared by replicas, each socket is a lease of 30 s in the sorted set of its address, renewed every 10 s. Sockets of
//   a killed replica expire; sockets that Redis lost, or that were opened while it was down, are added again. Without an
//   open socket there is neither a timer nor a listener.
// - An IPv6 client counts in the networks around it too (sharesOf): a host that has 65,536 keys would take all 10,000 sockets.
// - The local count is checked first and continues alone while Redis is down.
// - While more than half of the sockets of the process are open, an address may have fewer (fair-share.ts): otherwise 313
//   addresses with 32 sockets each would take all.
import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { script } from '../redis/redis-client.ts';
import type { RedisLink } from '../redis/redis-link.ts';
import { sharesOf } from './client-address.ts';
import { shareLeft } from './fair-share.ts';

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
    const shares = sharesOf(address);
    const isOver = (free: number): boolean =>
      shares.some(([network, times]) => (counts.get(network) ?? 0) >= shareLeft(limit * times, free, total));
    if (isOver(total)) return 'too_many_sockets';
    if (ofAll.open >= total) return 'overloaded';
    return isOver(total - ofAll.open) ? 'too_many_sockets' : null;
  };
  return {
    refusal,
    open(address) {
      const refused = refusal(address);
      if (refused !== null) return refused;
      const networks = sharesOf(address).map(([network]) => network);
      for (const network of networks) counts.set(network, (counts.get(network) ?? 0) + 1);
      ofAll.open += 1;
      return () => {
        ofAll.open -= 1;
        for (const network of networks) {
          const left = (counts.get(network) ?? 0) - 1;
          if (left > 0) counts.set(network, left);
          else counts.delete(network);
        }
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

/** ARGV: lease, socket, limit of each key. Returns 1 when the socket is within the limits. */
const OPEN = script(`${NOW}
  for each = 1, #KEYS do
    redis.call('ZREMRANGEBYSCORE', KEYS[each], '-inf', now)
    if redis.call('ZCARD', KEYS[each]) >= tonumber(ARGV[each + 2]) then return 0 end
  end
  for each = 1, #KEYS do
    redis.call('ZADD', KEYS[each], now + ARGV[1], ARGV[2])
    redis.call('PEXPIRE', KEYS[each], ARGV[1])
  end
  return 1
`);

/** ARGV: limit of each key. Returns 1 when one more socket would be over one of them. */
const IS_OVER = script(`${NOW}
  for each = 1, #KEYS do
    if redis.call('ZCOUNT', KEYS[each], '(' .. now, '+inf') >= tonumber(ARGV[each]) then return 1 end
  end
  return 0
`);

/** ARGV: lease, sockets. */
const RENEW = script(`${NOW}
  for each = 2, #ARGV do redis.call('ZADD', KEYS[1], now + ARGV[1], ARGV[each]) end
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  return 0
`);

const RELEASE = script(`
  for each = 1, #KEYS do redis.call('ZREM', KEYS[each], ARGV[1]) end
  return 0
`);

const keyOf = (network: string): string => `sign:sockets:${network}`;

/** `local` has the same limit. */
export function sharedSockets(
  link: RedisLink,
  limit: number,
  local: LocalSockets,
  clock: Clock,
): OpenSockets {
  const replica = randomUUID();
  let opened = 0;
  /** Open sockets of this process, by network. */
  const held = new Map<string, Set<string>>();
  let isRenewing = false;

  /** One network after the other, so that a busy Redis does not get all requests at once. */
  const renew = async (): Promise<void> => {
    if (isRenewing) return;
    isRenewing = true;
    for (const [network, sockets] of held) {
      if (!link.isUp) break;
      await link.run(RENEW, [keyOf(network)], [LEASE_MS, ...sockets]);
    }
    isRenewing = false;
  };
  let stopRenewing = (): void => undefined;
  const startRenewing = (): void => {
    const stops = [clock.every(RENEW_MS, () => void renew()), link.onUp(() => void renew())];
    stopRenewing = () => stops.forEach((stop) => stop());
  };

  const hold = (address: string, socket: string, releaseLocal: () => void): (() => void) => {
    const networks = sharesOf(address).map(([network]) => network);
    if (held.size === 0) startRenewing();
    for (const network of networks) held.set(network, (held.get(network) ?? new Set()).add(socket));
    return () => {
      releaseLocal();
      for (const network of networks) {
        const sockets = held.get(network);
        sockets?.delete(socket);
        if (sockets?.size === 0) held.delete(network);
      }
      if (held.size === 0) stopRenewing();
      void link.run(RELEASE, networks.map(keyOf), [socket]);
    };
  };

  const keysOf = (address: string): string[] => sharesOf(address).map(([network]) => keyOf(network));
  const limitsOf = (address: string): number[] => sharesOf(address).map(([, times]) => limit * times);

  return {
    refusal(address) {
      const refused = local.refusal(address);
      if (refused !== null || !link.isUp) return refused;
      return link
        .run(IS_OVER, keysOf(address), limitsOf(address))
        .then((isOver) => (isOver === 1 ? 'too_many_sockets' : null));
    },
    open(address) {
      const releaseLocal = local.open(address);
      if (typeof releaseLocal === 'string') return releaseLocal;
      const socket = `${replica}:${(opened += 1)}`;
      if (!link.isUp) return hold(address, socket, releaseLocal);
      return link.run(OPEN, keysOf(address), [LEASE_MS, socket, ...limitsOf(address)]).then((has) => {
        if (has !== 0) return hold(address, socket, releaseLocal);
        releaseLocal();
        return 'too_many_sockets';
      });
    },
  };
}
