// A text broken into lines and shown two at a time, for whoever writes it into a picture.
// Policy: broken at white space, and inside a word that is wider than a line, so that nothing is ever outside.
import { advanceOf, lettersOf } from './glyphs.ts';
import { textWidth } from './text-line.ts';

/** Lines shown at a time. */
const PAGE = 2;

/** Where a line begins and ends in the text. */
export interface Line {
  readonly from: number;
  readonly to: number;
}

/** Breaks the text into lines of at most `width` pixels at `size` pixels a letter. */
export function wrap(text: string, size: number, width: number): Line[] {
  const lines: Line[] = [];
  let [from, to, used] = [0, 0, 0];
  const close = (next: number): void => {
    if (to > from) lines.push({ from, to });
    [from, to, used] = [next, next, 0];
  };
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    const wordWidth = textWidth(word, size);
    const gap = to > from ? (index - to) * advanceOf(' ', size) : 0;
    if (used + gap + wordWidth > width) close(index);
    if (to === from) from = index;
    if (wordWidth > width) {
      let at = index;
      for (const letter of word) {
        const advance = lettersOf(letter).reduce((sum, one) => sum + advanceOf(one, size), 0);
        if (used + advance > width) close(at);
        at += letter.length;
        [to, used] = [at, used + advance];
      }
    } else {
      [to, used] = [index + word.length, used + gap + wordWidth];
    }
  }
  close(text.length);
  return lines;
}

/** The two lines that are shown while the word at this place of the text is signed. */
export function pageAt(lines: readonly Line[], at: number): readonly Line[] {
  const line = Math.max(
    0,
    lines.findIndex(({ to }) => at < to),
  );
  const first = line - (line % PAGE);
  return lines.slice(first, first + PAGE);
}
