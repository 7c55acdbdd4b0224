// The sums of what a site spends, and what a replica holds of the rest of each cap.
// - The time of open streams is added to the sums of a day at the end of the day; the session counts the time after that
//   (session-spending.ts). Meanwhile the file has the time, because a process that is killed ends no session.
import type { Clock } from '../clock.ts';
import type { Metrics } from '../metrics.ts';
import type { PeriodNames } from './calendar.ts';
import type { SpendingFile } from './spending-file.ts';

const DAY_MS = 86_400_000;

/** What is capped. Redis keeps the sum of a day, and of a month, for `keepMs`. */
export const RULES = [
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

export type Rule = (typeof RULES)[number];
export type Unit = Rule['unit'];
export type Amount = Readonly<Partial<Record<Unit, number>>>;

/** The values with which each day or month begins. */
const EMPTY = { total: 0, added: 0, shared: 0, held: 0, heldUntil: 0, elsewhere: 0, hasWarned: false };

/** The sum of one rule in a day or month. */
export interface Sum {
  readonly rule: Rule;
  /** The name of its day or month. */
  readonly name: string;
  total: number;
  /** What this process has added to the sum, and how much of that Redis has for sure. */
  added: number;
  shared: number;
  /** How much Redis holds for what this process has under way and has not shared, and until when by the clock. */
  held: number;
  heldUntil: number;
  /** The seconds of the streams that are open in other replicas. */
  elsewhere: number;
  hasWarned: boolean;
}

interface SiteSumsDeps {
  readonly clock: Pick<Clock, 'now'>;
  /** Null for sums that a restart forgets. */
  readonly file: Pick<SpendingFile, 'set' | 'sum'> | null;
  readonly metrics: Pick<Metrics, 'videoSpent' | 'charactersSpent'>;
  readonly namesNow: () => PeriodNames;
}

/** The seconds of the streams of a site that are open in this process and that were not yet added to a sum. */
class OpenStreams {
  readonly #clock: Pick<Clock, 'now'>;
  #count = 0;
  /** The sum of the times from which the open streams count. */
  #begun = 0;
  /** The time of the last `take()`, from which the streams that were open then count. */
  #countedTo = -Infinity;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Of all open streams together. */
  get seconds(): number {
    return this.#count === 0 ? 0 : (this.#count * this.#clock.now() - this.#begun) / 1000;
  }

  /** Opens a stream. The returned function ends it, and gives the seconds of it that `take()` has given. */
  open(): () => number {
    const begun = this.#clock.now();
    this.#count += 1;
    this.#begun += begun;
    return () => {
      const from = Math.max(begun, this.#countedTo);
      this.#count -= 1;
      this.#begun = this.#count === 0 ? 0 : this.#begun - from;
      return (from - begun) / 1000;
    };
  }

  /** Gives the seconds until now; from then on the streams count from 0. */
  take(): number {
    const { seconds } = this;
    const now = this.#clock.now();
    this.#begun = this.#count * now;
    this.#countedTo = now;
    return seconds;
  }
}

/** The sums of one site. */
export class SiteSums {
  readonly #site: string;
  readonly #deps: SiteSumsDeps;
  #names: PeriodNames = { day: '', month: '' };
  /** In the order of RULES. */
  readonly #sums: Sum[] = RULES.map((rule) => ({ rule, name: '', ...EMPTY }));
  /** The sums of the day or month before, which continue when a clock that was ahead is set back. */
  readonly #before: Sum[] = [...this.#sums];
  readonly #streams: OpenStreams;

  constructor(site: string, deps: SiteSumsDeps) {
    this.#site = site;
    this.#deps = deps;
    this.#streams = new OpenStreams(deps.clock);
  }

  /** The sums of the current day and month. */
  current(): readonly Sum[] {
    const { file, namesNow } = this.#deps;
    const names = namesNow();
    if (this.#names === names) return this.#sums;
    this.#addStreams();
    this.#names = names;
    for (const [at, sum] of this.#sums.entries()) {
      const { rule } = sum;
      const name = names[rule.period];
      if (sum.name === name) continue;
      const total = file?.sum(this.#site, name, rule.unit) ?? 0;
      const before = this.#before[at];
      this.#before[at] = sum;
      this.#sums[at] = before?.name === name ? before : { rule, name, ...EMPTY, total };
    }
    return this.#sums;
  }

  /** The seconds of the open streams that are in no sum. */
  get streamed(): number {
    return this.#streams.seconds;
  }

  /** A stream is open until the returned function is called, which gives the seconds that were added to sums of earlier days. */
  openStream(): () => number {
    this.current();
    const end = this.#streams.open();
    return () => {
      this.current();
      return end();
    };
  }

  /** Writes the time of the open streams into the file. */
  keepStreams(): void {
    for (const sum of this.current()) if (sum.rule.unit === 'seconds') this.#keep(sum);
  }

  add(unit: Unit, amount: number): void {
    if (!(amount > 0 && Number.isFinite(amount))) return;
    for (const sum of this.current()) if (sum.rule.unit === unit) this.#addTo(sum, amount);
    const { metrics } = this.#deps;
    if (unit === 'seconds') metrics.videoSpent(this.#site, amount);
    else metrics.charactersSpent(this.#site, amount);
  }

  /** Adds the time of the open streams to the day that ends. */
  #addStreams(): void {
    const seconds = this.#streams.take();
    if (seconds === 0) return;
    for (const sum of this.#sums) if (sum.rule.unit === 'seconds') this.#addTo(sum, seconds);
    this.#deps.metrics.videoSpent(this.#site, seconds);
  }

  #addTo(sum: Sum, amount: number): void {
    sum.total += amount;
    sum.added += amount;
    this.#keep(sum);
  }

  #keep({ name, rule: { unit }, total }: Sum): void {
    this.#deps.file?.set(this.#site, name, unit, unit === 'seconds' ? total + this.streamed : total);
  }
}
