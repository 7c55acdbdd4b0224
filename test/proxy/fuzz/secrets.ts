// The secrets that must never leave the proxy, the spellings in which the fuzzer's service writes them, and a search for them.
// - The search shares nothing with the proxy's own: it undoes every escape first, then looks for the words and for their base64.
import type { Random } from './random.ts';

export const secrets = {
  SIGN_API_KEY: 'fuzz-key/of+the"account"=1',
  SIGN_CLIENT_SECRET: 'fuzzClientSecret0123456789',
  SIGN_OPERATOR_TOKEN: 'fuzz_operator.token~of-9',
} as const;

/** The token that the fuzzer's token server gives out. It is valid for an hour, and is searched for as it is written. */
export const ACCESS_TOKEN = 'fuzz.access-token_0123456789abcdef';
const words: readonly string[] = [...Object.values(secrets), ACCESS_TOKEN];

const hex = (char: string): string => char.charCodeAt(0).toString(16).padStart(2, '0');

/** Escapes of JSON, URLs and HTML, each character by one drawn for it. */
function mixedSpelling(random: Random, word: string): string {
  return [...word]
    .map((char) =>
      random.pick([char, `\\u00${hex(char)}`, `%${hex(char)}`, `%25${hex(char)}`, `&#x${hex(char)};`]),
    )
    .map((spelled) => (spelled === '"' ? '\\"' : spelled))
    .join('');
}

/** One of the secrets in one of the spellings that the proxy has to know. */
export function spelledSecret(random: Random): string {
  const word = random.pick(Object.values(secrets) as [string, ...string[]]);
  const before = 'x'.repeat(random.below(3));
  return random.pick([
    () => word,
    () => JSON.stringify(word).slice(1, -1),
    () => encodeURIComponent(word),
    () => encodeURIComponent(encodeURIComponent(word)),
    () => Buffer.from(before + word).toString('base64'),
    () => Buffer.from(before + word).toString('base64url'),
    () => mixedSpelling(random, word),
  ])();
}

/** Every base64 of a word, without the digits at its ends that also hold bits of other bytes. */
const encoded = words.flatMap((word) =>
  [0, 1, 2].map((offset) => {
    const digits = Buffer.from('\0'.repeat(offset) + word).toString('base64');
    return digits.slice(Math.ceil((offset * 4) / 3), Math.floor(((offset + word.length) * 4) / 3));
  }),
);

/** The secret that is in `output`, in any spelling; null when there is none. */
export function secretIn(output: string): string | null {
  let undone = output;
  for (let depth = 0; depth < 3; depth += 1) {
    for (const word of words) if (undone.includes(word)) return word;
    const standard = undone.replaceAll('-', '+').replaceAll('_', '/');
    for (const digits of encoded) if (standard.includes(digits)) return digits;
    undone = undone
      .replace(/\\u00([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
      .replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
      .replace(/&#x([0-9a-f]{2});/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
      .replace(/\\(["\\/])/g, '$1');
  }
  return null;
}
