// The frames of the V3 protocol that the service sends (document 3, Resources, Events and Errors).
import type { SandboxLimits } from '../settings.ts';
import type { Stage } from '../media/media-spec.ts';
import { documented, type ServiceErrorCode } from './service-errors.ts';
import type { AppliedConfig } from './session-config.ts';

/** `session.summary.usage`; seconds and bytes. */
export interface Usage {
  readonly messages_processed: number;
  readonly errors_encountered: number;
  readonly session_duration_sec: number;
  readonly total_video_duration_sec: number;
  readonly bytes_transferred: number;
}

export interface ResultFrame {
  readonly type: 'result';
  readonly ref: string;
  readonly url: string;
  readonly url_expires_at: string;
  readonly duration_seconds: number;
  readonly pipeline_ms: Readonly<Record<'gloss' | 'render' | 'encode' | 'total', number>>;
}

/** Any frame; it is sent as `JSON.stringify` writes it. */
export type ServerFrame = Readonly<Record<string, unknown>> & { readonly type: string };

/** @param more fields of the session's mode; they cannot replace documented fields */
export const readyFrame = (
  sessionId: string,
  config: AppliedConfig,
  { max_text_length, max_messages_per_minute, max_inflight }: SandboxLimits,
  more: Readonly<Record<string, unknown>>,
): ServerFrame => ({
  ...more,
  type: 'session.ready',
  session_id: sessionId,
  config_applied: config,
  limits: { max_text_length, max_messages_per_minute, max_inflight },
});

/** `now` in milliseconds since 1970. */
export const ackFrame = (ref: string, now: number): ServerFrame => ({
  type: 'text.ack',
  ref,
  timestamp: new Date(now).toISOString(),
});

export const progressFrame = (ref: string, stage: Stage, durationMs: number): ServerFrame => ({
  type: 'text.progress',
  ref,
  stage,
  status: 'completed',
  duration_ms: Math.round(durationMs),
});

export const summaryFrame = (sessionId: string, usage: Usage): ServerFrame => ({
  type: 'session.summary',
  session_id: sessionId,
  usage,
});

/** An error frame as the table of document 3 has it; `retryAfterSeconds` replaces the table's hint. */
export function errorFrame(
  code: ServiceErrorCode,
  ref: string,
  message: string,
  retryAfterSeconds?: number,
): ServerFrame {
  const fields = documented(code);
  return {
    ...fields,
    type: 'error',
    ref,
    code,
    message,
    retry_after_seconds: retryAfterSeconds ?? fields.retry_after_seconds,
  };
}
