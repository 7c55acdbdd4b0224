// The seconds of signed video and the characters of text that each site has spent in the day and the month (UTC), and their
// caps (SIGN_DAILY_SECONDS, SIGN_MONTHLY_SECONDS, SIGN_DAILY_CHARACTERS, SIGN_MONTHLY_CHARACTERS).
// - Over a cap paid requests and upgrades are refused with 429 `budget_spent`, and an open session ends at its next frame. A cap
//   of 0 refuses all. There is no Retry-After, because a page must not wait for hours.
// - Replicas share the sums in Redis. An amount that could not be sent is sent with the next one, and counts once even where Redis
//   took it the first time and answered too late. Without a Redis the sums are kept in a file, if one is set (spending-file.ts).
// - Sums belong to a site, not to its caps, so that a reload with other caps forgets nothing. The caps of the last reload also
//   count for sessions that were opened before it.
// - The time of streams that are open in this process counts towards the caps before it is added. At the end of a day it is added
//   to the sums of that day.
// - A text or request under way in this process counts with its estimate, and a request also with its characters (those of a text
//   are added when it goes up). A text or request that would then go over a cap has to wait; when nothing else is under way it
//   may go over the cap. Where there is a Redis, it has to be held there too (spending-holds.ts).
import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Metrics } from '../metrics.ts';
import { ProblemError } from '../problem.ts';
import type { RedisLink } from '../redis/redis-link.ts';
import { calendar, type PeriodNames } from './calendar.ts';
import type { SpendingFile } from './spending-file.ts';
import { Asked, hasRoom, RENEW_MS, shareSums, type UnderWay } from './spending-holds.ts';
import { type Amount, type Rule, RULES, SiteSums, type Unit } from './spending-sums.ts';

/** The share of a cap at which a warning is logged once. */
const WARN_AT = 0.8;
/** A session ends after this time without a text (session-limits.ts). */
const IDLE_MS = 600_000;
/** How often the file gets the time of the open streams. */
const KEEP_MS = 10_000;

export interface Spending {
  /** Whether a cap is reached, as far as this process knows. */
  readonly isSpent: boolean;
  /** Whether this amount has to wait until something under way is counted. */
  mustWait(seconds: number, characters: number): boolean;
  /** This amount is under way too; negative numbers take back what was expected. */
  expect(seconds: number, characters: number): void;
  /** Adds seconds of video that were made, and characters that were sent to be signed. */
  add(amount: Amount): void;
  /**
   * A stream begins to count towards the caps. The returned function ends that, and is called once; it gives the seconds that
   * were added to the sums of earlier days.
   */
  streaming(): () => number;
  /**
   * Asks Redis to hold this amount. @throws ProblemError 429 `budget_spent` when a cap is reached, as far as any replica knows
   */
  check(seconds?: number, characters?: number): Promise<void>;
}

/** The caps of a site that is gone. */
export const NOTHING_LEFT = { dailySeconds: 0, monthlySeconds: 0, dailyCharacters: 0, monthlyCharacters: 0 };

export type SpendingConfig = Pick<Config, 'site' | Rule['cap']>;

interface SpendingDeps {
  readonly clock: Pick<Clock, 'now' | 'every'>;
  readonly link: RedisLink | null;
  /** Null for sums that a restart forgets. */
  readonly file: Pick<SpendingFile, 'set' | 'sum'> | null;
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
  readonly metrics: Pick<Metrics, 'limitHit' | 'videoSpent' | 'charactersSpent'>;
  /** Milliseconds since 1970; for tests. */
  readonly time?: () => number;
}

/** What is the same for all sites of a process. */
interface ProcessDeps extends SpendingDeps {
  /** The name of this process in Redis. */
  readonly writer: string;
  readonly namesNow: () => PeriodNames;
}

interface Spendings {
  /** The spending of a site, with these caps from now on. */
  (config: SpendingConfig): Spending;
  /** Counts what is still under way; nothing counts after that. */
  close(): void;
}

/** One for a process. */
export function spendings(deps: SpendingDeps): Spendings {
  const processDeps: ProcessDeps = {
    ...deps,
    writer: randomUUID(),
    namesNow: calendar(deps.time ?? Date.now),
  };
  const sites = new Map<string, SiteSpending>();
  const renew = (): void => sites.forEach((site) => site.renew());
  const keep = (): void => sites.forEach((site) => site.keepStreams());
  const stops = [
    ...(deps.link === null ? [] : [deps.clock.every(RENEW_MS, renew)]),
    ...(deps.file === null ? [] : [deps.clock.every(KEEP_MS, keep)]),
  ];
  const close = (): void => {
    for (const stop of stops) stop();
    sites.forEach((site) => site.end());
  };
  const of = (config: SpendingConfig): Spending => {
    const site = sites.get(config.site) ?? new SiteSpending(config, processDeps);
    sites.set(config.site, site);
    site.useCaps(config);
    return site;
  };
  return Object.assign(of, { close });
}

/** What one site has spent. */
class SiteSpending implements Spending {
  readonly #deps: ProcessDeps;
  readonly #name: string;
  /** The latest. */
  #caps: SpendingConfig;
  /** Whether there is a cap. Kept, because it is asked for each frame of a client; without a cap no date is needed. */
  #isCapped = false;
  readonly #sums: SiteSums;
  /** What is expected of the texts and requests under way. */
  readonly #expected = { seconds: 0, characters: 0 };
  /** What waits for room that no replica holds. */
  readonly #asked: Readonly<Record<Unit, Asked>> = { seconds: new Asked(), characters: new Asked() };
  /** Whether the sums are sent to Redis at the end of this turn. */
  #willShare = false;
  #hasEnded = false;
  /** When a session or request last asked; until IDLE_MS later it may have a session open. */
  #usedAt = -Infinity;

  constructor(caps: SpendingConfig, deps: ProcessDeps) {
    this.#deps = deps;
    this.#sums = new SiteSums(caps.site, deps);
    this.#name = caps.site;
    this.#caps = caps;
  }

  useCaps(caps: SpendingConfig): void {
    this.#caps = caps;
    this.#isCapped = RULES.some((rule) => this.#capOf(rule) < Infinity);
  }

  get isSpent(): boolean {
    return this.#left() <= 0;
  }

  mustWait(seconds: number, characters: number): boolean {
    if (!this.#isCapped) return false;
    if (this.#isOver('seconds', seconds) || this.#isOver('characters', characters)) return true;
    if (this.#deps.link?.isUp !== true) return false;
    this.#usedAt = this.#deps.clock.now();
    if (this.#hasRoom('seconds', seconds) && this.#hasRoom('characters', characters)) {
      this.#asked.seconds.take(seconds);
      this.#asked.characters.take(characters);
      return false;
    }
    this.#ask(seconds, characters);
    this.#shareSoon();
    return true;
  }

  expect(seconds: number, characters: number): void {
    const sum = this.#expected.seconds + seconds;
    // A rest this small is a rounding error of the sums. If it counted, a text would wait for it until the next day.
    this.#expected.seconds = sum < 0.001 ? 0 : sum;
    this.#expected.characters = Math.max(0, this.#expected.characters + characters);
    if (this.#isCapped) this.#shareSoon();
  }

  add({ seconds = 0, characters = 0 }: Amount): void {
    if (this.#hasEnded) return;
    this.#sums.add('seconds', seconds);
    this.#sums.add('characters', characters);
    this.#warn();
    this.#shareSoon();
  }

  streaming(): () => number {
    const end = this.#sums.openStream();
    return () => {
      const counted = end();
      this.#shareSoon();
      return counted;
    };
  }

  keepStreams(): void {
    this.#sums.keepStreams();
  }

  /** Counts what is under way: its connections are cut off now, the service may bill it, and nothing after this reaches a sum. */
  end(): void {
    this.add(this.#expected);
    this.#hasEnded = true;
    this.keepStreams();
    if (this.#deps.link?.isUp === false) this.#reportUnsent();
  }

  /** Reports the amounts that are lost: Redis is down, and this process sends nothing any more. */
  #reportUnsent(): void {
    const ofMonth = this.#sums.current().filter(({ rule }) => rule.period === 'month');
    const unsent = ofMonth.filter(({ added, shared }) => added > shared);
    if (unsent.length === 0) return;
    const amounts = unsent.map(({ rule, added, shared }) => [rule.unit, Math.round(added - shared)]);
    const fields = { site: this.#name, ...Object.fromEntries(amounts) };
    this.#deps.log.warn(fields, 'spending lost: the Redis is away');
  }

  /** Asks Redis to hold enough for the next text of a session. */
  renew(): void {
    if (this.#isCapped && this.#deps.clock.now() - this.#usedAt < IDLE_MS) this.#shareSoon();
  }

  async check(seconds = 0, characters = 0): Promise<void> {
    if (!this.#isCapped) return;
    this.#usedAt = this.#deps.clock.now();
    this.#ask(seconds, characters);
    await this.#share();
    this.#warn();
    if (this.#left() > 0) return;
    this.#deps.metrics.limitHit('budget_spent');
    throw new ProblemError('budget_spent');
  }

  #capOf({ cap }: Rule): number {
    return this.#caps[cap] ?? Infinity;
  }

  /** Sends the sums to Redis at the end of this turn, once for all that is counted in it. */
  #shareSoon(): void {
    if (this.#willShare || this.#deps.link === null) return;
    this.#willShare = true;
    queueMicrotask(() => {
      this.#willShare = false;
      void this.#share().then(() => this.#warn());
    });
  }

  async #share(): Promise<void> {
    const { link, clock, writer } = this.#deps;
    if (!link?.isUp) return;
    const shared = this.#sums.current().map((sum) => {
      return { sum, cap: this.#capOf(sum.rule), underWay: this.#underWay(sum.rule.unit) };
    });
    await shareSums(shared, { link, clock, writer, site: this.#name });
  }

  #underWay(unit: Unit): UnderWay {
    const streamed = unit === 'seconds' ? this.#sums.streamed : 0;
    return { expected: this.#expected[unit], streamed, ...this.#asked[unit].at(this.#deps.clock.now()) };
  }

  #ask(seconds: number, characters: number): void {
    const now = this.#deps.clock.now();
    this.#asked.seconds.add(seconds, now);
    this.#asked.characters.add(characters, now);
  }

  /** Whether Redis holds enough for this amount. */
  #hasRoom(unit: Unit, amount: number): boolean {
    if (!(amount > 0)) return true;
    const underWay = this.#underWay(unit);
    const now = this.#deps.clock.now();
    const sums = this.#sums.current().filter(({ rule }) => rule.unit === unit);
    return sums.every((sum) => this.#capOf(sum.rule) === Infinity || hasRoom(sum, underWay, amount, now));
  }

  /** The least that is left of a cap, of this unit or of any; the seconds of open streams count as spent. */
  #left(unit?: Unit): number {
    if (!this.#isCapped) return Infinity;
    const sums = this.#sums.current();
    const streamed = this.#sums.streamed;
    let least = Infinity;
    for (const { rule, total, elsewhere } of sums) {
      if (unit !== undefined && rule.unit !== unit) continue;
      const streams = elsewhere + (rule.unit === 'seconds' ? streamed : 0);
      least = Math.min(least, this.#capOf(rule) - total - streams);
    }
    return least;
  }

  /** Whether this amount would go over a cap together with what is under way; false when nothing is under way. */
  #isOver(unit: Unit, amount: number): boolean {
    const expected = this.#expected[unit];
    return amount > 0 && expected > 0 && expected + amount > this.#left(unit);
  }

  #warn(): void {
    if (!this.#isCapped) return;
    for (const sum of this.#sums.current()) {
      const { rule, total } = sum;
      const cap = this.#capOf(rule);
      // A cap of 0 stops the site and is no budget.
      if (sum.hasWarned || cap === 0 || total < cap * WARN_AT) continue;
      sum.hasWarned = true;
      const fields = { site: this.#name, period: rule.period, [rule.unit]: Math.round(total), cap };
      this.#deps.log.warn(fields, 'budget nearly spent');
    }
  }
}
