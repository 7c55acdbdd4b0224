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

/** What the current day and month are called: `2026-11-23` and `2026-11`. */
type Names = Readonly<Record<(typeof RULES)[number]['period'], string>>;

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

/** What is known of one site. */
interface Site {
  /** The latest. */
  config: SpendingConfig;
  /** Whether `config` has a cap. Kept, because it is asked for each frame of a client; without a cap no date is needed. */
  isCapped: boolean;
  names: Names;
  /** In the order of RULES. */
  readonly sums: readonly Sum[];
  /** Its open streams: how many, the sum of the times from which they count, and since when those of earlier days count. */
  readonly streams: { count: number; begun: number; countedTo: number };
  /** What is expected of the texts and requests under way. */
  readonly expected: Record<Unit, number>;
}

/** One for a process; the returned function gives the spending of a site. */
export function spendings(deps: SpendingDeps): (config: SpendingConfig) => Spending {
  const { clock, link, file, log, metrics, time = Date.now } = deps;
  const sites = new Map<string, Site>();
  /** The name of this process. */
  const writer = randomUUID();

  let names: Names = { day: '', month: '' };
  let namesFrom = Infinity;
  /** The current day and month, computed once a day, because every frame needs them. */
  const namesNow = (): Names => {
    const now = time();
    if (now >= namesFrom && now < namesFrom + DAY_MS) return names;
    const date = new Date(now).toISOString();
    names = { day: date.slice(0, '2026-11-23'.length), month: date.slice(0, '2026-11'.length) };
    namesFrom = Math.floor(now / DAY_MS) * DAY_MS;
    return names;
  };

  const addTo = (site: Site, sum: Sum, amount: number): void => {
    sum.total += amount;
    sum.added += amount;
    file?.set(site.config.site, sum.name, sum.rule.unit, sum.total);
  };

  /** Adds the time of the open streams to the day that ends. */
  const addStreams = (site: Site): void => {
    const { streams } = site;
    if (streams.count === 0) return;
    const now = clock.now();
    const seconds = (streams.count * now - streams.begun) / 1000;
    for (const sum of site.sums) if (sum.rule.unit === 'seconds') addTo(site, sum, seconds);
    metrics.videoSpent(site.config.site, seconds);
    streams.begun = streams.count * now;
    streams.countedTo = now;
  };

  /** The sums of the current day and month. */
  const sumsOf = (site: Site): readonly Sum[] => {
    const names = namesNow();
    if (site.names === names) return site.sums;
    addStreams(site);
    site.names = names;
    for (const sum of site.sums) {
      const { unit, period } = sum.rule;
      const name = names[period];
      if (sum.name === name) continue;
      const total = file?.sum(site.config.site, name, unit) ?? 0;
      Object.assign(sum, { name, total, added: 0, shared: 0, hasWarned: false });
    }
    return site.sums;
  };

  /** Sends Redis the amounts that it does not have, and receives what other replicas have spent. */
  const share = async (site: Site): Promise<void> => {
    if (!link?.isUp) return;
    const sums = sumsOf(site);
    const sent = sums.map(({ name, added }) => ({ name, added }));
    const keys = sums.map(({ rule, name }) => `${rule.prefix}:${site.config.site}:${name}`);
    const values = sums.flatMap(({ rule, total, added, shared }) => [added, shared, total, rule.keepMs]);
    const answer = await link.run(ADD, [...keys, ...keys.map((key) => `${key}:by`)], [writer, ...values]);
    if (!Array.isArray(answer)) return;
    for (const [n, sum] of sumsOf(site).entries()) {
      // A new day may have begun meanwhile.
      if (sum.name !== sent[n]?.name) continue;
      sum.total = Math.max(sum.total, Number(answer[n]) || 0);
      sum.shared = Math.max(sum.shared, sent[n].added);
    }
  };

  /** The least that is left of a cap; the seconds of open streams count as spent. */
  const left = (site: Site, unit?: Unit): number => {
    if (!site.isCapped) return Infinity;
    const sums = sumsOf(site);
    const { count, begun } = site.streams;
    const streamed = count === 0 ? 0 : (count * clock.now() - begun) / 1000;
    let least = Infinity;
    for (const { rule, total } of sums) {
      if (unit !== undefined && rule.unit !== unit) continue;
      least = Math.min(least, capOf(site, rule) - total - (rule.unit === 'seconds' ? streamed : 0));
    }
    return least;
  };
  /** Whether so much more would go over a cap together with what is under way, if anything is. */
  const isOver = (site: Site, unit: Unit, amount: number): boolean => {
    const expected = site.expected[unit];
    return amount > 0 && expected > 0 && expected + amount > left(site, unit);
  };
  const warn = (site: Site): void => {
    if (!site.isCapped) return;
    for (const sum of sumsOf(site)) {
      const { rule, total } = sum;
      const cap = capOf(site, rule);
      if (sum.hasWarned || total < cap * WARN_AT) continue;
      sum.hasWarned = true;
      const fields = { site: site.config.site, period: rule.period, [rule.unit]: Math.round(total), cap };
      log.warn(fields, 'budget nearly spent');
    }
  };

  const count = (site: Site, unit: Unit, amount: number): void => {
    if (!(amount > 0 && Number.isFinite(amount))) return;
    for (const sum of sumsOf(site)) {
      if (sum.rule.unit === unit) addTo(site, sum, amount);
    }
    if (unit === 'seconds') metrics.videoSpent(site.config.site, amount);
    else metrics.charactersSpent(site.config.site, amount);
  };

  return (config) => {
    const site = sites.get(config.site) ?? newSite(config);
    sites.set(config.site, site);
    site.config = config;
    site.isCapped = RULES.some((rule) => capOf(site, rule) < Infinity);
    return {
      get isSpent() {
        return left(site) <= 0;
      },
      mustWait: (seconds, characters) =>
        site.isCapped && (isOver(site, 'seconds', seconds) || isOver(site, 'characters', characters)),
      expect(seconds, characters) {
        const { expected } = site;
        const sum = expected.seconds + seconds;
        // What adding and taking fractions leaves is nothing: a text would wait for it until the next day.
        expected.seconds = sum < 0.001 ? 0 : sum;
        expected.characters = Math.max(0, expected.characters + characters);
      },
      add({ seconds = 0, characters = 0 }) {
        count(site, 'seconds', seconds);
        count(site, 'characters', characters);
        warn(site);
        if (link !== null) void share(site).then(() => warn(site));
      },
      streaming() {
        sumsOf(site);
        const { streams } = site;
        const begun = clock.now();
        streams.count += 1;
        streams.begun += begun;
        return () => {
          sumsOf(site);
          const from = Math.max(begun, streams.countedTo);
          streams.count -= 1;
          streams.begun = streams.count === 0 ? 0 : streams.begun - from;
          return (from - begun) / 1000;
        };
      },
      async check() {
        if (!site.isCapped) return;
        await share(site);
        warn(site);
        if (left(site) > 0) return;
        metrics.limitHit('budget_spent');
        throw new ProblemError('budget_spent');
      },
    };
  };
}

const newSite = (config: SpendingConfig): Site => ({
  config,
  isCapped: false,
  names: { day: '', month: '' },
  sums: RULES.map((rule) => ({ rule, name: '', total: 0, added: 0, shared: 0, hasWarned: false })),
  streams: { count: 0, begun: 0, countedTo: -Infinity },
  expected: { seconds: 0, characters: 0 },
});

const capOf = ({ config }: Site, { cap }: Sum['rule']): number => config[cap] ?? Infinity;
