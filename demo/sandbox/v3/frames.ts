// The frames of the V3 protocol: those that the service sends, and how those of a client are read (document 3, Resources,
// Events and Errors).
// - A client's frame is hostile until it is parsed: nothing here throws. A message names fields, cut short, and never repeats a
//   value that a client sent.
// - Not JSON, no object, no known type or a `text` with wrong fields is `invalid_message`; a wrong session.start is
//   `invalid_session_start`; fields that are merely unknown are `unknown_field`.
// - A frame has 1 MB of characters at most and an id 256: the document names no limit, memory needs one.
import * as z from 'zod/mini';
import { type ClientFrame, clientFrameSchemas } from '../../../src/protocol/client-frames.ts';
import { type ServiceErrorCode, serviceErrors } from '../../../src/protocol/service-errors.ts';
import type { SandboxLimits } from '../settings.ts';
import type { Stage } from '../media/media-spec.ts';
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

/** Any frame; what is sent is what `JSON.stringify` makes of it. */
export type ServerFrame = Readonly<Record<string, unknown>> & { readonly type: string };

/** @param more fields of the session's mode; what the document names stays what it is */
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
  retryAfterSeconds?: number | undefined,
): ServerFrame {
  const known = serviceErrors[code];
  return {
    type: 'error',
    ref,
    code,
    stage: known.stage,
    message,
    severity: known.severity,
    retryable: known.retryable,
    retry_after_seconds: retryAfterSeconds ?? known.retryAfterSeconds,
  };
}

/** Characters of a frame that are looked at; document 3 names no limit, memory needs one. */
const MOST_FRAME = 1024 * 1024;
/** Characters of a text's id; as above. */
const MOST_ID = 256;

type ClientMessage =
  | { readonly kind: 'frame'; readonly frame: ClientFrame }
  | {
      readonly kind: 'wrong';
      /** The type it gave, null when it gave none. */
      readonly type: string | null;
      /** The id it gave, empty when it gave none. */
      readonly ref: string;
      readonly code: ServiceErrorCode;
      readonly message: string;
    };

const naming = (fields: readonly PropertyKey[]): string =>
  fields
    .slice(0, 5)
    .map((field) => String(field).slice(0, 40))
    .join(', ');

/** Fields that the schema does not know, with the path to them; null when anything else is wrong as well. */
function unknownFields(issues: readonly z.core.$ZodIssue[]): string[] | null {
  const fields: string[] = [];
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') return null;
    fields.push(...issue.keys.map((key) => [...issue.path, key].join('.')));
  }
  return fields;
}

export function readClientMessage(data: string): ClientMessage {
  let type: string | null = null;
  let ref = '';
  const wrong = (code: ServiceErrorCode, message: string): ClientMessage => ({
    kind: 'wrong',
    type,
    ref,
    code,
    message,
  });
  if (data.length > MOST_FRAME) return wrong('invalid_message', 'the frame is too large');
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return wrong('invalid_message', 'not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return wrong('invalid_message', 'not a JSON object');
  }
  const given = value as { readonly type?: unknown; readonly id?: unknown };
  if (typeof given.id === 'string' && given.id.length <= MOST_ID) ref = given.id;
  if (typeof given.type !== 'string') return wrong('invalid_message', 'no type');
  type = given.type;
  if (!Object.hasOwn(clientFrameSchemas, type)) return wrong('invalid_message', 'unknown type');
  if (typeof given.id === 'string' && given.id.length > MOST_ID) {
    return wrong('invalid_message', `id: more than ${MOST_ID} characters`);
  }
  const parsed = z.safeParse(clientFrameSchemas[type as keyof typeof clientFrameSchemas], value);
  if (parsed.success) return { kind: 'frame', frame: parsed.data };
  const unknown = unknownFields(parsed.error.issues);
  if (unknown) return wrong('unknown_field', `unknown: ${naming(unknown)}`);
  const fields = naming(parsed.error.issues.map(({ path }) => path.join('.')));
  const code = type === 'session.start' ? 'invalid_session_start' : 'invalid_message';
  return wrong(code, `missing or wrong: ${fields}`);
}
