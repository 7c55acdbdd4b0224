// Reads the counted fields of a frame that is not plain (plain-frames.ts). A frame that another parser may read differently must
// not sign more than is counted.
// - Most frames are not parsed: those without a name of a counted field, and those with more items or levels than a limit.
import { foldedName } from '../folded-name.ts';
import { isTooComplex } from '../json-complexity.ts';
import { bytesOf, jsonOf, type Message } from './message.ts';

/** A frame of a client with more than this holds no text that the service accepts. */
const LIMITS = { depth: 64, values: 1_000 };
/** No result, summary or error of the service has more than this. 1 MB of brackets would take 200 ms to parse. */
const SERVICE_LIMITS = { depth: 64, values: 10_000 };
/** A shorter frame is cheap to parse, whatever is in it. */
const CHEAP_BYTES = 1_000;

/** A frame of the service with none of these names changes no count. */
const COUNTED = /"(?:duration_seconds|total_video_duration_sec|error)"/;

/**
 * A frame of a client that does not match this is not parsed. A name may be written with escapes, even needless ones, and with
 * spaces around it.
 */
const OF_INTEREST = /data|id|\\/i;
const NAMES = ['type', 'id', 'data'];

type Fields = Readonly<Record<string, unknown>>;

/** Whether a frame of a client may be counted. */
export const mayCount = (message: Message): boolean => OF_INTEREST.test(message.text);

/** The fields of a client's frame; null when it cannot be read, has a name twice, or one of NAMES in other letters. */
export function fieldsOfClient(message: Message): Fields | null {
  const fields = fieldsOf(message, LIMITS);
  // The parser drops the first of two equal names, and its value.
  if (fields === null || quotesIn(message.text) !== quotesIn(JSON.stringify(fields))) return null;
  const isOdd = Object.keys(fields).some((name) => !NAMES.includes(name) && NAMES.includes(foldedName(name)));
  return isOdd ? null : fields;
}

/** Empty for a frame of the service that changes no count, or cannot be read. */
export const fieldsOfService = (message: Message): Fields =>
  COUNTED.test(message.text) ? (fieldsOf(message, SERVICE_LIMITS) ?? {}) : {};

/** The values of all names of a session.start that a parser may take for `mode`. */
export const modesOf = (message: Message): readonly unknown[] =>
  Object.entries(fieldsOf(message, LIMITS) ?? {}).flatMap(([name, mode]) =>
    foldedName(name) === 'mode' ? [mode] : [],
  );

/** Whether a parser may take the value for this word. A client may write an object that cannot be made a string. */
export const isNamed = (value: unknown, word: string): boolean =>
  typeof value === 'string' && foldedName(value) === word;

/** Null for what is no number of seconds, or more than `most`. */
export function secondsOf(value: unknown, most: number): number | null {
  const seconds = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof seconds === 'number' && seconds >= 0 && seconds <= most ? seconds : null;
}

/** Quotes around strings. */
const quotesIn = (json: string): number => json.replace(/\\./gs, '').split('"').length;

/** Null for what is no JSON or beyond `limits`, empty for what is no object. */
function fieldsOf(message: Message, limits: typeof LIMITS): Fields | null {
  if (message.length > CHEAP_BYTES && isTooComplex(bytesOf(message), limits)) return null;
  const value = jsonOf(message);
  if (value === undefined) return null;
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
