// The sandbox's own "text to gloss": which words are signed, one after the other, and in which frames. No translation
// happens here; it only gives the drawn signer something to do for every word.
// Policy: 25 frames a second; `framesPerWord` for each word, more for long words; a clip begins and ends with the signer at rest. Past
// 4 minutes a text is signed faster rather than longer, so that 5000 bytes of one-letter words stay encodable. A length
// asked for (document 2, content.duration) is met to the frame: words are slower or faster, rest only shrinks below 1 s.

import { defaultRenderOptions } from './render-options.ts';

export const FRAMES_PER_SECOND = 25;

/** Frames from rest to the first word, and from the last word back to rest. */
const LEAD = 5;
const TAIL = 10;
/** Letters of a word that cost no extra frame; each one more adds a frame, at most `MOST_EXTRA` of them. */
const SHORT_WORD = 6;
const MOST_EXTRA = 14;
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

/** Frames of rest at either end of a clip of this length: a fifth and two fifths of it, if that is less than usual. */
const restIn = (frames: number): { lead: number; tail: number } => ({
  lead: Math.min(LEAD, Math.floor(frames / 5)),
  tail: Math.min(TAIL, Math.floor((frames * 2) / 5)),
});

/**
 * Splits `text` into words and gives each its frames; a text without words is a moment at rest.
 * @param seconds length that the pace is fitted to, more than 0; null, the default, for `framesPerWord` a word and more
 */
export function glossOf(
  text: string,
  seconds: number | null = null,
  framesPerWord = defaultRenderOptions.framesPerWord,
): Gloss {
  const words = wordsOf(text);
  const lengths = words.map(
    ({ word }) => framesPerWord + Math.min(MOST_EXTRA, Math.max(0, word.length - SHORT_WORD)),
  );
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const frames =
    seconds === null
      ? Math.min(LONGEST_CLIP, LEAD + total + TAIL)
      : Math.max(1, Math.round(seconds * FRAMES_PER_SECOND));
  const { lead, tail } = restIn(frames);
  const pace = (frames - lead - tail) / Math.max(1, total);
  let signed = 0;
  const glossed = words.map(({ word, at }, i) => {
    const from = lead + Math.round(signed * pace);
    signed += lengths[i]!;
    return { word, at, from, to: lead + Math.round(signed * pace) };
  });
  return { words: glossed, frames };
}

/** How many words are over in this frame; that one is being signed, if it has begun. */
export function wordsOver({ words }: Gloss, frame: number): number {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (frame >= words[middle]!.to) low = middle + 1;
    else high = middle;
  }
  return low;
}
