// A train announcement: `POST /v1/sign-requests/train-announcements` and its status (document 1). Policy: flags go as the
// string "true", as every example of the document sends them, or not at all; `destination` is sent as its default `KGX`
// where a split alone or a static message needs none, else it is the caller's to give; the name of the download is not shown.
import * as z from 'zod/mini';
import {
  announcementFlags,
  announcementWords,
  type AnnouncementFields,
  type AnnouncementWord,
} from './announcement-fields.ts';
import { announcementProblems } from './announcement-rules.ts';
import { findUrl } from './find-url.ts';
import { ownError } from './own-errors.ts';

export type { AnnouncementFields } from './announcement-fields.ts';

const DEFAULT_DESTINATION = 'KGX';

/** Fields of which an empty string says something: no time, no platform known. */
const mayBeEmpty: ReadonlySet<AnnouncementWord> = new Set(['timing', 'platform', 'updatedPlatform']);

/**
 * The body of the submit operation.
 * @throws SignError `invalid_request` that names every field which is not as document 1 has it.
 */
export function announcementBody(fields: AnnouncementFields): Readonly<Record<string, string>> {
  const body: Record<string, string> = {};
  for (const name of announcementWords) {
    const given = fields[name] ?? null;
    // Plain JavaScript may hand over a platform as a number.
    if (given !== null && (given !== '' || mayBeEmpty.has(name))) body[name] = String(given);
  }
  for (const name of announcementFlags) if (isSet(fields[name])) body[name] = 'true';
  if (!body.destination && needsNoDestination(body)) body.destination = DEFAULT_DESTINATION;
  const problems = announcementProblems(body);
  if (!body.destination) problems.unshift('destination: missing');
  if (problems.length > 0) throw ownError('invalid_request', problems.join('; '));
  return body;
}

/** Plain JavaScript, or a framework that sets properties, may hand over the word `false`, which must cancel no train. */
const isSet = (flag: unknown): boolean => Boolean(flag) && flag !== 'false';

/** A static message overrides all else; a split is an announcement of its own only with nothing else to announce. */
const needsNoDestination = (body: Readonly<Record<string, string>>): boolean =>
  Boolean(body.staticMessage) ||
  (Boolean(body.splitInfo) &&
    Object.entries(body).every(([name, value]) => !value || name === 'splitInfo' || name === 'bgColour'));

const submittedSchema = z.looseObject({ data: z.looseObject({ id: z.string().check(z.minLength(1)) }) });

/** The id to ask for; null when the answer has none. */
export function parseSubmitted(body: unknown): string | null {
  const parsed = z.safeParse(submittedSchema, body);
  return parsed.success ? parsed.data.data.id : null;
}

export interface AnnouncementStatus {
  readonly status: 'IN_PROGRESS' | 'COMPLETED' | 'FAILED';
  /** Presigned; null unless completed. */
  readonly url: string | null;
  /** `errorLog` of one that failed; null where it is in no words. */
  readonly message: string | null;
}

const statusSchema = z.looseObject({
  status: z.enum(['IN_PROGRESS', 'COMPLETED', 'FAILED']),
  errorLog: z.catch(z.nullish(z.union([z.string(), z.array(z.string())])), null),
});
const wrappedSchema = z.looseObject({ data: statusSchema });

const downloadNames = ['downloadUrl', 'download_url', 'presignedUrl', 'videoUrl', 'url'];

/** Wrapped in `data`, as the other answers of document 1 are, or not. Null when it is neither. */
export function parseAnnouncementStatus(body: unknown): AnnouncementStatus | null {
  const wrapped = z.safeParse(wrappedSchema, body);
  const parsed = wrapped.success ? wrapped.data.data : z.safeParse(statusSchema, body).data;
  if (!parsed) return null;
  const { status, errorLog = null } = parsed;
  const url = status === 'COMPLETED' ? findUrl(parsed, 'video', downloadNames) : null;
  return { status, url, message: Array.isArray(errorLog) ? errorLog.join('; ') : errorLog };
}
