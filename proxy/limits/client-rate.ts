// How much a client address may do a minute: messages on its sockets (SIGN_MESSAGES_PER_MINUTE) and HTTP requests
// (SIGN_REQUESTS_PER_MINUTE), each counted apart. Policy: a token bucket of one minute's worth that fills evenly, so
// that a page may send a whole article at once and then goes on at the mean pace. Buckets outlive their sockets, else
// reconnecting would fill them; at most 10,000 are kept, and a full one says nothing, so those are dropped first, which
// is looked for once a second at most; when there is none, the one that was asked least recently.
import type { Clock } from '../clock.ts';

export class TokenBucket {
  private tokens: number;
  private filledAt: number;
  private readonly perMinute: number;
  private readonly clock: Clock;

  constructor(perMinute: number, clock: Clock) {
    this.perMinute = perMinute;
    this.clock = clock;
    this.tokens = perMinute;
    this.filledAt = clock.now();
  }

  /** 0 when one more is allowed now (and taken), else the seconds until it will be. */
  take(): number {
    const seconds = this.wait();
    if (seconds === 0) this.tokens -= 1;
    return seconds;
  }

  /** The same without taking it. */
  wait(): number {
    this.fill();
    return this.tokens >= 1 ? 0 : ((1 - this.tokens) * 60) / this.perMinute;
  }

  isFull(): boolean {
    this.fill();
    return this.tokens >= this.perMinute;
  }

  private fill(): void {
    const now = this.clock.now();
    this.tokens = Math.min(this.perMinute, this.tokens + ((now - this.filledAt) / 60_000) * this.perMinute);
    this.filledAt = now;
  }
}

const MAX_BUCKETS = 10_000;
const SWEEP_EVERY_MS = 1_000;

/** Takes one of an address: 0 when it may pass, else the seconds to wait. A promise where replicas share the limit. */
export type ClientRate = (address: string) => number | Promise<number>;

/** Of this process alone. */
export interface LocalRate {
  (address: string): number;
  /** The same without taking it. */
  wait(address: string): number;
}

export function clientRate(perMinute: number, clock: Clock): LocalRate {
  /** The one that was asked least recently comes first. */
  const buckets = new Map<string, TokenBucket>();
  let sweptAt = -Infinity;

  const makeRoom = (): void => {
    if (clock.now() - sweptAt >= SWEEP_EVERY_MS) {
      sweptAt = clock.now();
      for (const [address, bucket] of buckets) if (bucket.isFull()) buckets.delete(address);
    }
    const first = buckets.keys().next();
    if (buckets.size >= MAX_BUCKETS && !first.done) buckets.delete(first.value);
  };

  const take = (address: string): number => {
    let bucket = buckets.get(address);
    if (bucket) {
      buckets.delete(address);
    } else {
      if (buckets.size >= MAX_BUCKETS) makeRoom();
      bucket = new TokenBucket(perMinute, clock);
    }
    buckets.set(address, bucket);
    return bucket.take();
  };
  return Object.assign(take, { wait: (address: string) => buckets.get(address)?.wait() ?? 0 });
}
