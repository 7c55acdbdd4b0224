// Open sockets of one client address in all replicas together (SIGN_MAX_SOCKETS_PER_CLIENT).
// - Each socket is a lease of 30 s in the sorted set of its address, renewed every 10 s. Sockets of a killed replica expire.
//   Sockets that Redis lost, or that were opened while it was down, are added again.
// - Without an open socket there is neither a timer nor a listener.
// - The local count (sockets.ts) is checked first and continues alone while Redis is down.
import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { script } from '../redis/redis-client.ts';
import type { RedisLink } from '../redis/redis-link.ts';
import { sharesOf } from './client-address.ts';
import type { Release } from './fair-share.ts';
import { type LocalSockets, networksOf, type OpenSockets, type SocketRefusal } from './sockets.ts';

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
const keysOf = (address: string): string[] => networksOf(address).map(keyOf);

export class SharedSockets implements OpenSockets {
  readonly #link: RedisLink;
  readonly #limit: number;
  readonly #local: LocalSockets;
  readonly #clock: Clock;
  readonly #replica = randomUUID();
  #opened = 0;
  /** Open sockets of this process, by network. */
  readonly #held = new Map<string, Set<string>>();
  #isRenewing = false;
  /** What ends when no socket is open. */
  #stops: readonly (() => void)[] = [];

  /** `local` has the same limit. */
  constructor(link: RedisLink, limit: number, local: LocalSockets, clock: Clock) {
    this.#link = link;
    this.#limit = limit;
    this.#local = local;
    this.#clock = clock;
  }

  refusal(address: string): SocketRefusal | null | Promise<SocketRefusal | null> {
    const refused = this.#local.refusal(address);
    if (refused !== null || !this.#link.isUp) return refused;
    return this.#link
      .run(IS_OVER, keysOf(address), this.#limitsOf(address))
      .then((isOver) => (isOver === 1 ? 'too_many_sockets' : null));
  }

  open(address: string): Release | SocketRefusal | Promise<Release | SocketRefusal> {
    const releaseLocal = this.#local.open(address);
    if (typeof releaseLocal === 'string') return releaseLocal;
    this.#opened += 1;
    const socket = `${this.#replica}:${this.#opened}`;
    if (!this.#link.isUp) return this.#hold(address, socket, releaseLocal);
    const leased = [LEASE_MS, socket, ...this.#limitsOf(address)];
    return this.#link.run(OPEN, keysOf(address), leased).then((has) => {
      if (has !== 0) return this.#hold(address, socket, releaseLocal);
      releaseLocal();
      return 'too_many_sockets';
    });
  }

  withLimit(limit: number): SharedSockets {
    return new SharedSockets(this.#link, limit, this.#local.withLimit(limit), this.#clock);
  }

  #hold(address: string, socket: string, releaseLocal: () => void): Release {
    if (this.#held.size === 0) this.#startRenewing();
    for (const network of networksOf(address))
      this.#held.set(network, (this.#held.get(network) ?? new Set()).add(socket));
    return () => {
      releaseLocal();
      this.#release(address, socket);
    };
  }

  #release(address: string, socket: string): void {
    for (const network of networksOf(address)) {
      const sockets = this.#held.get(network);
      sockets?.delete(socket);
      if (sockets?.size === 0) this.#held.delete(network);
    }
    if (this.#held.size === 0) for (const stop of this.#stops) stop();
    void this.#link.run(RELEASE, keysOf(address), [socket]);
  }

  #startRenewing(): void {
    const renew = (): void => void this.#renew();
    this.#stops = [this.#clock.every(RENEW_MS, renew), this.#link.onUp(renew)];
  }

  /** One network after the other, so that a busy Redis does not get all requests at once. */
  async #renew(): Promise<void> {
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    for (const [network, sockets] of this.#held) {
      if (!this.#link.isUp) break;
      await this.#link.run(RENEW, [keyOf(network)], [LEASE_MS, ...sockets]);
    }
    this.#isRenewing = false;
  }

  #limitsOf(address: string): number[] {
    return sharesOf(address).map(([, times]) => this.#limit * times);
  }
}
