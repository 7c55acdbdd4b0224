// The one error type of the product, and the error codes that the product adds to those of the service.
// - An error carries the service's own `code` unchanged (document 2, Errors; document 3, Errors), or a code of `ownErrors`.
// - An error never carries a secret, a stack trace of the service, or markup.
// - `ownErrors` is the one table of our codes: `ownError()` reads it, and docs/errors.md prints it.
// - A 4xx answer is final, except 408, 425 and 429 (SEMANTICS.md, media fails).

/** How far an error reaches (document 3): one message, nothing lasting, or the whole session. */
export type Severity = 'message' | 'warning' | 'session';

export interface SignErrorInit {
  /** Default `message`. */
  severity?: Severity;
  /** True when the same message may be sent again. Default false. */
  retryable?: boolean;
  /** Seconds to wait before trying again, null when the service gave no hint. Default null. */
  retryAfterSeconds?: number | null;
  /** Pipeline stage of the service, null when it is not known. Default null. */
  stage?: string | null;
  /** Id to quote in a support request: the HTTP request's, or the session's. Default null. */
  requestId?: string | null;
  cause?: unknown;
}

/** What every rejected promise and every `sign-error` event of this product carries. */
export class SignError extends Error {
  readonly code: string;
  readonly severity: Severity;
  readonly retryable: boolean;
  readonly retryAfterSeconds: number | null;
  readonly stage: string | null;
  readonly requestId: string | null;

  constructor(code: string, message: string, init: SignErrorInit = {}) {
    super(message, init.cause === undefined ? undefined : { cause: init.cause });
    this.name = 'SignError';
    this.code = code;
    this.severity = init.severity ?? 'message';
    this.retryable = init.retryable ?? false;
    this.retryAfterSeconds = init.retryAfterSeconds ?? null;
    this.stage = init.stage ?? null;
    this.requestId = init.requestId ?? null;
  }

  /** The same error with severity `warning`: the try failed and is made again. */
  asWarning(): SignError {
    return this.asSeverity('warning');
  }

  /** The same error with another severity. */
  asSeverity(severity: Severity): SignError {
    return new SignError(this.code, this.message, { ...this, severity });
  }
}

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

/** A script did not load. */
export const loadFailed = (cause: unknown): SignError => ownError('load_failed', undefined, { cause });

const MAY_PASS: ReadonlySet<number> = new Set([408, 425, 429]);

/** True for a 4xx status that the same request gets again. */
export const isFinalStatus = (status: number): boolean =>
  status >= 400 && status < 500 && !MAY_PASS.has(status);
