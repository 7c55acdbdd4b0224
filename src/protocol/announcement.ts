// A train announcement: `POST /v1/sign-requests/train-announcements` and its status (document 1).
// - A flag is sent as the string "true", as in every example of the document, or not at all.
// - `destination` is sent as `KGX` when only a split or a static message is announced; else the caller gives it.
// - All wrong fields are named at once. Shapes and fixed words are checked here; the service checks stations, operators,
//   reasons and static messages. Two fields are refused together only where the document says that one needs the other.
// - A static message overrides all other fields, so it needs no other field.
import * as z from 'zod/mini';
import {
  type AnnouncementFields,
  announcementFlags,
  type AnnouncementWord,
  announcementWords,
} from './announcement-fields.ts';
import { findUrl, httpUrlsIn } from './find-url.ts';
import { ownError } from './own-errors.ts';

export type { AnnouncementFields } from './announcement-fields.ts';

const DEFAULT_DESTINATION = 'KGX';

/** Fields whose empty string has a meaning: time or platform not known. */
const mayBeEmpty: ReadonlySet<AnnouncementWord> = new Set(['timing', 'platform', 'updatedPlatform']);

/**
 * The body of the submit operation.
 * @throws SignError `invalid_request`, whose message names every field that document 1 does not allow.
 */
export function announcementBody(fields: AnnouncementFields): Readonly<Record<string, string>> {
  const body: Record<string, string> = {};
  for (const name of announcementWords) {
    const value = fields[name] ?? null;
    // Plain JavaScript may set a platform as a number.
    if (value !== null && (value !== '' || mayBeEmpty.has(name))) body[name] = String(value);
  }
  for (const name of announcementFlags) if (isSet(fields[name])) body[name] = 'true';
  if (!body.destination && needsNoDestination(body)) body.destination = DEFAULT_DESTINATION;
  const problems = announcementProblems(body);
  if (!body.destination) problems.unshift('destination: missing');
  if (problems.length > 0) throw ownError('invalid_request', problems.join('; '));
  return body;
}

/** Plain JavaScript or a framework may set the string `false`, which must not set a flag. */
const isSet = (flag: unknown): boolean => Boolean(flag) && flag !== 'false';

/** A static message overrides all else; a split needs no destination only when nothing else is announced. */
const needsNoDestination = (body: Readonly<Record<string, string>>): boolean =>
  Boolean(body.staticMessage) ||
  (Boolean(body.splitInfo) &&
    Object.entries(body).every(([name, value]) => !value || name === 'splitInfo' || name === 'bgColour'));

const submittedSchema = z.looseObject({
  data: z.looseObject({ id: z.string().check(z.refine((id) => id !== '')) }),
});

/** The id of the announcement; null when the answer has none. */
export function parseSubmitted(body: unknown): string | null {
  const parsed = z.safeParse(submittedSchema, body);
  return parsed.success ? parsed.data.data.id : null;
}

export interface AnnouncementStatus {
  readonly status: 'IN_PROGRESS' | 'COMPLETED' | 'FAILED';
  /** Presigned; null unless completed. */
  readonly url: string | null;
  /** `errorLog` of an announcement that failed; null when it is no text. */
  readonly message: string | null;
}

const statusSchema = z.looseObject({ status: z.string() });
const wrappedSchema = z.looseObject({ data: statusSchema });

const downloadNames = ['downloadUrl', 'download_url', 'presignedUrl', 'videoUrl', 'url'];

/**
 * Reads a status, which may be wrapped in `data`, as the other answers of document 1 are. Null when it is no status. Any word but
 * the two final ones is `IN_PROGRESS`: a client stops polling at COMPLETED or FAILED (document 1, States and transitions).
 */
export function parseAnnouncementStatus(body: unknown): AnnouncementStatus | null {
  const wrapped = z.safeParse(wrappedSchema, body);
  const parsed = wrapped.success ? wrapped.data.data : z.safeParse(statusSchema, body).data;
  if (!parsed) return null;
  const { errorLog } = parsed;
  const status = parsed.status === 'COMPLETED' || parsed.status === 'FAILED' ? parsed.status : 'IN_PROGRESS';
  const url =
    status === 'COMPLETED' ? (findUrl(parsed, 'video', downloadNames) ?? onlyAddress(parsed)) : null;
  return { status, url, message: linesOf(errorLog) };
}

/** The only address, whatever its name (document 1 does not show it), unless its path ends as that of some other file. */
function onlyAddress(answer: unknown): string | null {
  const [url = null, ...others] = new Set(httpUrlsIn(answer));
  return url !== null && others.length === 0 && !/\.\w+$/.test(new URL(url).pathname) ? url : null;
}

/** A text, or a list of texts with semicolons between; null for anything else. */
function linesOf(log: unknown): string | null {
  const lines = [log].flat();
  return lines.every((line) => typeof line === 'string') ? lines.join('; ') : null;
}

interface Rule {
  readonly shape: RegExp;
  /** What is allowed, in words. */
  readonly words: string;
}

const rule = (shape: RegExp, words: string): Rule => ({ shape, words });
const oneOf = (...values: readonly string[]): Rule =>
  rule(new RegExp(`^(${values.join('|')})$`), `one of ${values.join(', ')}`);

const time = rule(/^(([01]\d|2[0-3])[0-5]\d)?$/, '4 digits HHMM');
const platform = rule(/^((\d|1\d|2[0-4])[A-D]?)?$/, '0 to 24, with or without a letter from A to D');
const crs = rule(/^[A-Za-z]{3}$/, 'a CRS code of 3 letters');
const crsList = rule(/^[A-Za-z]{3}(,[A-Za-z]{3})*$/, 'CRS codes of 3 letters with commas between');
const working = rule(/^(\d+broke,\d+work|allwork|allbroke)$/, '<X>broke,<Y>work, allwork or allbroke');
const colour = '(\\d|[1-9]\\d|1\\d\\d|2[0-4]\\d|25[0-5])';

/** A place is a CRS code or a TIPLOC of up to 7 letters and digits. */
const rules: Readonly<Partial<Record<AnnouncementWord, Rule>>> = {
  destination: rule(/^[A-Za-z0-9]{3,7}$/, 'a CRS or TIPLOC code'),
  timing: time,
  platform,
  operator: rule(/^[A-Za-z]{2}$/, 'a code of 2 letters'),
  via: crsList,
  updatedTiming: time,
  updatedPlatform: platform,
  callingAt: rule(/^[A-Za-z0-9]{3,7}(,[A-Za-z0-9]{3,7})*$/, 'CRS or TIPLOC codes with commas between'),
  notCallingAt: crsList,
  splitInfo: rule(
    /^(at|split|\d*front|\d*back)[A-Za-z]{3}(,(at|split|\d*front|\d*back)[A-Za-z]{3})*$/,
    'at<CRS>, split<CRS>, <n>front<CRS> or <n>back<CRS>, with commas between',
  ),
  platformInfo: oneOf('next', 'approaching', 'now'),
  arrivalInfo: oneOf('will_arrive', 'has_arrived'),
  stopInfo: oneOf('next', 'final'),
  currentlyAt: rule(/^[A-Za-z]{3}(,[A-Za-z]{3})?$/, 'one CRS code, or two with a comma between'),
  waitsHere: rule(/^\d+$/, 'minutes as digits'),
  exitSide: oneOf('left', 'right'),
  currentStation: crs,
  operatorDelay: oneOf('minor', 'severe', 'special'),
  liftStatus: working,
  escalatorStatus: working,
  bgColour: rule(
    new RegExp(`^(${colour},${colour},${colour}|-1,-1,-1)$`),
    '<r>,<g>,<b> of 0 to 255, or -1,-1,-1',
  ),
};

/** A field, and the field that it needs. */
const needs: readonly (readonly [string, string])[] = [
  ['currentStation', 'busReplacement'],
  ['operatorDelay', 'operator'],
];

/** One line for each wrong field of a body: its name, a colon, what is allowed. */
function announcementProblems(body: Readonly<Record<string, string>>): string[] {
  const problems = Object.entries(rules).flatMap(([name, { shape, words }]) => {
    const value = body[name];
    return value === undefined || shape.test(value) ? [] : [`${name}: ${words}`];
  });
  if (body.staticMessage) return problems;
  const missing = needs.filter(([name, needed]) => body[name] && !body[needed]);
  return [...problems, ...missing.map(([name, needed]) => `${name}: needs ${needed}`)];
}
