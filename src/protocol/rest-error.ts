// What a REST request that failed says, as a SignError: the flat and the live envelope of document 2 (Errors), the one of
// document 1 (Errors), and the proxy's problem+json. Policy: the service's own code is kept where it shows one; a message
// in its place becomes the message of a code by status. 429, 500, 502 and 503 may be tried again, unless a code of our
// own says that it will not help; a 408 or 504 may not, because the request may have been carried out and billed.
import * as z from 'zod/mini';
import { isOwnErrorCode, ownError, ownErrors, type OwnErrorCode } from './own-errors.ts';
import { parseProblem } from './problem.ts';
import { SignError } from './sign-error.ts';

export interface RefusedAnswer {
  readonly status: number;
  /** Parsed JSON; anything else when it was none. */
  readonly body: unknown;
  /** Seconds, of the header `Retry-After`; null when there is none. */
  readonly retryAfterSeconds: number | null;
  /** Of the header `X-Request-Id`. */
  readonly requestId: string | null;
}

const text = z.nullish(z.string());
const flatSchema = z.looseObject({ error: z.string(), details: text });
const liveSchema = z.looseObject({
  error: z.looseObject({ code: z.string(), message: text, requestId: text }),
});
const announcementSchema = z.looseObject({ data: z.looseObject({ errorLog: z.string() }) });

const worthAnotherTry: ReadonlySet<number> = new Set([429, 500, 502, 503]);

/** A code can be branched on, a sentence cannot. */
const looksLikeCode = (said: string): boolean => /^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(said);

function codeOfStatus(status: number): OwnErrorCode | 'rate_limited' {
  if (status === 404) return 'not_found';
  if (status === 408 || status === 504) return 'no_answer';
  if (status === 429) return 'rate_limited';
  return status >= 500 ? 'upstream_unreachable' : 'invalid_request';
}

interface Said {
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  readonly requestId?: string | undefined;
}

/** What the body says, in whichever envelope. */
function read(body: unknown): Said {
  const problem = parseProblem(body);
  if (problem) return { code: problem.code, message: problem.detail || problem.title || undefined };
  const live = z.safeParse(liveSchema, body);
  if (live.success) {
    const { code, message, requestId } = live.data.error;
    return { code, message: message ?? undefined, requestId: requestId ?? undefined };
  }
  const flat = z.safeParse(flatSchema, body);
  if (flat.success) {
    const { error, details } = flat.data;
    const code = looksLikeCode(error) ? error : undefined;
    return { code, message: details ?? (code === undefined ? error : undefined) };
  }
  const announcement = z.safeParse(announcementSchema, body);
  return announcement.success ? { message: announcement.data.data.errorLog } : {};
}

/** Of severity `message`: what failed is this one request. */
export function errorFromAnswer({
  status,
  body,
  retryAfterSeconds,
  requestId: header,
}: RefusedAnswer): SignError {
  const { code = codeOfStatus(status), message, requestId = header } = read(body);
  const retryable = worthAnotherTry.has(status) && !(isOwnErrorCode(code) && !ownErrors[code].retryable);
  const init = { severity: 'message', retryable, retryAfterSeconds, requestId } as const;
  return isOwnErrorCode(code)
    ? ownError(code, message, init)
    : new SignError(code, message ?? `the service answered ${status}`, init);
}
