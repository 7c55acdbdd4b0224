// How many sockets a client address holds open at all replicas together. Policy: each socket is a lease of 30 s in its
// address's sorted set, renewed every 10 s, so that the sockets of a replica that was killed count no longer than that,
// and those that a Redis has forgotten, or that were opened while it was gone, are counted again. This process's own
// count stands before it: it is part of the shared one, and goes on alone while Redis is gone.
import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { LocalSockets, OpenSockets } from '../limits/sockets.ts';
import type { RedisLink } from './redis-link.ts';
import { script } from './script.ts';

const LEASE_MS = 30_000;
const RENEW_MS = 10_000;

const NOW = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** ARGV: limit, lease, socket. 1 when it has a place. */
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

const LEAVE = script(`return redis.call('ZREM', KEYS[1], ARGV[1])`);

const keyOf = (address: string): string => `sign:sockets:${address}`;

/** `own` has the same limit. What it returns beside the count stops the renewing. */
export function sharedSockets(
  link: RedisLink,
  limit: number,
  own: LocalSockets,
  clock: Clock,
): OpenSockets & { close(): void } {
  const replica = randomUUID();
  let opened = 0;
  /** Sockets that are open here, by address. */
  const held = new Map<string, Set<string>>();
  let isRenewing = false;

  /** One address after the other, so that a Redis with much to do is not asked for all at once. */
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

  const hold = (address: string, socket: string, leaveOwn: () => void): (() => void) => {
    const sockets = held.get(address) ?? new Set();
    held.set(address, sockets.add(socket));
    return () => {
      leaveOwn();
      sockets.delete(socket);
      if (sockets.size === 0) held.delete(address);
      void link.run(LEAVE, [keyOf(address)], [socket]);
    };
  };

  return {
    refusal(address) {
      const refused = own.refusal(address);
      if (refused !== null || !link.isUp) return refused;
      return link
        .run(COUNT, [keyOf(address)], [])
        .then((count) => (typeof count === 'number' && count >= limit ? 'too_many_sockets' : null));
    },
    open(address) {
      const leaveOwn = own.open(address);
      if (typeof leaveOwn === 'string') return leaveOwn;
      const socket = `${replica}:${(opened += 1)}`;
      if (!link.isUp) return hold(address, socket, leaveOwn);
      return link.run(OPEN, [keyOf(address)], [limit, LEASE_MS, socket]).then((has) => {
        if (has !== 0) return hold(address, socket, leaveOwn);
        leaveOwn();
        return 'too_many_sockets';
      });
    },
    close: stopRenewing,
  };
}
