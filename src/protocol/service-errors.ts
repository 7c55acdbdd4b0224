// The 17 error codes of the V3 protocol with stage, severity, retryable and hint (document 3, Errors).
// - The fields of a frame win over this table, because they describe this occurrence. The table fills in what a frame leaves out.
// - A code that is not in the table is kept. It is final for its message unless the frame says that it is retryable.
import { SignError, type Severity } from './sign-error.ts';
import type { ErrorFrame } from './server-frames.ts';

interface ServiceError {
  readonly stage: 'core' | 'text_to_gloss' | 'gloss_translation' | 'stream_generator';
  readonly severity: Severity;
  readonly retryable: boolean;
  /** Seconds; null where document 3 names none. */
  readonly retryAfterSeconds: number | null;
}

const row = (
  stage: ServiceError['stage'] = 'core',
  severity: Severity = 'message',
  retryable = false,
  retryAfterSeconds: number | null = null,
): ServiceError => ({ stage, severity, retryable, retryAfterSeconds });

export const serviceErrors = {
  invalid_message: row(),
  invalid_session_start: row(),
  unknown_field: row(),
  session_not_started: row(),
  text_too_long: row(),
  duplicate_id: row(),
  rate_limited: row('core', 'warning', true),
  backpressure: row('core', 'message', true, 2),
  result_expired: row(),
  mode_not_allowed: row(),
  session_expired: row('core', 'session', false),
  internal_error: row(),
  gloss_timeout: row('text_to_gloss', 'message', true, 30),
  gloss_unavailable: row('text_to_gloss', 'session', true, 30),
  render_failed: row('gloss_translation', 'message', true),
  render_timeout: row('gloss_translation', 'message', true),
  encode_failed: row('stream_generator', 'message', true),
} as const satisfies Record<string, ServiceError>;

export type ServiceErrorCode = keyof typeof serviceErrors;

/** True for the two codes that ask for a slower pace: they never count as a failed try (SEMANTICS.md, retryable error). */
export const isPacing = (code: string): boolean => code === 'rate_limited' || code === 'backpressure';

/** A service's error frame as a SignError; `requestId` is the session's id, which document 3 asks to quote. */
export function errorFromFrame(frame: ErrorFrame, sessionId: string | null): SignError {
  const known: ServiceError | undefined = Object.hasOwn(serviceErrors, frame.code)
    ? serviceErrors[frame.code as ServiceErrorCode]
    : undefined;
  return new SignError(frame.code, frame.message ?? frame.code, {
    severity: frame.severity ?? known?.severity ?? 'message',
    retryable: frame.retryable ?? known?.retryable ?? false,
    retryAfterSeconds: frame.retry_after_seconds ?? known?.retryAfterSeconds ?? null,
    stage: frame.stage ?? known?.stage ?? null,
    requestId: sessionId,
  });
}
