// The sums that a site has of what it spends, and what a replica holds of what is left of them.

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

/** What is new with each day or month. */
const EMPTY = { total: 0, added: 0, shared: 0, held: 0, heldUntil: 0, elsewhere: 0, hasWarned: false };

/** The sum of one rule in its current day or month. */
export interface Sum {
  readonly rule: Rule;
  /** Of its day or month. */
  name: string;
  total: number;
  /** What this process has added to it, and what of that Redis is known to have. */
  added: number;
  shared: number;
  /** How much Redis holds for what this process has under way and has not shared, and until when by the clock. */
  held: number;
  heldUntil: number;
  /** The seconds of the streams that are open in other replicas. */
  elsewhere: number;
  hasWarned: boolean;
}

/** In the order of RULES. */
export const newSums = (): readonly Sum[] => RULES.map((rule) => ({ rule, name: '', ...EMPTY }));

/** Begins the sum of another day or month with this total. */
export const beginSum = (sum: Sum, name: string, total: number): Sum =>
  Object.assign(sum, EMPTY, { name, total });
