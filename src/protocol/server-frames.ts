// Schemas of the frames that the service sends (document 3, Events and Errors).
// - An optional field that is missing or has another shape reads as null, `config_applied` and `usage` as {}, a limit as its
//   default: V3 is a beta, and such a text is signed too.
// - Unknown fields are kept. A frame of an unknown type is not malformed: it is ignored.
// - `type` chooses the schema, which does not check it again. Literals are `z.custom`: a page loads one schema less for that.
import * as z from 'zod/mini';
import { httpUrl } from './http-url.ts';
import type { Severity } from './sign-error.ts';

const nonnegative = z.number().check(z.refine((value) => value >= 0));
/** The number in digits; null for anything else. */
const numberOfDigits = (value: unknown): number | null =>
  typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : null;
/** An object with any fields. */
const fields = z.looseObject({});

/** An optional field: null when it is not as document 3 shows it. */
const extra = <Schema extends z.ZodMiniType>(
  schema: Schema,
): z.ZodMiniCatch<z.ZodMiniOptional<z.ZodMiniNullable<Schema>>> => z.catch(z.nullish(schema), null);

const text = extra(z.string());
const details = extra(fields);

const severities: readonly unknown[] = ['message', 'warning', 'session'] satisfies Severity[];

/** Document 3's beta defaults: bytes of a text, messages in any minute, texts without an answer. */
const defaultLimits = { max_text_length: 5000, max_messages_per_minute: 60, max_inflight: 3 };
export type Limits = typeof defaultLimits & Readonly<Record<string, unknown>>;

/**
 * A limit: digits read as their number, a fraction as the whole number below it, and anything else as the default. A
 * limit below 1 is malformed, because no text can be sent within it.
 */
const limit = (name: keyof typeof defaultLimits) =>
  z
    .catch(z.number().check(z.refine(Number.isInteger)), ({ value }) =>
      Math.floor(typeof value === 'number' ? value : (numberOfDigits(value) ?? defaultLimits[name])),
    )
    .check(z.refine((value) => value > 0));

const readySchema = z.looseObject({
  type: z.custom<'session.ready'>(),
  session_id: z.string(),
  config_applied: z.catch(fields, {}),
  limits: z.nullish(
    z.looseObject({
      max_text_length: limit('max_text_length'),
      max_messages_per_minute: limit('max_messages_per_minute'),
      max_inflight: limit('max_inflight'),
    }),
  ),
});

const ackSchema = z.looseObject({
  type: z.custom<'text.ack'>(),
  ref: z.string(),
  /** ISO 8601, by the service's clock. */
  timestamp: text,
});

const resultSchema = z.looseObject({
  type: z.custom<'result'>(),
  ref: z.string(),
  /** Presigned; valid for 5 minutes. */
  url: z.string().check(z.refine((value) => httpUrl(value) !== null)),
  url_expires_at: text,
  duration_seconds: extra(nonnegative),
  pipeline_ms: details,
});

const progressSchema = z.looseObject({
  type: z.custom<'text.progress'>(),
  ref: z.string(),
  stage: z.string(),
  status: text,
  duration_ms: extra(z.number()),
});

const summarySchema = z.looseObject({
  type: z.custom<'session.summary'>(),
  session_id: text,
  usage: z.catch(fields, {}),
});

const errorSchema = z.looseObject({
  type: z.custom<'error'>(),
  /** Empty for errors before a session. */
  ref: z.nullish(z.string()),
  code: z.string(),
  stage: text,
  message: text,
  severity: extra(z.custom<Severity>((value) => severities.includes(value))),
  retryable: extra(z.custom<boolean>((value) => typeof value === 'boolean')),
  retry_after_seconds: z.catch(z.nullish(nonnegative), ({ value }) => numberOfDigits(value)),
});

export type ReadyFrame = z.infer<typeof readySchema> & { limits: Limits };
export type AckFrame = z.infer<typeof ackSchema>;
export type ResultFrame = z.infer<typeof resultSchema>;
export type ProgressFrame = z.infer<typeof progressSchema>;
type SummaryFrame = z.infer<typeof summarySchema>;
export type ErrorFrame = z.infer<typeof errorSchema>;
export type ServerFrame = ReadyFrame | AckFrame | ResultFrame | ProgressFrame | SummaryFrame | ErrorFrame;

const schemas = {
  'session.ready': readySchema,
  'text.ack': ackSchema,
  result: resultSchema,
  'text.progress': progressSchema,
  'session.summary': summarySchema,
  error: errorSchema,
};

export type ParsedFrame =
  | { readonly kind: 'frame'; readonly frame: ServerFrame }
  /** Well formed, of a type that this protocol version does not name: ignored. */
  | { readonly kind: 'unknown'; readonly type: string }
  /** Not JSON, not an object, no type, or fields of the wrong shape. `ref` is the id of the message, when there is one. */
  | {
      readonly kind: 'malformed';
      readonly type: string | null;
      readonly ref: string | null;
      readonly problem: string;
    };

/** Reads one text frame from the service. Never throws; binary data is malformed (all exchanges are JSON text). */
export function parseServerFrame(data: unknown): ParsedFrame {
  const malformed = (
    problem: string,
    type: string | null = null,
    ref: string | null = null,
  ): ParsedFrame => ({
    kind: 'malformed',
    type,
    ref,
    problem,
  });
  if (typeof data !== 'string') return malformed('not a text frame');
  let value: unknown;
  try {
    // RFC 8259, 8.1: a byte order mark may be ignored, as fetch() does.
    value = JSON.parse(data.replace(/^\uFEFF/, ''));
  } catch {
    return malformed('not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return malformed('not an object');
  const { type, ref } = value as { type?: unknown; ref?: unknown };
  if (typeof type !== 'string') return malformed('no type');
  if (!Object.hasOwn(schemas, type)) return { kind: 'unknown', type };
  const parsed = z.safeParse(schemas[type as keyof typeof schemas], value);
  if (parsed.success) {
    const { data } = parsed;
    const frame =
      data.type === 'session.ready' ? { ...data, limits: { ...defaultLimits, ...data.limits } } : data;
    return { kind: 'frame', frame: frame as ServerFrame };
  }
  const fields = parsed.error.issues.map((issue) => issue.path.join('.')).join(', ');
  return malformed(`wrong fields: ${fields}`, type, typeof ref === 'string' ? ref : null);
}
