// Decides which client frames may reach the service (SEMANTICS, upgrade).
// - V1, V2 and V3 share one address, and the first frame decides the version (document 3, Versioning): a
//   session.start of any version but "3.0" is refused.
// - After it other frames pass unchanged, also malformed JSON and unknown types, for which the service has error codes.
//   Malformed JSON that contains the string `session.start` is refused, because a lenient parser might open a session by it.
// - A frame is parsed only when one of its strings is `session.start`, in any letter case, plain or with escapes. What was parsed
//   is serialized and sent, so that a duplicate key means the same to the service and to us.
// - A frame that has to be parsed and has more than 1,000 items or 64 levels is refused in the same way as a wrong session.start.
// - A session.start in other letters (`Session.Start`) or with a second `type` or `version` in other letters is refused, and where
//   a site has a list of signers also one with a second `config` or `digital_signer`.
import { PROTOCOL_VERSION } from '../../src/protocol/websocket.ts';
import { foldedName } from '../folded-name.ts';
import { isTooComplex } from '../json-complexity.ts';
import { bytesOf, jsonOf, type Message, messageOf } from './message.ts';

type InspectedFrame =
  /** Without a `reason` its version is wrong. */
  | { readonly kind: 'refuse'; readonly reason?: string }
  /** `passed` is what goes to the service; null for the frame as it came. */
  | { readonly kind: 'start' | 'other'; readonly passed: Message | null };

const AS_IT_CAME: InspectedFrame = { kind: 'other', passed: null };

const START = 'session.start';

const LIMITS = { depth: 64, values: 1_000 };

/** `signers` are those that a session may have, in lower case; any while there are none. */
export function inspectFrame(message: Message, signers: readonly string[] = []): InspectedFrame {
  if (message.plainText !== null || !hasStart(message.text)) return AS_IT_CAME;
  if (isTooComplex(bytesOf(message), LIMITS)) return { kind: 'refuse' };
  const value = jsonOf(message);
  if (value === undefined) return { kind: 'refuse' };
  const parsed = asObject(value);
  if (parsed === null) return AS_IT_CAME;
  const keys = Object.entries(parsed).map(([key, value]) => [foldedName(key), value] as const);
  const isStart = keys.some(
    ([key, value]) => key === 'type' && typeof value === 'string' && foldedName(value) === START,
  );
  const isUnambiguous = keys.filter(([key]) => key === 'type' || key === 'version').length === 2;
  const isVersion3 = isUnambiguous && parsed.type === START && parsed.version === PROTOCOL_VERSION;
  if (isVersion3 && signers.length > 0 && !signers.includes(signerOf(parsed))) {
    return { kind: 'refuse', reason: `digital_signer must be one of ${signers.join(', ')}` };
  }
  if (isStart && !isVersion3) return { kind: 'refuse' };
  return { kind: isStart ? 'start' : 'other', passed: messageOf(Buffer.from(JSON.stringify(parsed))) };
}

/** Empty when the service may read another signer than we do. */
function signerOf(start: Record<string, unknown>): string {
  const config = asObject(start.config) ?? {};
  const { digital_signer: signer } = config;
  const isUnambiguous = isOnly('config', start) && isOnly('digital_signer', config);
  return isUnambiguous && typeof signer === 'string' ? signer.toLowerCase() : '';
}

/** True when no other name of the object can be taken for this one. */
const isOnly = (name: string, object: object): boolean =>
  Object.keys(object).every((key) => key === name || foldedName(key) !== name);

/**
 * A string whose characters are those of `session.start`, each plain or escaped, also as only lenient parsers read it: in single
 * quotes, with a needless backslash, by two digits or ended by a NUL.
 */
const START_STRING = new RegExp(`["']${[...START].map(plainOrEscaped).join('')}(?:["']|\\\\u0000)`, 'i');

function plainOrEscaped(char: string): string {
  const [lower, upper] = [char, char.toUpperCase()].map((each) => each.charCodeAt(0).toString(16));
  return `(?:\\\\?${char === '.' ? '\\.' : char}|\\\\(?:u00|x)(?:${lower}|${upper}))`;
}

/**
 * True when a string of the frame (key or value) is `session.start`, and in rare cases for one that ends with it. No string
 * is parsed: a client could fill a frame with thousands.
 */
const hasStart = (text: string): boolean => START_STRING.test(text);

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [DIGIT_0, DIGIT_7, DIGIT_8] = [0x30, 0x37, 0x38];
const [LETTER_D, LETTER_U] = [0x64, 0x75];
const LOWER = 0x20;

/**
 * True when there are more than `maxTextBytes` of text (UTF-8, escapes undone) between two quotes of the frame. Nothing is
 * parsed: a small list in a frame costs sixty times as much as a long text.
 */
export function hasLongText(message: Message, maxTextBytes: number): boolean {
  if (message.length <= maxTextBytes) return false;
  const data = bytesOf(message);
  let bytes = 0;
  for (let at = 0; at < data.length && bytes <= maxTextBytes; at += 1) {
    if (data[at] === QUOTE) {
      bytes = 0;
    } else if (data[at] !== BACKSLASH) {
      bytes += 1;
    } else if (data[at + 1] === LETTER_U) {
      bytes += bytesOfEscape(data, at + 2);
      at += 5;
    } else {
      bytes += 1;
      at += 1;
    }
  }
  return bytes > maxTextBytes;
}

/** Bytes in UTF-8 of the character whose four hexadecimal digits begin at `at`; for a surrogate half of those of its pair. */
function bytesOfEscape(data: Buffer, at: number): number {
  const [first = 0, second = 0, third = 0] = [data[at], data[at + 1], data[at + 2]];
  if (first === DIGIT_0 && second === DIGIT_0) return third <= DIGIT_7 ? 1 : 2;
  const isSurrogate = (first | LOWER) === LETTER_D && second >= DIGIT_8;
  return isSurrogate || (first === DIGIT_0 && second <= DIGIT_7) ? 2 : 3;
}

/** Longer than any id that a client needs: a frame of 64 kB must not be answered with 64 kB. */
export const MAX_ID = 256;

/**
 * The `id` of the frame, for the `ref` of an answer; empty when it has none, one of over 256 characters, or more items than
 * LIMITS.
 */
export function idOf(message: Message): string {
  const id = isTooComplex(bytesOf(message), LIMITS) ? '' : asObject(jsonOf(message))?.id;
  return typeof id === 'string' && id.length <= MAX_ID ? id : '';
}

function asObject(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}
