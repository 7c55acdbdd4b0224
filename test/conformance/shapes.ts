// Shapes of the server's frames as document 3 shows them.
// - A frame must have exactly these fields, of exactly these types.
// - Where a document does not show a name, the test that needs it looks for the value instead.
import * as z from 'zod/mini';

/** ISO 8601 with an offset or `Z`. */
const time = z.iso.datetime({ offset: true });
const number = z.number();
const integer = z.int();

export const readyFrame = z.strictObject({
  type: z.literal('session.ready'),
  session_id: z.string().check(z.minLength(1)),
  config_applied: z.strictObject({
    output_format: z.string(),
    digital_signer: z.string(),
    language: z.string(),
    resolution: z.string(),
  }),
  limits: z.strictObject({
    max_text_length: integer,
    max_messages_per_minute: integer,
    max_inflight: integer,
  }),
});

/** In stream mode there are also the manifest URL and cookies, under names that the document does not show. */
export const streamReadyFrame = z.looseObject(readyFrame.def.shape);

export const ackFrame = z.strictObject({ type: z.literal('text.ack'), ref: z.string(), timestamp: time });

export const resultFrame = z.strictObject({
  type: z.literal('result'),
  ref: z.string(),
  url: z.url(),
  url_expires_at: time,
  duration_seconds: number.check(z.positive()),
  pipeline_ms: z.strictObject({ gloss: number, render: number, encode: number, total: number }),
});

export const progressFrame = z.strictObject({
  type: z.literal('text.progress'),
  ref: z.string(),
  stage: z.string().check(z.minLength(1)),
  status: z.string().check(z.minLength(1)),
  duration_ms: number.check(z.nonnegative()),
});

export const summaryFrame = z.strictObject({
  type: z.literal('session.summary'),
  session_id: z.string(),
  usage: z.strictObject({
    messages_processed: integer,
    errors_encountered: integer,
    session_duration_sec: number,
    total_video_duration_sec: number,
    bytes_transferred: integer,
  }),
});

export const errorFrame = z.strictObject({
  type: z.literal('error'),
  ref: z.string(),
  code: z.string(),
  stage: z.string(),
  message: z.string().check(z.minLength(1)),
  severity: z.enum(['message', 'warning', 'session']),
  retryable: z.boolean(),
  retry_after_seconds: z.nullable(number),
});
