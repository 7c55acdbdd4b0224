// The access token of the announcement API in what the service answers, and a configured secret that is long: replaced by
// `[redacted]` in every spelling in which secrets are found (secret-filter.ts). Policy: a token may have 8 kB and lives for
// an hour, and a pattern of all its spellings takes seconds to build or is more than the engine can; so the escapes of the
// text are undone instead, and that is searched for the token and its base64. Bytes around it stay as they came.
import { inBase64, REDACTED, type SecretFilter } from './secret-filter.ts';

/** Tokens that answers under way may hold: the one of now and the one before it. */
const KEPT = 2;

/** `filter`, and the token that is named as well. What a token is searched by is made once for it. */
export function hidingTokens(filter: SecretFilter): (token: string) => SecretFilter {
  const known = new Map<string, readonly string[]>();
  return (token) => {
    const words = known.get(token) ?? wordsOf(token);
    known.delete(token);
    known.set(token, words);
    for (const oldest of known.keys()) if (known.size > KEPT) known.delete(oldest);
    const text = (value: string): string => filter.text(without(value, words));
    return {
      text,
      bytes(data) {
        const before = data.toString('latin1');
        const after = without(before, words);
        return filter.bytes(after === before ? data : Buffer.from(after, 'latin1'));
      },
    };
  };
}

/**
 * The token and the digits of its base64 at each alignment, in one alphabet. What in the token looks like an escape is
 * undone with those of the text, so it is searched for without them too.
 */
const wordsOf = (token: string): readonly string[] =>
  [token, unescaped(token).plain, ...[0, 1, 2].map((offset) => inBase64(token, offset).digits)].map(
    inOneAlphabet,
  );

/** Base64 for URLs as base64. */
const inOneAlphabet = (value: string): string => value.replaceAll('-', '+').replaceAll('_', '/');

function without(value: string, words: readonly string[]): string {
  const { plain, at } = unescaped(value);
  const searched = inOneAlphabet(plain);
  const found = words.flatMap((word) => placesOf(word, searched)).sort(([a], [b]) => a - b);
  let left = '';
  let end = 0;
  for (const [from, to] of found) {
    if (at(from) < end) continue;
    left += value.slice(end, at(from)) + REDACTED;
    end = at(to);
  }
  return left + value.slice(end);
}

function placesOf(word: string, text: string): (readonly [from: number, to: number])[] {
  const places: (readonly [number, number])[] = [];
  for (let from = text.indexOf(word); from >= 0; from = text.indexOf(word, from + word.length)) {
    places.push([from, from + word.length]);
  }
  return places;
}

const ESCAPES =
  /(?:\\{1,3}u00|%(?:25){0,2})([\da-f]{2})|&#x([\da-f]{2});|&#0?(\d{2,3});|\\{1,3}(["\\/])|&(quot|amp|apos|lt|gt);/gi;
const named = { quot: '"', amp: '&', apos: "'", lt: '<', gt: '>' } as const;

/** The one character that an escape stands for. */
function meant([, hex, htmlHex = hex, code, char, name]: RegExpExecArray): string {
  if (name !== undefined) return named[name.toLowerCase() as keyof typeof named];
  return char ?? String.fromCharCode(htmlHex === undefined ? Number(code) : parseInt(htmlHex, 16));
}

/** `value` with its escapes undone; `at` says where in `value` a character of that began. */
function unescaped(value: string): { readonly plain: string; at(index: number): number } {
  if (!/[\\%&]/.test(value)) return { plain: value, at: (index) => index };
  const starts: number[] = [];
  let plain = '';
  let end = 0;
  const keep = (until: number): void => {
    plain += value.slice(end, until);
    for (; end < until; end += 1) starts.push(end);
  };
  for (const escape of value.matchAll(ESCAPES)) {
    keep(escape.index);
    plain += meant(escape);
    starts.push(escape.index);
    end = escape.index + escape[0].length;
  }
  keep(value.length);
  return { plain, at: (index) => starts[index] ?? value.length };
}
