// The characters of a text, and an estimate of how long it takes to sign, for a text without a response (SEMANTICS, Stream mode).

/** Estimates by the words of a text, and by its characters where it has no spaces. */
export const estimatedSeconds = (text: string, characters = charactersOf(text)): number =>
  secondsOfText(1 + spacesIn(text), characters);

export const secondsOfText = (words: number, characters: number): number =>
  1 + Math.max(0.6 * words, 0.1 * characters);

/** The longest estimate, in whole seconds, of any text with this number of bytes: every second character is a space. */
export const longestSeconds = (bytes: number): number => Math.ceil(secondsOfText(bytes / 2, bytes));

/** Runs of white space. */
export function spacesIn(text: string): number {
  let count = 0;
  let isSpace = false;
  for (let at = 0; at < text.length; at += 1) {
    const was = isSpace;
    isSpace = isWhiteSpace(text.charCodeAt(at));
    if (isSpace && !was) count += 1;
  }
  return count;
}

const LAST_ASCII_SPACE = 0x20;
const isWhiteSpace = (code: number): boolean =>
  code <= LAST_ASCII_SPACE
    ? code === LAST_ASCII_SPACE || (code >= 0x09 && code <= 0x0d)
    : code >= 0xa0 && /\s/.test(String.fromCharCode(code));

const LOW_SURROGATE = /[\udc00-\udfff]/;

/** The number of characters as people count them: a pair of surrogates is one. */
export const charactersOf = (text: string): number => {
  let count = text.length;
  if (!LOW_SURROGATE.test(text)) return count;
  for (let at = 1; at < text.length; at += 1) {
    const isPair = (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
    if (isPair) count -= 1;
  }
  return count;
};
