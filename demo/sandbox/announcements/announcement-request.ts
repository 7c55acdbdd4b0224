// The body of a submit (document 1, Announcement request): its fields, the rules between them, and how it is read.
// - Values must be exact: capitals where the document shows capitals, no white space in lists, at most 60 items in a list. A flag
//   is `true` or `false`, as a string or as a JSON boolean. Only `timing` and the platforms may be empty; an empty one counts as
//   not given.
// - One refusal names everything that is wrong. An unknown field is also wrong.
// - Besides the two rules that the document names (`currentStation`, `operatorDelay`), only contradictions are refused:
//   for example a cancelled train that is also delayed, or a station that is both in `callingAt` and in `notCallingAt`.
// - `destination` is required even where it is not spoken. The document's default, KGX, is what a client sends when it has no
//   destination.
// - A static message overrides the other fields: they must still be valid, but may contradict each other.
import * as z from 'zod/mini';
import { operatorOf, reasonOf, staticMessageCodes, staticMessageOf } from './rail-codes.ts';
import { type Station, stationOf, stationOfCrs } from './stations.ts';

const MOST_ITEMS = 60;

/** One item of `splitInfo`; `coaches` is null when the number is not given. */
export interface SplitItem {
  readonly part: 'at' | 'split' | 'front' | 'back';
  readonly station: Station;
  readonly coaches: number | null;
}

/** Whether lifts or escalators work: all do, none does, or how many are broken and how many work. */
export type LiftStatus = 'all' | 'none' | { readonly broken: number; readonly working: number };

/** A string that `read` accepts; when it returns undefined, the refusal says `words`. */
const field = <T>(words: string, read: (given: string) => T | undefined) =>
  z.pipe(
    z.string(words),
    z.transform((given, context): T => {
      const value = read(given);
      if (value !== undefined) return value;
      context.issues.push({ code: 'custom', message: words, input: given });
      return z.NEVER;
    }),
  );

/** A comma-separated list; `read` must accept each item. */
const list = <T>(words: string, read: (item: string) => T | null, most = MOST_ITEMS) =>
  field(`${words}, at most ${most}`, (given): readonly T[] | undefined => {
    const items = given.split(',', most + 1).map(read);
    return items.length <= most && items.every((item) => item !== null) ? items : undefined;
  });

const orEmpty = (words: string, shape: RegExp) =>
  field(`${words}, or empty`, (given) => (given === '' ? null : shape.test(given) ? given : undefined));

const TIME = '4 digits HHMM from 0000 to 2359';
const timeShape = /^([01]\d|2[0-3])[0-5]\d$/;
const platform = orEmpty(
  'a number from 0 to 24, with or without a letter from A to D',
  /^(\d|1\d|2[0-4])[A-D]?$/,
);

const flag = z.pipe(
  z.union([z.boolean(), z.enum(['true', 'false'])], 'true or false'),
  z.transform((given) => given === true || given === 'true'),
);

const oneOf = <const T extends string>(...values: readonly T[]) =>
  z.enum(values, `one of ${values.join(', ')}`);

const crs = field('a recognised CRS code', (given) => stationOfCrs(given) ?? undefined);
const crsList = list('comma-separated recognised CRS codes', stationOfCrs);

function splitItemOf(given: string): SplitItem | null {
  const shape = /^(?:([1-9]\d?)(?=front|back))?(at|split|front|back)([A-Z]{3})$/;
  const [, coaches, part, code] = shape.exec(given) ?? [];
  const station = stationOfCrs(code ?? '');
  return station && { part: part as SplitItem['part'], station, coaches: coaches ? Number(coaches) : null };
}

const liftStatus = field(
  '<X>broke,<Y>work with counts, allwork or allbroke',
  (given): LiftStatus | undefined => {
    if (given === 'allwork') return 'all';
    if (given === 'allbroke') return 'none';
    const counts = /^(\d{1,2})broke,(\d{1,2})work$/.exec(given);
    return counts ? { broken: Number(counts[1]), working: Number(counts[2]) } : undefined;
  },
);

function colourOf(given: string): string | undefined {
  if (given === '-1,-1,-1') return 'transparent';
  const parts = /^(\d{1,3}),(\d{1,3}),(\d{1,3})$/.exec(given)?.slice(1).map(Number);
  if (!parts?.every((part) => part <= 255)) return undefined;
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** All fields. Codes of stations, operators, reasons and messages become words; times and platforms stay as given. */
export const announcementFields = {
  destination: field('a recognised CRS or TIPLOC code', (given) => stationOf(given) ?? undefined),
  timing: orEmpty(TIME, timeShape),
  platform,
  operator: field('a recognised two-letter operator code', (given) => operatorOf(given) ?? undefined),
  via: crsList,

  updatedTiming: field(TIME, (given) => (timeShape.test(given) ? given : undefined)),
  updatedPlatform: platform,
  cancelled: flag,
  shortDelay: flag,
  longDelay: flag,
  disruptionReason: field(
    'a disruption code of the rail data feed, 100 to 187 or 501 to 921',
    (given) => reasonOf(given) ?? undefined,
  ),
  noPlatform: flag,

  callingAt: list('comma-separated recognised CRS or TIPLOC codes', stationOf),
  notCallingAt: crsList,
  splitInfo: list(
    'comma-separated items at<CRS>, split<CRS>, <n>front<CRS> or <n>back<CRS> with recognised codes',
    splitItemOf,
  ),

  platformInfo: oneOf('next', 'approaching', 'now'),
  arrivalInfo: oneOf('will_arrive', 'has_arrived'),
  stopInfo: oneOf('next', 'final'),
  currentlyAt: list('one recognised CRS code, or two with a comma between', stationOfCrs, 2),
  waitsHere: field('minutes as one to three digits', (given) =>
    /^\d{1,3}$/.test(given) ? Number(given) : undefined,
  ),
  exitSide: oneOf('left', 'right'),

  busReplacement: flag,
  currentStation: crs,
  operatorDelay: oneOf('minor', 'severe', 'special'),
  liftStatus,
  escalatorStatus: liftStatus,
  staticMessage: field(
    `one of ${staticMessageCodes.join(', ')}`,
    (given) => staticMessageOf(given) ?? undefined,
  ),
  /** Becomes the backdrop of a RenderStyle: `#rrggbb` or `transparent`. */
  bgColour: field('three integers <r>,<g>,<b> from 0 to 255, or -1,-1,-1', colourOf),
} as const;

export type FieldName = keyof typeof announcementFields;

/** The value of each field. */
type FieldValues = { readonly [K in FieldName]: z.infer<(typeof announcementFields)[K]> };

const isFieldName = (name: string): name is FieldName => Object.hasOwn(announcementFields, name);

/** A field, and the field that it needs. */
const needs: readonly (readonly [FieldName, FieldName])[] = [
  ['currentStation', 'busReplacement'],
  ['operatorDelay', 'operator'],
];

/** A field, and the fields that it excludes. */
const excludes: readonly (readonly [FieldName, readonly FieldName[]])[] = [
  [
    'cancelled',
    ['shortDelay', 'longDelay', 'updatedTiming', 'updatedPlatform', 'platformInfo', 'arrivalInfo'],
  ],
  ['shortDelay', ['updatedTiming']],
  ['longDelay', ['updatedTiming']],
  ['noPlatform', ['platform', 'updatedPlatform']],
];

/**
 * A message for each contradiction.
 * @param says true for a field that is given, unless it is empty or a flag that is false
 * @param values the fields that could be read
 */
function contradictions(says: (name: FieldName) => boolean, values: Partial<FieldValues>): readonly string[] {
  const lacking = needs
    .filter(([name, needed]) => says(name) && !says(needed))
    .map(([name, needed]) => `${name}: needs ${needed}`);
  const clashing = excludes.flatMap(([name, others]) =>
    says(name) ? others.filter(says).map((other) => `${other}: cannot be together with ${name}`) : [],
  );
  const both = values.notCallingAt?.filter((station) => values.callingAt?.includes(station)) ?? [];
  return [...lacking, ...clashing, ...both.map(({ crs }) => `notCallingAt: ${crs} is in callingAt, too`)];
}

const MOST_PROBLEMS = 50;

/** What an announcement says. Fields that were not given are absent; empty times and platforms are null. */
export type Announcement = Partial<FieldValues> & Pick<FieldValues, 'destination'>;

/** The body is not a valid announcement request. `message` is the errorLog. */
export class AnnouncementRefused extends Error {
  override readonly name = 'AnnouncementRefused';

  constructor(problems: readonly string[]) {
    super(problems.slice(0, MOST_PROBLEMS).join('; '));
  }
}

const isObject = (body: unknown): body is Readonly<Record<string, unknown>> =>
  typeof body === 'object' && body !== null && !Array.isArray(body);

/** @throws AnnouncementRefused */
export function readAnnouncement(body: unknown): Announcement {
  if (!isObject(body)) throw new AnnouncementRefused(['body: a JSON object']);
  const problems: string[] = [];
  const values: Partial<Record<FieldName, unknown>> = {};
  for (const [name, given] of Object.entries(body)) {
    if (!isFieldName(name)) {
      problems.push(`${name.slice(0, 40)}: unknown field`);
      continue;
    }
    const parsed = z.safeParse(announcementFields[name], given);
    if (parsed.success) values[name] = parsed.data;
    else problems.push(`${name}: ${parsed.error.issues[0]!.message}`);
  }
  if (!Object.hasOwn(body, 'destination')) problems.push('destination: missing, it is required');
  const understood = values as Partial<FieldValues>;
  const says = (name: FieldName): boolean =>
    Object.hasOwn(body, name) && body[name] !== '' && body[name] !== 'false' && body[name] !== false;
  if (!says('staticMessage')) problems.push(...contradictions(says, understood));
  if (problems.length > 0) throw new AnnouncementRefused(problems);
  return understood as Announcement;
}
