// The seconds of signed video that each site has spent in the day and the month (UTC), and their caps
// (SIGN_DAILY_SECONDS, SIGN_MONTHLY_SECONDS).
// - over a cap paid requests and upgrades are refused with 429 `budget_spent`, and an open session ends at its next frame. A cap
//   of 0 refuses all. There is no Retry-After, because a page must not wait for hours.
// - a warning is logged once at 80 % of a cap.
// - shared by replicas in Redis; what could not be sent to it is sent with the next amount. Without a Redis a restart
//   begins at 0.
// - counted by site and not by caps, so that a reload with other caps forgets nothing.
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config.ts';
import type { Metrics } from '../metrics.ts';
import { ProblemError } from '../problem.ts';
import { script } from '../redis/redis-client.ts';
import type { RedisLink } from '../redis/redis-link.ts';

const WARN_AT = 0.8;
const DAY_MS = 86_400_000;
/** How long Redis keeps the sum of a day, and of a month. */
const KEEP_MS = [2 * DAY_MS, 40 * DAY_MS] as const;

export interface Spending {
  /** Whether a cap is reached, as far as this process knows. */
  readonly isSpent: boolean;
  /** Adds seconds of video that were made. */
  add(seconds: number): void;
  /** The same question to all replicas. @throws ProblemError 429 `budget_spent` */
  check(): Promise<void>;
}

export type SpendingConfig = Pick<Config, 'site' | 'dailySeconds' | 'monthlySeconds'>;

interface SpendingDeps {
  readonly link: RedisLink | null;
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
  readonly metrics: Pick<Metrics, 'limitHit' | 'videoSpent'>;
  /** Milliseconds since 1970; for tests. */
  readonly time?: () => number;
}

/** The sum of one day or month. */
interface Sum {
  /** `2026-11-23` or `2026-11`. */
  name: string;
  seconds: number;
  hasWarned: boolean;
}

interface Account {
  readonly sums: readonly [Sum, Sum];
  /** Seconds that Redis does not know. */
  unsent: number;
}

/**
 * KEYS: the sums of the day and the month. ARGV: seconds to add, milliseconds to keep each, the sums that this process
 * knows: a Redis that came back empty has less. Returns both sums.
 */
const ADD = script(`
  local sums = {}
  for each = 1, 2 do
    local sum = tonumber(redis.call('GET', KEYS[each]) or '0') + tonumber(ARGV[1])
    sums[each] = string.format('%.3f', math.max(sum, tonumber(ARGV[each + 3])))
    redis.call('SET', KEYS[each], sums[each], 'PX', ARGV[each + 1])
  end
  return sums
`);

/** One for a process; the returned function gives the spending of a site. */
export function spendings(deps: SpendingDeps): (config: SpendingConfig) => Spending {
  const { link, log, metrics, time = Date.now } = deps;
  const accounts = new Map<string, Account>();

  const accountOf = (site: string): Account => {
    const sum = (): Sum => ({ name: '', seconds: 0, hasWarned: false });
    const account = accounts.get(site) ?? { sums: [sum(), sum()], unsent: 0 };
    accounts.set(site, account);
    const now = new Date(time()).toISOString();
    const names = [now.slice(0, '2026-11-23'.length), now.slice(0, '2026-11'.length)] as const;
    account.sums.forEach((each, n) => {
      const name = names[n] ?? '';
      if (each.name !== name) Object.assign(each, { name, seconds: 0, hasWarned: false });
    });
    return account;
  };

  /** Tells Redis what it does not know, and learns what other replicas have spent. */
  const share = async (site: string): Promise<void> => {
    if (!link?.isUp) return;
    const { sums, unsent } = accountOf(site);
    const names = sums.map(({ name }) => name);
    const known = sums.map(({ seconds }) => seconds);
    accountOf(site).unsent = 0;
    const keys = names.map((name) => `sign:spent:${site}:${name}`);
    const answer = await link.run(ADD, keys, [unsent, ...KEEP_MS, ...known]);
    const account = accountOf(site);
    if (!Array.isArray(answer)) {
      account.unsent += unsent;
      return;
    }
    account.sums.forEach((sum, n) => {
      const shared = Number(answer[n]);
      if (sum.name === names[n] && shared > sum.seconds) sum.seconds = shared;
    });
  };

  return ({ site, dailySeconds, monthlySeconds }) => {
    const caps = [dailySeconds, monthlySeconds];
    const periods = ['day', 'month'] as const;
    const isSpent = (): boolean =>
      accountOf(site).sums.some(({ seconds }, n) => seconds >= (caps[n] ?? Infinity));
    const warn = (): void =>
      accountOf(site).sums.forEach((sum, n) => {
        const cap = caps[n] ?? Infinity;
        if (sum.hasWarned || sum.seconds < cap * WARN_AT) return;
        sum.hasWarned = true;
        log.warn({ site, period: periods[n], seconds: Math.round(sum.seconds), cap }, 'budget nearly spent');
      });
    return {
      get isSpent() {
        return isSpent();
      },
      add(seconds) {
        if (!(seconds > 0 && Number.isFinite(seconds))) return;
        const account = accountOf(site);
        for (const sum of account.sums) sum.seconds += seconds;
        account.unsent += link === null ? 0 : seconds;
        metrics.videoSpent(site, seconds);
        warn();
        void share(site).then(warn);
      },
      async check() {
        if (caps.every((cap) => cap === null)) return;
        await share(site);
        warn();
        if (!isSpent()) return;
        metrics.limitHit('budget_spent');
        throw new ProblemError('budget_spent');
      },
    };
  };
}
