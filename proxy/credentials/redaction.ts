// Replaces configured secrets and access tokens in what leaves the proxy (upstream responses and frames, log lines)
// by `[redacted]`. The bytes around them stay unchanged.
// - Found: a secret in plain text, JSON-escaped (`\u0061`, `\/`, also twice), percent-encoded (also twice),
//   HTML-escaped (`&quot;`, `&#039;`, `&#x2F;`, also twice), any mixture of these, and in base64 at each of its three alignments,
//   percent-encoded or not.
// - Not found: encodings that only a service that hides it on purpose would use (base64 with line breaks,
//   hexadecimal, `\x2d`, UTF-16).
// - Escapes are undone and the result is searched. A pattern of all spellings takes seconds to compile for a token of
//   8 kB, and finds the same.
// - A secret that a client itself has sent is left as it is in what that client gets: `[redacted]` would tell it that its guess
//   was right.
import { unescape } from './unescape.ts';
import { wordSearch } from './word-search.ts';

const REDACTED = '[redacted]';

export interface Redactor {
  /** Returns the same buffer when nothing was found. */
  bytes(data: Buffer): Buffer;
  text(value: string): string;
  /** True when these bytes hold no secret. Only for bytes without the beginning of an escape: none is undone. */
  isFree(data: Uint8Array, from: number, to: number): boolean;
  /** The secrets that `value` (one character a byte) holds in any spelling. */
  secretsIn(value: string): readonly string[];
  /** A redactor that leaves these secrets as they are. */
  without(known: readonly string[]): Redactor;
}

/** A string to search for, and how many characters before and after it are replaced too. */
interface Needle {
  readonly word: string;
  readonly before: number;
  readonly after: number;
}

type NeedlesBySecret = readonly (readonly [secret: string, needles: readonly Needle[]])[];

/** `secrets` are visible ASCII: 20 characters at least (environment.ts), an access token 4. */
export const createRedactor = (secrets: readonly string[]): Redactor =>
  redactorOf(
    secrets.map((secret) => [secret, needlesOf(secret)] as const),
    wordSearch,
  );

/** Searches for each word by itself: for a few texts this takes less time than to make the table of wordSearch(). */
const searchEach: typeof wordSearch = (words) => ({
  inText: (text) => words.some((word) => text.includes(word)),
  inBytes: (data, from, to) => words.some((word) => Buffer.from(data.subarray(from, to)).includes(word)),
});

function redactorOf(needlesBySecret: NeedlesBySecret, search: typeof wordSearch): Redactor {
  const needles = needlesBySecret.flatMap(([, each]) => each);
  const words = [...new Set(needles.map(({ word }) => word))];
  const { inText, inBytes } = search(words);
  /** Whether the value has a secret in any spelling. */
  const isFoundIn = (value: string): boolean =>
    inText(value) || (hasEscapeSign(value) && inText(unescape(value)));
  const text = (value: string): string => (isFoundIn(value) ? redact(value, needles) : value);
  return {
    text,
    isFree: (data, from, to) => !inBytes(data, from, to),
    bytes(data) {
      // latin1 maps each byte to one character and back: UTF-8 around a secret survives, and secrets are ASCII.
      const before = data.toString('latin1');
      const after = text(before);
      return after === before ? data : Buffer.from(after, 'latin1');
    },
    secretsIn(value) {
      if (!isFoundIn(value)) return [];
      const unescaped = unescape(value);
      return needlesBySecret
        .filter(([, each]) => each.some(({ word }) => value.includes(word) || unescaped.includes(word)))
        .map(([secret]) => secret);
    },
    without: (known) =>
      redactorOf(
        needlesBySecret.filter(([secret]) => !known.includes(secret)),
        searchEach,
      ),
  };
}

/** A redactor that also replaces one more secret. */
export function withSecret(redactor: Redactor, secret: string): Redactor {
  const own = createRedactor([secret]);
  return {
    text: (value) => redactor.text(own.text(value)),
    isFree: (data, from, to) => redactor.isFree(data, from, to) && own.isFree(data, from, to),
    bytes: (data) => redactor.bytes(own.bytes(data)),
    secretsIn: (value) => [...redactor.secretsIn(value), ...own.secretsIn(value)],
    without: (known) =>
      known.includes(secret) ? redactor.without(known) : withSecret(redactor.without(known), secret),
  };
}

/**
 * `redactor` for what goes to one client. `sent` is everything that the client has sent to the service; it is asked for only when
 * a secret was found.
 */
export function redactorFor(redactor: Redactor, sent: () => readonly string[]): Redactor {
  const own = (): Redactor => redactor.without(sent().flatMap((value) => redactor.secretsIn(value)));
  return {
    ...redactor,
    bytes: (data) => (redactor.bytes(data) === data ? data : own().bytes(data)),
    text: (value) => (redactor.text(value) === value ? value : own().text(value)),
  };
}

const MIN_WORD = 4;

/** The secret, the secret with its own escapes undone (as they are in the searched text), and its base64 in both alphabets. */
function needlesOf(secret: string): readonly Needle[] {
  const words = [secret, unescape(secret)].filter((word) => word.length >= MIN_WORD);
  const plain = words.map((word) => ({ word, before: 0, after: 0 }));
  // Basic credentials of OAuth are percent-encoded before base64 (RFC 6749, 2.3.1).
  const encoded = new Set([secret, encodeURIComponent(secret)]);
  return [
    ...plain,
    ...[...encoded].flatMap((word) => [0, 1, 2].flatMap((offset) => base64Needles(word, offset))),
  ];
}

/**
 * The base64 digits that depend on the secret alone, when the secret begins at byte `offset` of a group of three.
 */
function base64Needles(secret: string, offset: number): readonly Needle[] {
  const encoded = Buffer.from('\0'.repeat(offset) + secret, 'latin1').toString('base64');
  const first = Math.ceil((offset * 8) / 6);
  const last = Math.floor(((offset + secret.length) * 8) / 6);
  const digits = encoded.slice(first, last);
  // A digit at each end may stand for a part of the secret and a part of its neighbour.
  const before = offset > 0 ? 1 : 0;
  const after = (offset + secret.length) % 3 === 0 ? 0 : 1;
  const urlDigits = digits.replaceAll('+', '-').replaceAll('/', '_');
  return [digits, urlDigits].map((word) => ({ word, before, after }));
}

/** Searches the value as it is and unescaped: in rare cases only one of the two shows a secret. */
function redact(value: string, needles: readonly Needle[]): string {
  const { plain, startOf } = unescapeWithPositions(value);
  const ranges = [
    ...needles.flatMap((needle) => rangesOf(needle, value)),
    ...needles
      .flatMap((needle) => rangesOf(needle, plain))
      .map(([from, to]) => [startOf(from), startOf(to)] as const),
  ].sort(([a], [b]) => a - b);
  let result = '';
  let end = 0;
  for (const [from, to] of ranges) {
    if (from >= end) result += value.slice(end, from) + REDACTED;
    end = Math.max(end, to);
  }
  return result + value.slice(end);
}

type Range = readonly [from: number, to: number];

function rangesOf({ word, before, after }: Needle, text: string): Range[] {
  const ranges: Range[] = [];
  for (let from = text.indexOf(word); from >= 0; from = text.indexOf(word, from + word.length)) {
    const start = before > 0 && isBase64(text[from - 1]) ? from - 1 : from;
    const end = from + word.length;
    ranges.push([start, after > 0 ? endOfBase64(text, end) : end]);
  }
  return ranges;
}

/** The index after one more digit, if there is one, and the padding. */
function endOfBase64(text: string, from: number): number {
  let end = isBase64(text[from]) ? from + 1 : from;
  while (text[end] === '=') end += 1;
  return end;
}

const isBase64 = (char = ''): boolean => /^[\w+/-]$/.test(char);

/** Searches for one character are faster than a pattern of several. */
const hasEscapeSign = (value: string): boolean =>
  value.includes('\\') || value.includes('%') || (value.includes('&') && value.includes(';'));

/** `plain` is the value unescaped; `startOf` maps an index in it to the index in `value`. */
function unescapeWithPositions(value: string): { readonly plain: string; startOf(index: number): number } {
  const starts = new Uint32Array(value.length);
  const plain = unescape(value, starts);
  return { plain, startOf: (index) => (index < plain.length ? (starts[index] ?? 0) : value.length) };
}
