// Reserves amounts of the caps for the work that replicas have under way, in the Redis that they share, so that all replicas
// together exceed a cap by no more than one process alone.
// - A replica sends what it has under way, and receives how much Redis holds for it: that amount, and an eighth of what nobody
//   holds. So most texts need no answer of Redis before they go.
// - A text for which not enough is held has to wait. The replica asks Redis for what the text needs, which is then held when the
//   page sends the text again.
// - At each request to Redis a replica gives back what it holds beyond the work under way, except an eighth of what is left of the
//   cap, because a text may begin meanwhile.
// - What a replica holds ends when the replica sends nothing for a minute: it was killed, or has had no session for ten minutes.
//   The time of its streams still counts.
import type { Clock } from '../clock.ts';
import type { RedisLink } from '../redis/redis-link.ts';
import { SHARE } from './spending-script.ts';
import type { Sum } from './spending-sums.ts';

/** Less than the minute for which Redis keeps it, because the two clocks count from different moments. */
const HOLD_MS = 55_000;
/** How often a replica renews what it holds, while a session may be open. */
export const RENEW_MS = 25_000;
/** How long a text is expected to be sent again: its page waits for 2 s. */
const ASK_MS = 5_000;
/** This fraction (1/8) of what is left is held beyond the work under way. */
const AHEAD = 8;
/** More than the script in Redis rounds off. */
const ROUNDED = 0.01;

/** What a site has of one unit in this process. */
export interface UnderWay {
  /** The texts and requests under way. */
  readonly expected: number;
  /** The time of the open streams that is in no sum. */
  readonly streamed: number;
  /** The amount of all that waits, and that of the last text or request in it. */
  readonly asked: number;
  readonly last: number;
}

/** What waits for room of one unit. */
export class Asked {
  #sum = 0;
  #last = 0;
  #since = -Infinity;

  add(amount: number, now: number): void {
    if (!(amount > 0)) return;
    if (now - this.#since > ASK_MS) this.#sum = 0;
    if (this.#sum === 0) this.#since = now;
    this.#sum += amount;
    this.#last = amount;
  }

  /** It waits no longer. */
  take(amount: number): void {
    this.#sum = Math.max(0, this.#sum - amount);
  }

  at(now: number): Pick<UnderWay, 'asked' | 'last'> {
    const asked = now - this.#since > ASK_MS ? 0 : this.#sum;
    return { asked, last: Math.min(asked, this.#last) };
  }
}

/** How much more may be under way. */
const roomIn = (sum: Sum, { expected, streamed }: UnderWay, now: number): number =>
  sum.heldUntil < now ? 0 : sum.held - expected - streamed - (sum.added - sum.shared);

export const hasRoom = (sum: Sum, underWay: UnderWay, amount: number, now: number): boolean =>
  roomIn(sum, underWay, now) + ROUNDED >= amount;

interface SharedSum {
  readonly sum: Sum;
  readonly cap: number;
  readonly underWay: UnderWay;
}

interface ShareDeps {
  readonly link: RedisLink;
  readonly clock: Pick<Clock, 'now'>;
  readonly site: string;
  /** The name of this process in Redis. */
  readonly writer: string;
}

/** Sends Redis the amounts that it does not have and what is under way, and receives what other replicas have spent. */
export async function shareSums(shared: readonly SharedSum[], deps: ShareDeps): Promise<void> {
  const { link, clock, site, writer } = deps;
  const now = clock.now();
  const keys = shared.map(({ sum }) => `${sum.rule.prefix}:${site}:${sum.name}`);
  const sent = shared.map(({ sum }) => sum.added);
  const values = shared.flatMap(({ sum, cap, underWay }) => {
    const { expected, streamed, asked, last } = underWay;
    const kept = Math.max(0, Math.min(roomIn(sum, underWay, now), (cap - sum.total) / AHEAD));
    sum.held = expected + streamed + (sum.added - sum.shared) + kept;
    return [
      ...[sum.added, sum.shared, sum.total, sum.rule.keepMs],
      ...[cap < Infinity ? cap : -1, expected, streamed, kept, asked, last],
    ];
  });
  const suffixed = (suffix: string): readonly string[] => keys.map((key) => `${key}:${suffix}`);
  const answer = await link.run(
    SHARE,
    [...keys, ...suffixed('by'), ...suffixed('held')],
    [writer, ...values],
  );
  if (!Array.isArray(answer)) return;
  for (const [n, { sum }] of shared.entries()) {
    const [total = 0, held = 0, elsewhere = 0] = String(answer[n]).split(' ').map(Number);
    Object.assign(sum, { total: Math.max(sum.total, total), held, heldUntil: now + HOLD_MS, elsewhere });
    sum.shared = Math.max(sum.shared, sent[n] ?? 0);
  }
}
