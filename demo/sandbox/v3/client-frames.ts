// Reads the frames of the V3 protocol that a client sends, by the sandbox's own schemas (document 3, Resources and Errors).
// - It shares nothing with src/protocol, so that one misreading cannot pass on both sides.
// - A client may send anything, so nothing here throws. A message names wrong fields by at most 40 characters each, and never
//   repeats a value that a client sent.
// - A frame that is no JSON object or has an unknown type or wrong fields is `invalid_message`, a session.start with wrong fields
//   `invalid_session_start`; when unknown fields are the only mistake, it is `unknown_field`.
// - A frame has at most 1,048,576 characters and an id 256. The document names no limits, but without them a client could fill the
//   memory.
import * as z from 'zod/mini';
import { languages } from '../signers.ts';
import type { ServiceErrorCode } from './service-errors.ts';

const filled = z.string().check(z.minLength(1));

const schemas = {
  'session.start': z.strictObject({
    type: z.literal('session.start'),
    version: z.literal('3.0'),
    mode: z.enum(['translate', 'stream']),
    config: z.strictObject({
      digital_signer: filled,
      language: z.optional(z.enum(languages)),
      output_format: z.optional(z.enum(['mp4', 'hls'])),
      resolution: z.optional(z.enum(['480p', '720p', '1080p'])),
      debug: z.optional(z.boolean()),
      /** The document does not show its fields. */
      hls: z.optional(z.record(z.string(), z.unknown())),
    }),
  }),
  text: z.strictObject({ type: z.literal('text'), id: filled, data: z.string() }),
  'result.fetch': z.strictObject({ type: z.literal('result.fetch'), id: filled }),
  'session.end': z.strictObject({ type: z.literal('session.end') }),
} as const;

type FrameOf<Type extends keyof typeof schemas> = z.infer<(typeof schemas)[Type]>;
export type SessionStartFrame = FrameOf<'session.start'>;
export type TextFrame = FrameOf<'text'>;
export type ResultFetchFrame = FrameOf<'result.fetch'>;
export type ClientFrame = FrameOf<keyof typeof schemas>;

/** Longest frame, in characters. */
const MOST_FRAME = 1024 * 1024;
/** Longest id of a text, in characters. */
const MOST_ID = 256;

type ClientMessage =
  | { readonly kind: 'frame'; readonly frame: ClientFrame }
  | {
      readonly kind: 'wrong';
      /** The type of the frame; null when it has none. */
      readonly type: string | null;
      /** The id of the frame; empty when it has none. */
      readonly ref: string;
      readonly code: ServiceErrorCode;
      readonly message: string;
    };

const naming = (fields: readonly PropertyKey[]): string =>
  fields
    .slice(0, 5)
    .map((field) => String(field).slice(0, 40))
    .join(', ');

/** Fields that the schema does not know, with the path to them; null when the frame has other errors too. */
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
  const frame = value as { readonly type?: unknown; readonly id?: unknown };
  if (typeof frame.id === 'string' && frame.id.length <= MOST_ID) ref = frame.id;
  if (typeof frame.type !== 'string') return wrong('invalid_message', 'no type');
  type = frame.type;
  if (!Object.hasOwn(schemas, type)) return wrong('invalid_message', 'unknown type');
  if (typeof frame.id === 'string' && frame.id.length > MOST_ID) {
    return wrong('invalid_message', `id: more than ${MOST_ID} characters`);
  }
  const parsed = z.safeParse(schemas[type as keyof typeof schemas], value);
  if (parsed.success) return { kind: 'frame', frame: parsed.data };
  const unknown = unknownFields(parsed.error.issues);
  if (unknown) return wrong('unknown_field', `unknown: ${naming(unknown)}`);
  const fields = naming(parsed.error.issues.map(({ path }) => path.join('.')));
  const code = type === 'session.start' ? 'invalid_session_start' : 'invalid_message';
  return wrong(code, `missing or wrong: ${fields}`);
}
