// The last gate before anything leaves: a configured secret found in a frame of the service or in a log line is
// replaced by `[redacted]`. Policy: it is found plain, JSON-escaped (`\u0061`, `\/`, also twice), percent-encoded (also
// twice), escaped as on a page of HTML (`&quot;`, `&#039;`, `&#x2F;`), in any mixture of these, and inside base64 at any of
// its three alignments. Bytes around it stay as they came. Not found is what would take a service that hides it on
// purpose: base64 broken into lines, hexadecimal digits, `\x2d`, UTF-16.
// Nearly nothing holds one, and to search for every spelling at once costs ten times a search for the plain ones: that is
// made only where an escape stands that one of a secret's own characters could be behind.

/** What stands in the place of a secret. */
export const REDACTED = '[redacted]';

export interface SecretFilter {
  /** The same buffer when nothing was found. */
  bytes(data: Buffer): Buffer;
  text(value: string): string;
}

/** `secrets` are of visible ASCII, 4 characters or more (secret-file.ts). */
export function secretFilter(secrets: readonly string[]): SecretFilter {
  // Longest first: where one secret begins like another, the whole of it goes.
  const longestFirst = secrets.toSorted((a, b) => b.length - a.length);
  if (longestFirst.length === 0) return { bytes: (data) => data, text: (value) => value };
  const encoded = longestFirst.map((secret) => [0, 1, 2].map((offset) => inBase64(secret, offset)));
  const patterns = longestFirst.flatMap((secret, index) => [
    spellings(secret),
    ...(encoded[index] ?? []).map(base64Pattern),
  ]);
  const pattern = new RegExp(patterns.join('|'), 'g');
  const words = [...longestFirst, ...encoded.flat().map(({ digits }) => digits)];
  const plain = new RegExp(words.map((word) => [...word].map(plainly).join('')).join('|'));
  const escapes = anyEscape(new Set(words.join('')));
  const mayHoldOne = (value: string): boolean =>
    plain.test(value) ||
    ((value.includes('%') || value.includes('\\') || value.includes('&')) && escapes.test(value));
  const text = (value: string): string => (mayHoldOne(value) ? value.replace(pattern, REDACTED) : value);
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

/** A pattern of every way to write `value` that the policy names. Repetitions are bounded, so it cannot run away. */
function spellings(value: string): string {
  return [...value]
    .map((char) => {
      const escaped = BACKSLASHED.has(char) ? `\\\\{0,3}${plainly(char)}` : plainly(char);
      return `(?:${escaped}|\\\\{1,3}u00${hexOf(char)}|%(?:25){0,2}${hexOf(char)}|${inHtml([char])})`;
    })
    .join('');
}

/** A pattern of any escape of one of `chars`: what spellings() takes for one of them, but for the plain ways. */
function anyEscape(chars: ReadonlySet<string>): RegExp {
  const all = [...chars];
  const hex = all.map(hexOf).join('|');
  const backslashed = [...BACKSLASHED].filter((char) => chars.has(char)).map(plainly);
  const after = [`u00(?:${hex})`, ...backslashed].join('|');
  return new RegExp(`\\\\(?:${after})|%(?:25){0,2}(?:${hex})|${inHtml(all)}`);
}

/** What every template of HTML escapes; some write others by their numbers. */
const NAMES: Readonly<Record<string, string>> = {
  '"': 'quot',
  '&': 'amp',
  "'": 'apos',
  '<': 'lt',
  '>': 'gt',
};

/** A pattern of any of `chars` escaped for HTML. */
function inHtml(chars: readonly string[]): string {
  const codes = chars.map((char) => char.charCodeAt(0)).join('|');
  const names = chars.flatMap((char) => NAMES[char] ?? []);
  return `&(?:${[`#0?(?:${codes})`, `#[xX](?:${chars.map(hexOf).join('|')})`, ...names].join('|')});`;
}

/** What JSON lets one write with a backslash before it. */
const BACKSLASHED: ReadonlySet<string> = new Set(['"', '\\', '/']);

/** A pattern of the character itself; `+` and `/` match the URL alphabet of base64 as well. */
function plainly(char: string): string {
  if (char === '+') return '[+-]';
  if (char === '/') return '[/_]';
  return /\w/.test(char) ? char : `\\x${char.charCodeAt(0).toString(16)}`;
}

/** A pattern of the character's code in two hexadecimal digits of any case. */
const hexOf = (char: string): string =>
  char
    .charCodeAt(0)
    .toString(16)
    .padStart(2, '0')
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

/** Digits that stand for a word and nothing beside it, and how many more at each end stand for a part of it. */
interface Base64Digits {
  readonly digits: string;
  readonly sharesFirst: boolean;
  readonly sharesLast: boolean;
}

/** `secret` inside base64 when it begins at `offset` in a group of three bytes. */
export function inBase64(secret: string, offset: number): Base64Digits {
  const encoded = Buffer.from('\0'.repeat(offset) + secret, 'latin1').toString('base64');
  const first = Math.ceil((offset * 8) / 6);
  const last = Math.floor(((offset + secret.length) * 8) / 6);
  return {
    digits: encoded.slice(first, last),
    sharesFirst: offset > 0,
    sharesLast: (offset + secret.length) % 3 !== 0,
  };
}

/** What does not depend on its neighbours has to match; a digit that it shares with them goes too. */
function base64Pattern({ digits, sharesFirst, sharesLast }: Base64Digits): string {
  const shared = '[\\w+/-]?';
  return (sharesFirst ? shared : '') + spellings(digits) + (sharesLast ? `${shared}={0,2}` : '');
}
