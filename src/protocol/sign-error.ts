// The one error type of the product. Policy: it carries the service's own `code` unchanged (upstream document 3,
// Errors; document 2, Errors) or one of ours from own-errors.ts, and never a secret, a stack of the service or markup.

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

  /** The same error seen as a passing one: a try that failed and will be made again. */
  asWarning(): SignError {
    return this.asSeverity('warning');
  }

  /** The same error with another reach. */
  asSeverity(severity: Severity): SignError {
    return new SignError(this.code, this.message, { ...this, severity });
  }
}
