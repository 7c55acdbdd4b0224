// Undoes the escapes in which a secret may be spelled: `\u0041`, `%41`, `&#65;`, `&#x41;` and `&amp;`, each also twice, and `\"`.
// - Character by character and not by a pattern: a pattern takes 1 µs an escape, and a client may have the service repeat 20 kB of
//   them in each frame.
// - A backslash becomes nothing, because `\\u0041` can be one escape of JSON in JSON, or a backslash and an escape.
// - A character beyond latin1 becomes another one beyond ASCII: secrets are ASCII.

const [BACKSLASH, PERCENT, AMPERSAND, HASH, SEMICOLON] = [0x5c, 0x25, 0x26, 0x23, 0x3b];
const [QUOTE, SLASH, LETTER_U, LETTER_X] = [0x22, 0x2f, 0x75, 0x78];
const [DIGIT_0, DIGIT_9] = [0x30, 0x39];
const LOWER = 0x20;
const BEYOND_ASCII = 0xff;
/** The result when there is no escape. */
const NOTHING = -1;

/** The end of the last escape that was read. */
let end = 0;

/** The value unescaped. `starts` receives where in `value` each of its characters begins. */
export function unescape(value: string, starts?: Uint32Array): string {
  const plain = Buffer.allocUnsafe(value.length);
  let length = 0;
  for (let at = 0; at < value.length; at = end) {
    const code = value.charCodeAt(at);
    end = at + 1;
    const char =
      code === BACKSLASH
        ? backslash(value, at)
        : code === PERCENT
          ? percent(value, at)
          : code === AMPERSAND
            ? ampersand(value, at)
            : code;
    if (char === NOTHING) continue;
    if (starts !== undefined) starts[length] = at;
    plain[length] = Math.min(char, BEYOND_ASCII);
    length += 1;
  }
  return plain.toString('latin1', 0, length);
}

const withoutBackslash = (char: number): number => (char === BACKSLASH ? NOTHING : char);

const lower = (value: string, at: number): number => value.charCodeAt(at) | LOWER;

/** A `\u0041` with one to three backslashes; or any number of backslashes, with the quote or slash that follows. */
function backslash(value: string, at: number): number {
  while (value.charCodeAt(end) === BACKSLASH) end += 1;
  const isUnicode =
    end - at <= 3 &&
    lower(value, end) === LETTER_U &&
    value.charCodeAt(end + 1) === DIGIT_0 &&
    value.charCodeAt(end + 2) === DIGIT_0;
  const char = isUnicode ? hex(value, end + 3) : NOTHING;
  if (char !== NOTHING) {
    end += 5;
    return withoutBackslash(char);
  }
  const next = value.charCodeAt(end);
  if (next !== QUOTE && next !== SLASH) return NOTHING;
  end += 1;
  return next;
}

/** `%41`, `%2541` and `%252541`. */
function percent(value: string, at: number): number {
  let digits = at + 1;
  while (digits < at + 5 && value.startsWith('25', digits)) digits += 2;
  for (; digits > at; digits -= 2) {
    const char = hex(value, digits);
    if (char === NOTHING) continue;
    end = digits + 2;
    return withoutBackslash(char);
  }
  return PERCENT;
}

/** The character of two hexadecimal digits; NOTHING for what is none. */
function hex(value: string, at: number): number {
  const [high, low] = [digit(value.charCodeAt(at)), digit(value.charCodeAt(at + 1))];
  return high < 0 || low < 0 ? NOTHING : high * 16 + low;
}

function digit(code: number): number {
  if (code >= DIGIT_0 && code <= DIGIT_9) return code - DIGIT_0;
  const letter = (code | LOWER) - 0x61;
  return letter >= 0 && letter < 6 ? letter + 10 : NOTHING;
}

/** `&…;`, and `&amp;…;` for the same twice. */
function ampersand(value: string, at: number): number {
  const twice = isNameAt(value, at + 1, 'amp;') ? entity(value, at + 5) : NOTHING;
  const char = twice === NOTHING ? entity(value, at + 1) : twice;
  if (char !== NOTHING) return withoutBackslash(char);
  end = at + 1;
  return AMPERSAND;
}

const names = [
  ['quot;', 0x22],
  ['amp;', AMPERSAND],
  ['apos;', 0x27],
  ['lt;', 0x3c],
  ['gt;', 0x3e],
] as const;

function isNameAt(value: string, at: number, name: string): boolean {
  for (let index = 0; index < name.length; index += 1) {
    const code = value.charCodeAt(at + index);
    const isSame = code === name.charCodeAt(index) || (code | LOWER) === name.charCodeAt(index);
    if (!isSame) return false;
  }
  return true;
}

/** A number or a name with its semicolon; NOTHING for what is none. */
function entity(value: string, at: number): number {
  if (value.charCodeAt(at) === HASH) return numbered(value, at + 1);
  for (const [name, char] of names) {
    if (!isNameAt(value, at, name)) continue;
    end = at + name.length;
    return char;
  }
  return NOTHING;
}

/** The number of `&#x41;`, `&#65;` or `&#065;`: two hexadecimal digits, or two to four decimal ones (of four the first is 0). */
function numbered(value: string, at: number): number {
  if (lower(value, at) === LETTER_X) {
    if (value.charCodeAt(at + 3) !== SEMICOLON) return NOTHING;
    end = at + 4;
    return hex(value, at + 1);
  }
  let number = 0;
  let last = at;
  for (; last < at + 5; last += 1) {
    const code = value.charCodeAt(last);
    if (!(code >= DIGIT_0 && code <= DIGIT_9)) break;
    number = number * 10 + code - DIGIT_0;
  }
  const count = last - at;
  const isNumber = count === 2 || count === 3 || (count === 4 && value.charCodeAt(at) === DIGIT_0);
  if (!isNumber || value.charCodeAt(last) !== SEMICOLON) return NOTHING;
  end = last + 1;
  return number;
}
