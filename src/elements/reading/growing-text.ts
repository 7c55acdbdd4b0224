// Tells whether a page goes on writing a text, as an answer in a chat, captions or a typewriter effect.
// - The last sentence of such a text is sent when nothing more has come for a second, or when the next one has begun: before that
//   it is a part of a sentence, and each new word would be another text for the service.
// - Only letters and digits count, because a cursor and the marks of Markdown come and go at the end.
import type { Sentence } from '../../page/sentences.ts';

const REST_MS = 1000;

interface Written {
  readonly sentence: Sentence;
  readonly hasChanged: boolean;
  readonly growsUntil: number;
}

const letters = (all: readonly Sentence[]): string =>
  all
    .map(({ text }) => text)
    .join('')
    .replace(/[^\p{L}\p{N}]/gu, '');

/** Milliseconds until a sentence that the page is still writing may be sent; 0 or less for any other one. */
export const growing = ({ growsUntil }: Pick<Written, 'growsUntil'>): number =>
  growsUntil && growsUntil - performance.now();

/** Calls back when a sentence that the page is still writing may be sent; undefined for any other one. */
export function afterGrowth(
  one: Pick<Written, 'growsUntil'>,
  run: () => void,
): ReturnType<typeof setTimeout> | undefined {
  const rest = growing(one);
  return rest > 0 ? setTimeout(run, rest) : undefined;
}

/** When the last of these sentences may be sent; 0 when they are not the old ones with more behind them. */
export function growsUntil(old: readonly Written[], sentences: readonly Sentence[]): number {
  const last = old.at(-1);
  if (!last || last.hasChanged) return 0;
  const was = letters(old.map(({ sentence }) => sentence));
  const now = letters(sentences);
  if (now === was) return growing(last) > 0 ? last.growsUntil : 0;
  return now.startsWith(was) ? performance.now() + REST_MS : 0;
}
