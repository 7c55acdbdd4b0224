// Reads what a client sends (document 3, Resources) and tells apart every way in which it can be wrong.
// Policy: hostile until parsed: nothing here throws, and no value a client sent goes into a message, only names of fields,
// cut short. Code by code: not JSON, no object, no known type or a `text` with wrong fields is `invalid_message`; a wrong
// session.start is `invalid_session_start`; fields that are merely unknown are `unknown_field`.
import * as z from 'zod/mini';
import { clientFrameSchemas, type ClientFrame } from '../../../src/protocol/client-frames.ts';
import type { ServiceErrorCode } from '../../../src/protocol/service-errors.ts';

/** Characters of a frame that are looked at; document 3 names no limit, memory needs one. */
const MOST_FRAME = 1024 * 1024;
/** Characters of a text's id; as above. */
const MOST_ID = 256;

export type ClientMessage =
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
