// The panel under the signer: the word being signed, large, and the sentence, small, with that word underlined.
// Policy: inside the picture whatever the text: the sentence is wrapped and shown two lines at a time, a word too wide for
// the large line is set smaller, then cut.
import { advanceOf, lettersOf } from './glyphs.ts';
import { colour, fillRect, type Picture, type Rect } from './picture.ts';
import { fitted, textWidth, writeLine } from './text-line.ts';

/** Fractions of the picture's height; text sizes and baselines. */
const TOP = 566 / 720;
const MARGIN = 36 / 720;
const WORD_SIZES = [62 / 720, 44 / 720, 30 / 720];
const WORD_BASELINE = 630 / 720;
const SENTENCE_SIZE = 25 / 720;
const SENTENCE_BASELINES = [669 / 720, 702 / 720];
const UNDERLINE = { below: 5 / 720, thick: 3 / 720 };

const INK = 34;
const ground = colour('#f3f5f7');
const edge = colour('#b8c2cc');
const accent = colour('#3c6fa8');

interface Line {
  readonly from: number;
  readonly to: number;
}

/** The panel's area in a picture of this size. */
export const captionArea = ({ width, height }: { width: number; height: number }): Rect => ({
  left: 0,
  top: Math.round((TOP * height) / 2) * 2,
  right: width,
  bottom: height,
});

/** The empty panel. */
export function paintPanel(picture: Picture): void {
  const area = captionArea(picture);
  fillRect(picture, area, ground);
  fillRect(picture, { ...area, bottom: area.top + 2 }, edge);
}

/** Breaks the text into lines of at most `width` pixels: at white space, and inside a word that is wider than a line. */
function wrap(text: string, size: number, width: number): Line[] {
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

export class Caption {
  readonly #text: string;
  readonly #size: number;
  readonly #lines: readonly Line[];

  constructor(text: string, picture: { readonly width: number; readonly height: number }) {
    this.#text = text;
    this.#size = Math.round(SENTENCE_SIZE * picture.height);
    this.#lines = wrap(text, this.#size, picture.width - 2 * MARGIN * picture.height);
  }

  /** Writes the panel's texts onto the empty panel; `current` is null while no word is signed. */
  paint(picture: Picture, current: { readonly word: string; readonly at: number } | null): void {
    if (current) this.#paintWord(picture, current.word);
    const at = current?.at ?? 0;
    const line = Math.max(
      0,
      this.#lines.findIndex(({ to }) => at < to),
    );
    const page = line - (line % 2);
    SENTENCE_BASELINES.forEach((baseline, i) => {
      const shown = this.#lines[page + i];
      if (shown) this.#paintLine(picture, shown, Math.round(baseline * picture.height), current);
    });
  }

  #paintWord(picture: Picture, word: string): void {
    const { width, height } = picture;
    const room = width - 2 * MARGIN * height;
    const sizes = WORD_SIZES.map((size) => Math.round(size * height));
    const size = sizes.find((one) => textWidth(word, one) <= room) ?? sizes[sizes.length - 1]!;
    const text = fitted(word, size, room);
    const x = (width - textWidth(text, size)) / 2;
    writeLine(picture, text, { x, baseline: Math.round(WORD_BASELINE * height), size, luma: INK });
  }

  #paintLine(
    picture: Picture,
    line: Line,
    baseline: number,
    current: { readonly word: string; readonly at: number } | null,
  ): void {
    const size = this.#size;
    const text = this.#text.slice(line.from, line.to);
    const x = (picture.width - textWidth(text, size)) / 2;
    writeLine(picture, text, { x, baseline, size, luma: INK });
    if (!current || current.at < line.from || current.at >= line.to) return;
    const left = x + textWidth(this.#text.slice(line.from, current.at), size);
    const right =
      left +
      textWidth(this.#text.slice(current.at, Math.min(line.to, current.at + current.word.length)), size);
    const top = baseline + Math.round(UNDERLINE.below * picture.height);
    const bottom = top + Math.max(2, Math.round(UNDERLINE.thick * picture.height));
    fillRect(picture, { left, top, right, bottom }, accent);
  }
}
