// Cuts a text into parts that each fit in one message: at most max_text_length bytes of UTF-8 (document 3, text).
// - A text that fits stays whole.
// - A part has as many whole sentences as fit. A sentence that is too long is cut between words, a word between grapheme clusters,
//   and a cluster between code points.
// - Only white space is lost: at both ends of the text, and where two parts meet.
import { segments } from '../internal/segments.ts';

/** Bytes of UTF-8 of a well-formed text; counted, because encoding each of 100,000 words takes twice as long. */
export function byteLength(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    // Each half of a surrogate pair counts for two of the four bytes of the pair.
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit & 0xf800) === 0xd800 ? 2 : 3;
  }
  return bytes;
}

/** Lone surrogates have no UTF-8; each becomes U+FFFD, which the platform itself would send. */
export const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\uFFFD');

const matches = (text: string, pattern: RegExp): string[] => text.match(pattern) ?? [];
const words = (text: string): string[] => matches(text, /\S+\s*|\s+/g);

/** A sentence ends with a word whose last character is a full stop or the like; quotes and brackets may follow it. */
function wordsToSentences(text: string): string[] {
  const sentences = [''];
  for (const word of words(text)) {
    sentences[sentences.length - 1] += word;
    if (/[.!?…]["'”’)\]]*\s/.test(word)) sentences.push('');
  }
  return sentences;
}

/** The ways to cut a text, from the best to the worst. */
const cuts: readonly ((text: string) => Iterable<string>)[] = [
  (text) => segments(text, 'sentence') ?? wordsToSentences(text),
  words,
  (text) => segments(text, 'grapheme') ?? matches(text, /\p{M}+|\P{M}\p{M}*/gu),
  (text) => [...text],
];

/**
 * The parts of a well-formed text that is not blank, in order; none is blank or above `maxBytes` bytes of UTF-8.
 * @returns null when one code point alone is above the limit.
 */
export function splitText(text: string, maxBytes: number): string[] | null {
  if (byteLength(text) <= maxBytes) return [text];
  const parts: string[] = [];
  let part = '';
  let bytes = 0;

  const flush = (): void => {
    if (part) parts.push(part.trimEnd());
    part = '';
    bytes = 0;
  };

  /** Adds the units that one kind of cut gives; false when even the last kind leaves one too long. */
  const pack = (chunk: string, level: number): boolean => {
    const cut = cuts[level];
    if (!cut) return false;
    for (const unit of cut(chunk)) {
      const body = byteLength(unit.trimEnd());
      if (bytes + body > maxBytes) flush();
      if (byteLength(unit.trim()) > maxBytes) {
        if (!pack(unit, level + 1)) return false;
      } else {
        const added = part ? unit : unit.trimStart();
        part += added;
        bytes += byteLength(added);
      }
    }
    return true;
  };

  if (!pack(text, 0)) return null;
  flush();
  return parts;
}
