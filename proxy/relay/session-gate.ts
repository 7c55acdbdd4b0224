// Which frames of a page may reach the service (SEMANTICS, upgrade). Policy: V1, V2 and V3 share one address and the
// version is detected from the first message (document 3, Versioning), so a `session.start` of any version but "3.0"
// stops here. Everything else goes on untouched, malformed JSON and unknown types too: the service has codes for them;
// but not malformed JSON with the string `session.start` in it, for a more lenient reader might open a session by it. A
// frame is parsed only when one of its strings is `session.start`, by its letters or by \u escapes. Such a frame goes
// on as it was understood, so that a key that stands twice means one thing to both; and a session.start whose `type` or
// `version` stands a second time in other letters (`Version`) is refused, since a service may read that one.
import { PROTOCOL_VERSION } from '../../src/protocol/websocket.ts';

export type Verdict =
  | { readonly kind: 'refuse' }
  /** `frame` is what goes on. */
  | { readonly kind: 'start' | 'other'; readonly frame: Buffer };

const START = 'session.start';

export function judgeFrame(data: Buffer): Verdict {
  if (!hasStart(data)) return { kind: 'other', frame: data };
  const value = parseFrame(data);
  if (value === undefined) return { kind: 'refuse' };
  const parsed = asObject(value);
  if (parsed === null) return { kind: 'other', frame: data };
  const keys = Object.entries(parsed).map(([key, value]) => [key.toLowerCase(), value] as const);
  const isStart = keys.some(([key, value]) => key === 'type' && value === START);
  const isClear = keys.filter(([key]) => key === 'type' || key === 'version').length === 2;
  const isOurs = isClear && parsed.type === START && parsed.version === PROTOCOL_VERSION;
  const frame = isStart && !isOurs ? null : written(parsed);
  return frame === null ? { kind: 'refuse' } : { kind: isStart ? 'start' : 'other', frame };
}

/** Each JSON string, from its quote to its end or the frame's: so nothing is read twice, whatever a page sends. */
const STRINGS = /"(?:[^"\\]+|\\.)*(?:"|\\?$)/gs;
/** `session.start` with every letter as an escape, and its quotes. */
const LONGEST = 2 + 6 * START.length;
/** As bytes, so that a frame is searched as it lies there. */
const START_BYTES = Buffer.from(START);
const [BACKSLASH, ESCAPE] = [0x5c, Buffer.from('\\u')];

/** True when a string of the frame, a key or a value, is `session.start`. */
function hasStart(data: Buffer): boolean {
  if (!data.includes(START_BYTES) && !(data.includes(BACKSLASH) && data.includes(ESCAPE))) return false;
  const strings = data.toString('latin1').match(STRINGS) ?? [];
  return strings.some((string) => string.length <= LONGEST && parse(string) === START);
}

/** Null for what is nested deeper than can be written. */
function written(value: object): Buffer | null {
  try {
    return Buffer.from(JSON.stringify(value));
  } catch {
    return null;
  }
}

/** The `id` that an answer to this frame has to name as its `ref`; empty when it has none. */
export function idOf(data: Buffer): string {
  const id = asObject(parseFrame(data))?.id;
  return typeof id === 'string' ? id : '';
}

/** Undefined for what is no JSON. A byte order mark is none, and there are readers that pass over it. */
const parseFrame = (data: Buffer): unknown => parse(data.toString().replace(/^\uFEFF/, ''));

function asObject(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
