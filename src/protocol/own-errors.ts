// The error codes that the product adds to those of the service.
// - `ownErrors` is the one table of them: `ownError()` reads it, and docs/errors.md prints it.
// - A 4xx answer is final, except 408, 425 and 429 (SEMANTICS.md, media fails).
import { type Severity, SignError, type SignErrorInit } from './sign-error.ts';

interface OwnError {
  readonly severity: Severity;
  readonly retryable: boolean;
  /** For developers, in English; what a visitor reads is in src/strings. */
  readonly meaning: string;
}

const row = (severity: Severity, retryable: boolean, meaning: string): OwnError => ({
  severity,
  retryable,
  meaning,
});

export const ownErrors = {
  empty_text: row('message', false, 'the text is empty'),
  invalid_signer: row('message', false, 'this signer does not sign this language'),
  invalid_request: row('message', false, 'the request is not one that can be sent'),
  proxy_unreachable: row('session', true, 'no proxy answers at this address'),
  origin_refused: row('session', false, 'the proxy refuses this origin'),
  ticket_refused: row('session', false, 'the proxy needs a valid ticket'),
  budget_spent: row('session', false, 'the budget of this site is spent'),
  too_many_sockets: row('session', true, 'too many connections'),
  upstream_unreachable: row('session', true, 'the proxy does not reach the signing service'),
  handshake_timeout: row('session', true, 'no session in time'),
  session_failed: row('session', true, 'the session was lost'),
  load_failed: row('session', true, 'a script did not load'),
  no_answer: row('message', false, 'no answer in time'),
  protocol_error: row('message', false, 'the service broke its protocol'),
  media_error: row('message', false, 'the video did not load or play'),
  media_refused: row('message', false, 'the video was refused'),
  not_found: row('message', false, 'nothing has this id'),
  announcement_failed: row('message', false, 'the announcement has no video'),
} as const satisfies Record<string, OwnError>;

export type OwnErrorCode = keyof typeof ownErrors;

export const isOwnErrorCode = (code: string): code is OwnErrorCode => Object.hasOwn(ownErrors, code);

/** An error of our own; severity and retryable come from the table. `message` defaults to the table's meaning. */
export function ownError(code: OwnErrorCode, message?: string, init: SignErrorInit = {}): SignError {
  const { severity, retryable, meaning } = ownErrors[code];
  return new SignError(code, message ?? meaning, { severity, retryable, ...init });
}

const MAY_PASS: ReadonlySet<number> = new Set([408, 425, 429]);

/** True for a 4xx status that the same request would get again. */
export const isFinalStatus = (status: number): boolean =>
  status >= 400 && status < 500 && !MAY_PASS.has(status);
