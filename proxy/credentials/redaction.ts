// Replaces configured secrets and access tokens in what leaves the proxy (upstream responses and frames, log lines)
// by `[redacted]`. The bytes around them stay unchanged.
// - found: a secret in plain text, JSON-escaped (`\u0061`, `\/`, also twice), percent-encoded (also twice),
//   HTML-escaped (`&quot;`, `&#039;`, `&#x2F;`, also twice), any mixture of these, and in base64 at each of its three alignments,
//   percent-encoded or not.
// - not found: encodings that only a service that hides it on purpose would use (base64 with line breaks,
//   hexadecimal, `\x2d`, UTF-16).
// - escapes are undone and the result is searched. A pattern of all spellings takes seconds to compile for a token of
//   8 kB, and finds the same.

const REDACTED = '[redacted]';

export interface Redactor {
  /** Returns the same buffer when nothing was found. */
  bytes(data: Buffer): Buffer;
  text(value: string): string;
}

/** A string to search for, and by how many characters on each side what it replaces is longer. */
interface Needle {
  readonly word: string;
  readonly before: number;
  readonly after: number;
}

/** `secrets` are visible ASCII: 20 characters at least (environment.ts), an access token 4. */
export function createRedactor(secrets: readonly string[]): Redactor {
  const needles = secrets.flatMap(needlesOf);
  const words = [...new Set(needles.map(({ word }) => word))];
  const beginning = anyBeginning(words);
  const holdsOne = (value: string): boolean =>
    beginning.test(value) && words.some((word) => value.includes(word));
  const text = (value: string): string => {
    if (holdsOne(value)) return redact(value, needles);
    if (!hasEscapeSign(value)) return value;
    const unescaped = unescapeText(value);
    return unescaped !== value && holdsOne(unescaped) ? redact(value, needles) : value;
  };
  return {
    text,
    bytes(data) {
      // latin1 maps each byte to one character and back: UTF-8 around a secret survives, and secrets are ASCII.
      const before = data.toString('latin1');
      const after = text(before);
      return after === before ? data : Buffer.from(after, 'latin1');
    },
  };
}

const BEGINNING = 8;

/**
 * Finds the first characters of any of `words`. One pattern searches for all of them at once, which is faster than a
 * search for each whole word.
 */
const anyBeginning = (words: readonly string[]): RegExp =>
  words.length === 0
    ? /(?!)/
    : new RegExp(
        [...new Set(words.map((word) => word.slice(0, BEGINNING)))]
          .map((beginning) => beginning.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
          .join('|'),
      );

/** `redactor`, and one more secret. */
export function withSecret(redactor: Redactor, secret: string): Redactor {
  const own = createRedactor([secret]);
  return {
    text: (value) => redactor.text(own.text(value)),
    bytes: (data) => redactor.bytes(own.bytes(data)),
  };
}

const MIN_WORD = 4;

/** The secret, also with its own escapes undone as those of the searched text are, and its base64 in both alphabets. */
function needlesOf(secret: string): readonly Needle[] {
  const words = [secret, unescapeText(secret)].filter((word) => word.length >= MIN_WORD);
  const plain = words.map((word) => ({ word, before: 0, after: 0 }));
  // Basic credentials of OAuth are percent-encoded before base64 (RFC 6749, 2.3.1).
  const encoded = new Set([secret, encodeURIComponent(secret)]);
  return [
    ...plain,
    ...[...encoded].flatMap((word) => [0, 1, 2].flatMap((offset) => base64Needles(word, offset))),
  ];
}

/**
 * `secret` inside base64 when it begins at `offset` in a group of three bytes: the digits that stand for nothing
 * else.
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

/** After one more digit and the padding. */
function endOfBase64(text: string, from: number): number {
  let end = isBase64(text[from]) ? from + 1 : from;
  while (text[end] === '=') end += 1;
  return end;
}

const isBase64 = (char = ''): boolean => /^[\w+/-]$/.test(char);

/** Searches for one character are faster than a pattern of several. */
const hasEscapeSign = (value: string): boolean =>
  value.includes('\\') || value.includes('%') || (value.includes('&') && value.includes(';'));

const ESCAPES =
  /(?:\\{1,3}u00|%(?:25){0,2})([\da-f]{2})|&(?:amp;)?#x([\da-f]{2});|&(?:amp;)?#0?(\d{2,3});|\\+(["/])?|&(?:amp;)?(quot|amp|apos|lt|gt);/gi;
const named = { quot: '"', amp: '&', apos: "'", lt: '<', gt: '>' } as const;

/**
 * The character that an escape stands for; the parameters are the groups of ESCAPES. A backslash becomes nothing,
 * because `\\u0041` can be one escape of JSON in JSON, or a backslash and an escape.
 */
function unescapeOne(
  _escape: string,
  ...[hex, htmlHex = hex, code, char, name]: (string | undefined)[]
): string {
  if (name !== undefined) return named[name.toLowerCase() as keyof typeof named];
  if (htmlHex === undefined && code === undefined) return char ?? '';
  const unescaped = String.fromCharCode(htmlHex === undefined ? Number(code) : parseInt(htmlHex, 16));
  return unescaped === '\\' ? '' : unescaped;
}

const unescapeText = (value: string): string => value.replace(ESCAPES, unescapeOne);

/** `plain` is the value unescaped; `startOf` maps an index in it to the index in `value`. */
function unescapeWithPositions(value: string): { readonly plain: string; startOf(index: number): number } {
  const starts: number[] = [];
  let plain = '';
  let end = 0;
  const keep = (until: number): void => {
    plain += value.slice(end, until);
    for (; end < until; end += 1) starts.push(end);
  };
  for (const escape of value.matchAll(ESCAPES)) {
    const [whole, ...groups] = escape;
    keep(escape.index);
    const unescaped = unescapeOne(whole, ...groups);
    plain += unescaped;
    if (unescaped !== '') starts.push(escape.index);
    end = escape.index + whole.length;
  }
  keep(value.length);
  return { plain, startOf: (index) => starts[index] ?? value.length };
}
