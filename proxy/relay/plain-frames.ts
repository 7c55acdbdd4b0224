// Reads, in their bytes, the two messages that most frames are: a text as our own client writes it, and a result as the service
// writes it (document 3). A string of each, patterns for it and their garbage took a fifth of the time of the relay's own code.
// - Their strings are printable ASCII without escapes, and nothing stands between their members.
// - Everything else is null here, and is parsed (counted-fields.ts). The counts of both ways are the same (fuzz:frames).
import { keyOfBytes } from './id-key.ts';

const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const byteOf = (character: string): number => character.charCodeAt(0);
const [QUOTE, BACKSLASH, SPACE, COMMA, COLON] = [...'"\\ ,:'].map(byteOf);
const [OPEN, CLOSE, ZERO, NINE, POINT] = [...'{}09.'].map(byteOf) as [number, number, number, number, number];

/** The kind of each byte: 0 for no part of a plain string, 3 where an escape of HTML or of an address begins with it, else 1. */
const KINDS = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 0x20 || byte > 0x7e || byte === QUOTE || byte === BACKSLASH
    ? 0
    : '%&'.includes(String.fromCharCode(byte))
      ? 3
      : 1,
);
const ESCAPE = 2;

const TEXT = bytesOf('{"type":"text","id":"');
const DATA = bytesOf('","data":"');
const RESULT = bytesOf('{"type":"result","ref":"');
const SECONDS = bytesOf('duration_seconds');
/** The counted names of a result besides SECONDS. Where a name stands twice, parsers differ about its value. */
const COUNTED = ['type', 'ref', 'usage'].map(bytesOf);
/** A string of this length may be `session.start` (session-start.ts). */
const START_LENGTH = 'session.start'.length;
/** With more digits, the number that is read here may differ from what a parser reads. */
const EXACT_DIGITS = 15;

export interface PlainText {
  /** The key of its id (id-key.ts). */
  readonly key: number;
  /** The length of its id, which begins at PLAIN_ID_AT. */
  readonly idLength: number;
  readonly characters: number;
  /** Runs of spaces. */
  readonly spaces: number;
  /** Whether one of its characters may begin an escape. */
  readonly hasEscapes: boolean;
}

export const PLAIN_ID_AT = TEXT.length;

export interface PlainResult {
  /** The key of its `ref` (id-key.ts). */
  readonly key: number;
  readonly seconds: number;
  readonly hasEscapes: boolean;
}

/** The text whose bytes `data` has between two places; null when it is another message. */
export function plainText(data: Uint8Array, from: number, to: number): PlainText | null {
  const idFrom = from + TEXT.length;
  if (!standsAt(TEXT, data, from)) return null;
  kindsPassed = 0;
  const idTo = endOfString(data, idFrom, to);
  if (!standsAt(DATA, data, idTo)) return null;
  const textFrom = idTo + DATA.length;
  let kinds = 0;
  let spaces = 0;
  let at = textFrom;
  for (let wasSpace = false; at < to; at += 1) {
    const byte = data[at] ?? 0;
    const kind = KINDS[byte] ?? 0;
    if (kind === 0) break;
    kinds |= kind;
    const isSpace = byte === SPACE;
    if (isSpace && !wasSpace) spaces += 1;
    wasSpace = isSpace;
  }
  const isWhole = at === to - 2 && data[at] === QUOTE && data[at + 1] === CLOSE;
  const [idLength, characters] = [idTo - idFrom, at - textFrom];
  if (!isWhole || idLength === START_LENGTH || characters === START_LENGTH) return null;
  const hasEscapes = ((kinds | kindsPassed) & ESCAPE) !== 0;
  return { key: keyOfBytes(data, idFrom, idTo), idLength, characters, spaces, hasEscapes };
}

/** The result whose bytes `data` has between two places; null when it is another message. */
export function plainResult(data: Uint8Array, from: number, to: number): PlainResult | null {
  const refFrom = from + RESULT.length;
  if (!standsAt(RESULT, data, from)) return null;
  kindsPassed = 0;
  const refTo = endOfString(data, refFrom, to);
  let seconds = -1;
  let at = refTo + 1;
  while (refTo >= 0 && data[at] === COMMA) {
    const nameFrom = at + 2;
    const valueAt = endOfName(data, at + 1, to);
    if (valueAt < 0) return null;
    const nameTo = valueAt - 2;
    if (isName(SECONDS, data, nameFrom, nameTo)) {
      at = endOfNumber(data, valueAt);
      if (at < 0 || seconds >= 0) return null;
      seconds = numberIn(data, valueAt, at);
    } else {
      if (isCounted(data, nameFrom, nameTo)) return null;
      at = data[valueAt] === OPEN ? endOfObject(data, valueAt, to) : endOfValue(data, valueAt, to);
      if (at < 0) return null;
    }
  }
  if (seconds < 0 || at !== to - 1 || data[at] !== CLOSE) return null;
  return { key: keyOfBytes(data, refFrom, refTo), seconds, hasEscapes: (kindsPassed & ESCAPE) !== 0 };
}

/** Whether the word is at `at`, which may be -1. */
function standsAt(word: Uint8Array, data: Uint8Array, at: number): boolean {
  if (at < 0) return false;
  for (let each = 0; each < word.length; each += 1) if (data[at + each] !== word[each]) return false;
  return true;
}

const isName = (name: Uint8Array, data: Uint8Array, from: number, to: number): boolean =>
  to - from === name.length && standsAt(name, data, from);

function isCounted(data: Uint8Array, from: number, to: number): boolean {
  for (const name of COUNTED) if (isName(name, data, from, to)) return true;
  return false;
}

/** The kinds of all bytes that endOfString() has passed since it was 0. */
let kindsPassed = 0;

/** Where the quote is that ends the plain string of which the first character is at `at`; -1 when it does not end. */
function endOfString(data: Uint8Array, at: number, to: number): number {
  let kinds = 0;
  for (; at < to; at += 1) {
    const kind = KINDS[data[at] ?? 0] ?? 0;
    if (kind === 0) break;
    kinds |= kind;
  }
  kindsPassed |= kinds;
  return at < to && data[at] === QUOTE ? at : -1;
}

/** Where the value begins whose name, with its quotes, begins at `at`. The functions below return -1 for what is not plain. */
function endOfName(data: Uint8Array, at: number, to: number): number {
  const end = data[at] === QUOTE ? endOfString(data, at + 1, to) : -1;
  return end >= 0 && data[end + 1] === COLON ? end + 2 : -1;
}

/** After the string or number at `at`. */
function endOfValue(data: Uint8Array, at: number, to: number): number {
  if (data[at] !== QUOTE) return endOfNumber(data, at);
  const end = endOfString(data, at + 1, to);
  return end < 0 ? -1 : end + 1;
}

/** After an object of strings and numbers, of which there is at least one. */
function endOfObject(data: Uint8Array, at: number, to: number): number {
  do {
    const valueAt = endOfName(data, at + 1, to);
    at = valueAt < 0 ? -1 : endOfValue(data, valueAt, to);
  } while (at >= 0 && data[at] === COMMA);
  return at >= 0 && data[at] === CLOSE ? at + 1 : -1;
}

/** After a number without sign and exponent, and of at most EXACT_DIGITS. */
function endOfNumber(data: Uint8Array, from: number): number {
  let at = endOfDigits(data, from);
  // No number begins with a zero before another digit.
  if (at === from || (data[from] === ZERO && at > from + 1)) return -1;
  if (data[at] === POINT) {
    const fraction = at + 1;
    at = endOfDigits(data, fraction);
    if (at === fraction) return -1;
  }
  return at - from <= EXACT_DIGITS ? at : -1;
}

function endOfDigits(data: Uint8Array, at: number): number {
  for (let byte = data[at] ?? 0; byte >= ZERO && byte <= NINE; byte = data[at] ?? 0) at += 1;
  return at;
}

/** The number of digits with a point among them, as a parser reads it: the whole number and the power of ten are exact. */
function numberIn(data: Uint8Array, from: number, to: number): number {
  let digits = 0;
  let divisor = 0;
  for (let at = from; at < to; at += 1) {
    const byte = data[at] ?? 0;
    if (byte === POINT) {
      divisor = 1;
    } else {
      digits = digits * 10 + byte - ZERO;
      divisor *= 10;
    }
  }
  return divisor === 0 ? digits : digits / divisor;
}
