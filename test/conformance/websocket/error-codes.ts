// The table of error codes of document 3 (Errors), written down a second time so that nothing of the product is trusted
// here, and the one check that every error frame of the suite goes through.
import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { errorFrame } from '../shapes.ts';
import type { Frame } from '../socket.ts';

type Row = readonly [stage: string, severity: 'message' | 'warning' | 'session', retryable: boolean];

export const errorCodes = {
  invalid_message: ['core', 'message', false],
  invalid_session_start: ['core', 'message', false],
  unknown_field: ['core', 'message', false],
  session_not_started: ['core', 'message', false],
  text_too_long: ['core', 'message', false],
  duplicate_id: ['core', 'message', false],
  rate_limited: ['core', 'warning', true],
  backpressure: ['core', 'message', true],
  result_expired: ['core', 'message', false],
  mode_not_allowed: ['core', 'message', false],
  session_expired: ['core', 'session', false],
  internal_error: ['core', 'message', false],
  gloss_timeout: ['text_to_gloss', 'message', true],
  gloss_unavailable: ['text_to_gloss', 'session', true],
  render_failed: ['gloss_translation', 'message', true],
  render_timeout: ['gloss_translation', 'message', true],
  encode_failed: ['stream_generator', 'message', true],
} as const satisfies Record<string, Row>;

export type ErrorCode = keyof typeof errorCodes;

/** Asserts that the frame is this error, whole and with the fields of the table, and returns its `retry_after_seconds`. */
export function assertError(frame: Frame, code: ErrorCode, ref: string): number | null {
  const error = z.parse(errorFrame, frame);
  const [stage, severity, retryable] = errorCodes[code];
  assert.deepEqual(
    {
      code: error.code,
      ref: error.ref,
      stage: error.stage,
      severity: error.severity,
      retryable: error.retryable,
    },
    { code, ref, stage, severity, retryable },
  );
  return error.retry_after_seconds;
}
