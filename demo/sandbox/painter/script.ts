// What is painted frame by frame: the words of a text with their frames, or the signer at rest.
// - This is the sandbox's "text to gloss": no translation happens, it only gives the drawn signer a movement for each word.
// - There are 25 frames a second, `framesPerWord` frames for each word and more for long words. Every script begins and ends at
//   rest, so that any two can be joined.
// - A text of more than 4 minutes is signed faster, so that 5000 bytes of one-letter words can be encoded.
// - A requested length (document 2, content.duration) is met to the frame. Words become slower or faster; the rest becomes shorter
//   only when the length is below 1 s.
import { clipId } from '../stamp.ts';
import { defaultRenderOptions } from './render-options.ts';

export const FRAMES_PER_SECOND = 25;

/** Frames from rest to the first word, and from the last word back to rest. */
const LEAD = 5;
const TAIL = 10;
/** A word of this many letters needs no extra frames. Each further letter adds a frame, up to `MOST_EXTRA` frames. */
const SHORT_WORD = 6;
const MOST_EXTRA = 14;
const LONGEST_CLIP = 240 * FRAMES_PER_SECOND;

/** One word: its place in the text, and its frames (`to` is the next word's first). */
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

/** The words of the text. A text without words (only digits of other scripts, or emoji) is split at white space. */
function wordsOf(text: string): { word: string; at: number }[] {
  const words: { word: string; at: number }[] = [];
  for (const { segment, index, isWordLike } of segmenter.segment(text)) {
    if (isWordLike) words.push({ word: segment, at: index });
  }
  if (words.length > 0) return words;
  return [...text.matchAll(/\S+/g)].map((match) => ({ word: match[0], at: match.index }));
}

/** Frames of rest in a clip of this length: at most a fifth of it at the start and two fifths at the end. */
const restIn = (frames: number): { lead: number; tail: number } => ({
  lead: Math.min(LEAD, Math.floor(frames / 5)),
  tail: Math.min(TAIL, Math.floor((frames * 2) / 5)),
});

/**
 * Splits `text` into words and gives each its frames; a text without words is a moment at rest.
 * @param seconds length that the pace is fitted to, more than 0. Default null: a word has `framesPerWord` frames or more
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

/** How many words have ended in this frame. The next word is being signed, if it has begun. */
export function wordsOver({ words }: Gloss, frame: number): number {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (frame >= words[middle]!.to) low = middle + 1;
    else high = middle;
  }
  return low;
}

export interface Script {
  readonly text: string;
  readonly gloss: Gloss;
  /** What the stamp says: `clipId` of the text, 0 for the signer at rest. */
  readonly clip: number;
}

/**
 * The script of a text.
 * @param seconds length that its pace is fitted to, exact to the frame at 25 frames a second; null for its own pace
 * @param framesPerWord its own pace; default 11
 */
export const scriptOf = (text: string, seconds: number | null, framesPerWord?: number): Script => ({
  text,
  gloss: glossOf(text, seconds, framesPerWord),
  clip: clipId(text),
});

/** The signer at rest, for any frame number: breathes and blinks, and repeats every 300 frames (12 s). */
export const idleScript: Script = { text: '', gloss: { words: [], frames: Infinity }, clip: 0 };
