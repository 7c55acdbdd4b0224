// The one error type of the product.
// - An error carries the service's own `code` unchanged (document 2, Errors; document 3, Errors), or a code of `ownErrors`.
// - An error never carries a secret, a stack trace of the service, or markup.
// - An element makes a few errors before other code is loaded. Their texts are here and where they are thrown; a test compares
//   them with the table of own-errors.ts, which a page loads at its first use.

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
  // A field: an assignment to `name` fails on a page that freezes `Error.prototype`.
  override readonly name = 'SignError';
  readonly code: string;
  readonly severity: Severity;
  readonly retryable: boolean;
  readonly retryAfterSeconds: number | null;
  readonly stage: string | null;
  readonly requestId: string | null;

  constructor(code: string, message: string, init: SignErrorInit = {}) {
    super(message, init.cause === undefined ? undefined : { cause: init.cause });
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

/** A script did not load. */
export const loadFailed = (cause: unknown): SignError =>
  new SignError('load_failed', 'a script did not load', { severity: 'session', retryable: true, cause });
