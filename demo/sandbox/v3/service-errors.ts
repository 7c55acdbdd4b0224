// The errors of the V3 protocol as the sandbox sends them (document 3, Errors).
// - It shares nothing with src/protocol, so that one misreading cannot pass on both sides.

/** [stage, severity, retryable, retry_after_seconds]; the last is left out where the document gives no number. */
type Row = readonly [
  stage: 'core' | 'text_to_gloss' | 'gloss_translation' | 'stream_generator',
  severity: 'message' | 'warning' | 'session',
  retryable: 'yes' | 'no',
  retryAfterSeconds?: number,
];

const table = {
  invalid_message: ['core', 'message', 'no'],
  invalid_session_start: ['core', 'message', 'no'],
  unknown_field: ['core', 'message', 'no'],
  session_not_started: ['core', 'message', 'no'],
  text_too_long: ['core', 'message', 'no'],
  duplicate_id: ['core', 'message', 'no'],
  rate_limited: ['core', 'warning', 'yes'],
  backpressure: ['core', 'message', 'yes', 2],
  result_expired: ['core', 'message', 'no'],
  mode_not_allowed: ['core', 'message', 'no'],
  session_expired: ['core', 'session', 'no'],
  internal_error: ['core', 'message', 'no'],
  gloss_timeout: ['text_to_gloss', 'message', 'yes', 30],
  gloss_unavailable: ['text_to_gloss', 'session', 'yes', 30],
  render_failed: ['gloss_translation', 'message', 'yes'],
  render_timeout: ['gloss_translation', 'message', 'yes'],
  encode_failed: ['stream_generator', 'message', 'yes'],
} as const satisfies Record<string, Row>;

export type ServiceErrorCode = keyof typeof table;

export const serviceErrorCodes = Object.keys(table) as ServiceErrorCode[];

/** The documented fields of an error with this code. */
export function documented(code: ServiceErrorCode): {
  readonly stage: Row[0];
  readonly severity: Row[1];
  readonly retryable: boolean;
  readonly retry_after_seconds: number | null;
} {
  const [stage, severity, retryable, seconds]: Row = table[code];
  return { stage, severity, retryable: retryable === 'yes', retry_after_seconds: seconds ?? null };
}
