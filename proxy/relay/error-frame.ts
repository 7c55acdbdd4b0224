// The two errors that the proxy says in the service's own words (document 3, Errors), so that a client needs no second
// way to read them: a session.start that may not pass, and a frame over the rate.
import { serviceErrors, type ServiceErrorCode } from '../../src/protocol/service-errors.ts';
import type { ErrorFrame } from '../../src/protocol/server-frames.ts';

/** Stage, severity and retryable come from the table of document 3 unless `fields` say otherwise. */
export function errorFrame(
  code: ServiceErrorCode,
  message: string,
  fields: Partial<Pick<ErrorFrame, 'ref' | 'severity' | 'retry_after_seconds'>> = {},
): string {
  const { stage, severity, retryable, retryAfterSeconds } = serviceErrors[code];
  const frame = {
    type: 'error',
    ref: '',
    code,
    stage,
    message,
    severity,
    retryable,
    retry_after_seconds: retryAfterSeconds,
    ...fields,
  } satisfies ErrorFrame;
  return JSON.stringify(frame);
}
