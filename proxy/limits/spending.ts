// The seconds of signed video and the characters of text that each site has spent in the day and the month (UTC), and their
// caps (SIGN_DAILY_SECONDS, SIGN_MONTHLY_SECONDS, SIGN_DAILY_CHARACTERS, SIGN_MONTHLY_CHARACTERS).
// - Over a cap paid requests and upgrades are refused with 429 `budget_spent`, and an open session ends at its next frame. A cap
//   of 0 refuses all. There is no Retry-After, because a page must not wait for hours.
// - Shared by replicas in Redis; what could not be sent to it is sent with the next amount, and counts once also where Redis took
//   the first sending and answered too late. Without a Redis the sums are kept in a file, where there is one (spending-file.ts).
// - Counted by site and not by caps, so that a reload with other caps forgets nothing. The caps of the last reload count for
//   sessions that were opened before it too.
// - The time of streams that are open in this process counts towards the caps before it is added. At the end of a day it is added
//   to the sums of that day.
// - A text or request under way in this process counts with its estimate, and a request also with its characters (those of a text
//   are added when it goes up). A text or request that would then go over a cap has to wait; when nothing else is under way it
//   may go over the cap.
import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Metrics } from '../metrics.ts';
import { ProblemError } from '../problem.ts';
import type { RedisLink } from '../redis/redis-link.ts';
import { calendar, type PeriodNames } from './calendar.ts';
import type { SpendingFile } from './spending-file.ts';
import { ADD } from './spending-script.ts';

/** The share of a cap at which a warning is logged once. */
const WARN_AT = 0.8;
const DAY_MS = 86_400_000;

/** What is capped. Redis keeps the sum of a day, and of a month, for `keepMs`. */
const RULES = [
  { unit: 'seconds', period: 'day', cap: 'dailySeconds', prefix: 'sign:spent', keepMs: 2 * DAY_MS },
  { unit: 'seconds', period: 'month', cap: 'monthlySeconds', prefix: 'sign:spent', keepMs: 40 * DAY_MS },
  {
    unit: 'characters',
    period: 'day',
    cap: 'dailyCharacters',
    prefix: 'sign:characters',
    keepMs: 2 * DAY_MS,
  },
  {
    unit: 'characters',
    period: 'month',
    cap: 'monthlyCharacters',
    prefix: 'sign:characters',
    keepMs: 40 * DAY_MS,
  },
] as const;

type Unit = (typeof RULES)[number]['unit'];

type Amount = Readonly<Partial<Record<Unit, number>>>;

export interface Spending {
  /** Whether a cap is reached, as far as this process knows. */
  readonly isSpent: boolean;
  /** Whether so much more has to wait until something under way is counted. */
  mustWait(seconds: number, characters: number): boolean;
  /** So much more is under way; negative numbers take back what was expected. */
  expect(seconds: number, characters: number): void;
  /** Adds seconds of video that were made, and characters that were sent to be signed. */
  add(amount: Amount): void;
  /**
   * A stream begins to count towards the caps. The returned function ends that, and is called once; it gives the seconds that
   * were added to the sums of earlier days.
   */
  streaming(): () => number;
  /** Whether a cap is reached, as far as any replica knows. @throws ProblemError 429 `budget_spent` */
  check(): Promise<void>;
}

export type SpendingConfig = Pick<Config, 'site' | (typeof RULES)[number]['cap']>;

interface SpendingDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly link: RedisLink | null;
  /** Null for sums that a restart forgets. */
  readonly file: SpendingFile | null;
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
  readonly metrics: Pick<Metrics, 'limitHit' | 'videoSpent' | 'charactersSpent'>;
  /** Milliseconds since 1970; for tests. */
  readonly time?: () => number;
}

/** The sum of one rule in its current day or month. */
interface Sum {
  readonly rule: (typeof RULES)[number];
  /** Of its day or month. */
  name: string;
  total: number;
  /** What this process has added to it, and what of that Redis is known to have. */
  added: number;
  shared: number;
  hasWarned: boolean;
}

/** What is the same for all sites of a process. */
interface ProcessDeps extends SpendingDeps {
  /** The name of this process in Redis. */
  readonly writer: string;
  readonly namesNow: () => PeriodNames;
}

/** One for a process; the returned function gives the spending of a site, with these caps from now on. */
export function spendings(deps: SpendingDeps): (config: SpendingConfig) => Spending {
  const processDeps: ProcessDeps = {
    ...deps,
    writer: randomUUID(),
    namesNow: calendar(deps.time ?? Date.now),
  };
  const sites = new Map<string, SiteSpending>();
  return (config) => {
    const site = sites.get(config.site) ?? new SiteSpending(config, processDeps);
    sites.set(config.site, site);
    site.useCaps(config);
    return site;
  };
}

/** What one site has spent. */
class SiteSpending implements Spending {
  readonly #deps: ProcessDeps;
  readonly #name: string;
  /** The latest. */
  #caps: SpendingConfig;
  /** Whether there is a cap. Kept, because it is asked for each frame of a client; without a cap no date is needed. */
  #isCapped = false;
  #names: PeriodNames = { day: '', month: '' };
  /** In the order of RULES. */
  readonly #sums: readonly Sum[] = RULES.map((rule) => ({
    rule,
    name: '',
    total: 0,
    added: 0,
    shared: 0,
    hasWarned: false,
  }));
  /** The open streams: how many, the sum of the times from which they count, and since when those of earlier days count. */
  readonly #streams = { count: 0, begun: 0, countedTo: -Infinity };
  /** What is expected of the texts and requests under way. */
  readonly #expected = { seconds: 0, characters: 0 };

  constructor(caps: SpendingConfig, deps: ProcessDeps) {
    this.#deps = deps;
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
    return this.#isCapped && (this.#isOver('seconds', seconds) || this.#isOver('characters', characters));
  }

  expect(seconds: number, characters: number): void {
    const sum = this.#expected.seconds + seconds;
    // What adding and taking fractions leaves is nothing: a text would wait for it until the next day.
    this.#expected.seconds = sum < 0.001 ? 0 : sum;
    this.#expected.characters = Math.max(0, this.#expected.characters + characters);
  }

  add({ seconds = 0, characters = 0 }: Amount): void {
    this.#count('seconds', seconds);
    this.#count('characters', characters);
    this.#warn();
    if (this.#deps.link !== null) void this.#share().then(() => this.#warn());
  }

  streaming(): () => number {
    this.#currentSums();
    const streams = this.#streams;
    const begun = this.#deps.clock.now();
    streams.count += 1;
    streams.begun += begun;
    return () => {
      this.#currentSums();
      const from = Math.max(begun, streams.countedTo);
      streams.count -= 1;
      streams.begun = streams.count === 0 ? 0 : streams.begun - from;
      return (from - begun) / 1000;
    };
  }

  async check(): Promise<void> {
    if (!this.#isCapped) return;
    await this.#share();
    this.#warn();
    if (this.#left() > 0) return;
    this.#deps.metrics.limitHit('budget_spent');
    throw new ProblemError('budget_spent');
  }

  #capOf({ cap }: Sum['rule']): number {
    return this.#caps[cap] ?? Infinity;
  }

  /** The sums of the current day and month. */
  #currentSums(): readonly Sum[] {
    const { file, namesNow } = this.#deps;
    const names = namesNow();
    if (this.#names === names) return this.#sums;
    this.#addStreams();
    this.#names = names;
    for (const sum of this.#sums) {
      const { unit, period } = sum.rule;
      const name = names[period];
      if (sum.name === name) continue;
      const total = file?.sum(this.#name, name, unit) ?? 0;
      Object.assign(sum, { name, total, added: 0, shared: 0, hasWarned: false });
    }
    return this.#sums;
  }

  /** Adds the time of the open streams to the day that ends. */
  #addStreams(): void {
    const streams = this.#streams;
    if (streams.count === 0) return;
    const now = this.#deps.clock.now();
    const seconds = this.#streamedSeconds(now);
    for (const sum of this.#sums) if (sum.rule.unit === 'seconds') this.#addTo(sum, seconds);
    this.#deps.metrics.videoSpent(this.#name, seconds);
    streams.begun = streams.count * now;
    streams.countedTo = now;
  }

  /** Of all open streams together, as far as it is in no sum yet. */
  #streamedSeconds(now: number): number {
    return (this.#streams.count * now - this.#streams.begun) / 1000;
  }

  #count(unit: Unit, amount: number): void {
    if (!(amount > 0 && Number.isFinite(amount))) return;
    for (const sum of this.#currentSums()) if (sum.rule.unit === unit) this.#addTo(sum, amount);
    const { metrics } = this.#deps;
    if (unit === 'seconds') metrics.videoSpent(this.#name, amount);
    else metrics.charactersSpent(this.#name, amount);
  }

  #addTo(sum: Sum, amount: number): void {
    sum.total += amount;
    sum.added += amount;
    this.#deps.file?.set(this.#name, sum.name, sum.rule.unit, sum.total);
  }

  /** Sends Redis the amounts that it does not have, and receives what other replicas have spent. */
  async #share(): Promise<void> {
    const { link, writer } = this.#deps;
    if (!link?.isUp) return;
    const sums = this.#currentSums();
    const sent = sums.map(({ name, added }) => ({ name, added }));
    const keys = sums.map(({ rule, name }) => `${rule.prefix}:${this.#name}:${name}`);
    const values = sums.flatMap(({ rule, total, added, shared }) => [added, shared, total, rule.keepMs]);
    const answer = await link.run(ADD, [...keys, ...keys.map((key) => `${key}:by`)], [writer, ...values]);
    if (!Array.isArray(answer)) return;
    for (const [n, sum] of this.#currentSums().entries()) {
      // A new day may have begun meanwhile.
      if (sum.name !== sent[n]?.name) continue;
      sum.total = Math.max(sum.total, Number(answer[n]) || 0);
      sum.shared = Math.max(sum.shared, sent[n].added);
    }
  }

  /** The least that is left of a cap, of this unit or of any; the seconds of open streams count as spent. */
  #left(unit?: Unit): number {
    if (!this.#isCapped) return Infinity;
    const sums = this.#currentSums();
    const streamed = this.#streams.count === 0 ? 0 : this.#streamedSeconds(this.#deps.clock.now());
    let least = Infinity;
    for (const { rule, total } of sums) {
      if (unit !== undefined && rule.unit !== unit) continue;
      least = Math.min(least, this.#capOf(rule) - total - (rule.unit === 'seconds' ? streamed : 0));
    }
    return least;
  }

  /** Whether so much more would go over a cap together with what is under way, if anything is. */
  #isOver(unit: Unit, amount: number): boolean {
    const expected = this.#expected[unit];
    return amount > 0 && expected > 0 && expected + amount > this.#left(unit);
  }

  #warn(): void {
    if (!this.#isCapped) return;
    for (const sum of this.#currentSums()) {
      const { rule, total } = sum;
      const cap = this.#capOf(rule);
      if (sum.hasWarned || total < cap * WARN_AT) continue;
      sum.hasWarned = true;
      const fields = { site: this.#name, period: rule.period, [rule.unit]: Math.round(total), cap };
      this.#deps.log.warn(fields, 'budget nearly spent');
    }
  }
}
