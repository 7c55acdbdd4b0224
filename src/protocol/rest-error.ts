// Turns a REST answer that is not a success into a SignError.
// - Envelopes: the flat one and the live one of document 2 (Errors), that of document 1 (Errors), the proxy's problem+json.
// - The service's own code is kept. When there is only a sentence, it becomes the message, and the status gives the code.
// - 425, 429, 500, 502, 503, 511 (a network wants a login) and the page of a CDN that does not reach the proxy (520 to 530) are
//   retryable, unless the code is one of ours that is not.
// - 408 and 504 are not retryable: the request may have been carried out and billed.
import * as z from 'zod/mini';
import { parseProblem } from './problem.ts';
import { isOwnErrorCode, ownError, type OwnErrorCode, ownErrors } from './own-errors.ts';
import { SignError } from './sign-error.ts';

interface RefusedAnswer {
  readonly status: number;
  /** Parsed JSON; anything else when the body was no JSON. */
  readonly body: unknown;
  /** Seconds from the header `Retry-After`; null when there is none. */
  readonly retryAfterSeconds: number | null;
  /** From the header `X-Request-Id`. */
  readonly requestId: string | null;
}

/** An optional text: a value of another type reads as null, so that it does not hide the code. */
const text = z.catch(z.nullish(z.string()), null);
const flatSchema = z.looseObject({ error: z.string(), details: text });
const liveSchema = z.looseObject({
  error: z.looseObject({ code: z.string(), message: text, requestId: text }),
});
const announcementSchema = z.looseObject({ data: z.looseObject({ errorLog: z.string() }) });

const retryableStatuses: ReadonlySet<number> = new Set([425, 429, 500, 502, 503, 511]);

/** A code, and not a sentence. */
const isCode = (error: string): boolean => /^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(error);

function codeOfStatus(status: number): OwnErrorCode | 'rate_limited' {
  if (status === 404) return 'not_found';
  if (status === 408 || status === 504) return 'no_answer';
  if (status === 429) return 'rate_limited';
  if (status === 511) return 'proxy_unreachable';
  return status >= 500 || status === 425 ? 'upstream_unreachable' : 'invalid_request';
}

interface Parsed {
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  readonly requestId?: string | undefined;
}

/** Code, message and request id of the body, in any of the envelopes. */
function parse(body: unknown): Parsed {
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
    const code = isCode(error) ? error : undefined;
    return { code, message: details ?? (code === undefined ? error : undefined) };
  }
  const announcement = z.safeParse(announcementSchema, body);
  return announcement.success ? { message: announcement.data.data.errorLog } : {};
}

/** Severity is `message`: one request has failed. */
export function errorFromAnswer({
  status,
  body,
  retryAfterSeconds,
  requestId: header,
}: RefusedAnswer): SignError {
  const { code = codeOfStatus(status), message, requestId = header } = parse(body);
  const isPassing = retryableStatuses.has(status) || (status > 519 && body === null);
  const retryable = isPassing && !(isOwnErrorCode(code) && !ownErrors[code].retryable);
  const init = { severity: 'message', retryable, retryAfterSeconds, requestId } as const;
  return isOwnErrorCode(code)
    ? ownError(code, message, init)
    : new SignError(code, message ?? `the service answered ${status}`, init);
}
