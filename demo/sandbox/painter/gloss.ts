// The sandbox's own "text to gloss": which words are signed, one after the other, and in which frames. No translation
// happens here; it only gives the drawn signer something to do for every word.
// Policy: 25 frames a second; 0.44 s a word, longer for long words; a clip begins and ends with the signer at rest. Past
// 4 minutes a text is signed faster rather than longer, so that 5000 bytes of one-letter words stay encodable.

export const FRAMES_PER_SECOND = 25;

/** Frames from rest to the first word, and from the last word back to rest. */
const LEAD = 5;
const TAIL = 10;
const WORD = 11;
/** Letters of a word that cost no extra frame; each one more adds a frame, up to `LONGEST_WORD`. */
const SHORT_WORD = 6;
const LONGEST_WORD = 25;
const LONGEST_CLIP = 240 * FRAMES_PER_SECOND;

/** One word: where it stands in the text, and its frames (`to` is the next word's first). */
export interface GlossedWord {
  readonly word: string;
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

export interface Gloss {
  readonly words: readonly GlossedWord[];
  /** Length of the whole clip. */
  readonly frames: number;
}

const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/** The words of the text; of a text without any (digits of other scripts, emoji), what stands between white space. */
function wordsOf(text: string): { word: string; at: number }[] {
  const words: { word: string; at: number }[] = [];
  for (const { segment, index, isWordLike } of segmenter.segment(text)) {
    if (isWordLike) words.push({ word: segment, at: index });
  }
  if (words.length > 0) return words;
  return [...text.matchAll(/\S+/g)].map((match) => ({ word: match[0], at: match.index }));
}

/** Splits `text` into words and gives each its frames; a text without words is a moment at rest. */
export function glossOf(text: string): Gloss {
  const words = wordsOf(text);
  const lengths = words.map(({ word }) =>
    Math.min(LONGEST_WORD, WORD + Math.max(0, word.length - SHORT_WORD)),
  );
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const pace = Math.min(1, (LONGEST_CLIP - LEAD - TAIL) / Math.max(1, total));
  let signed = 0;
  const glossed = words.map(({ word, at }, i) => {
    const from = LEAD + Math.round(signed * pace);
    signed += lengths[i]!;
    return { word, at, from, to: LEAD + Math.round(signed * pace) };
  });
  return { words: glossed, frames: LEAD + Math.round(total * pace) + TAIL };
}
