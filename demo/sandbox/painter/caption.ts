// The panel under the signer: the word being signed, large, and the sentence, small, with that word underlined.
// Policy: inside the panel whatever the text: the sentence is wrapped and shown two lines at a time, a word too wide for
// the large line is set smaller, then cut. Where there are subtitles the sentence is theirs and the panel has the word.
import type { GlossedWord } from './gloss.ts';
import { pageAt, wrap, type Line } from './lines.ts';
import { colour, fillRect, type Picture, type Rect } from './picture.ts';
import { fitted, textWidth, writeLine } from './text-line.ts';

/** In the layout's units; baselines from the panel's top. */
const MARGIN = 36;
const WORD_SIZES = [62, 44, 30];
const WORD_BASELINE = 64;
const SENTENCE_SIZE = 25;
const SENTENCE_BASELINES = [103, 136];
const UNDERLINE = { below: 5, thick: 3 };

const INK = 34;
const ground = colour('#f3f5f7');
const edge = colour('#b8c2cc');
const accent = colour('#3c6fa8');

/** The empty panel. */
export function paintPanel(picture: Picture, panel: Rect): void {
  fillRect(picture, panel, ground);
  fillRect(picture, { ...panel, bottom: panel.top + 2 }, edge);
}

export class Caption {
  readonly #text: string;
  readonly #panel: Rect;
  readonly #unit: number;
  readonly #room: number;
  readonly #size: number;
  readonly #lines: readonly Line[];

  /** @param unit pixels @param sentence whether the sentence is shown too */
  constructor(text: string, panel: Rect, unit: number, sentence: boolean) {
    this.#text = text;
    this.#panel = panel;
    this.#unit = unit;
    this.#room = panel.right - panel.left - 2 * MARGIN * unit;
    this.#size = Math.max(1, Math.round(SENTENCE_SIZE * unit));
    this.#lines = sentence ? wrap(text, this.#size, this.#room) : [];
  }

  /** Writes onto the empty panel; `current` is null while no word is signed, `at` the place in the text meanwhile. */
  paint(picture: Picture, current: GlossedWord | null, at: number): void {
    if (current) this.#paintWord(picture, current.word);
    pageAt(this.#lines, at).forEach((line, i) =>
      this.#paintLine(picture, line, this.#baseline(SENTENCE_BASELINES[i]!), current),
    );
  }

  #baseline(units: number): number {
    return this.#panel.top + Math.round(units * this.#unit);
  }

  /** Left edge of what is this wide, in the middle of the panel. */
  #centred(width: number): number {
    return (this.#panel.left + this.#panel.right - width) / 2;
  }

  #paintWord(picture: Picture, word: string): void {
    const sizes = WORD_SIZES.map((size) => Math.max(1, Math.round(size * this.#unit)));
    const size = sizes.find((one) => textWidth(word, one) <= this.#room) ?? sizes[sizes.length - 1]!;
    const text = fitted(word, size, this.#room);
    const x = this.#centred(textWidth(text, size));
    writeLine(picture, text, { x, baseline: this.#baseline(WORD_BASELINE), size, luma: INK });
  }

  #paintLine(picture: Picture, line: Line, baseline: number, current: GlossedWord | null): void {
    const size = this.#size;
    const text = this.#text.slice(line.from, line.to);
    const x = this.#centred(textWidth(text, size));
    writeLine(picture, text, { x, baseline, size, luma: INK });
    if (!current || current.at < line.from || current.at >= line.to) return;
    const left = x + textWidth(this.#text.slice(line.from, current.at), size);
    const right =
      left +
      textWidth(this.#text.slice(current.at, Math.min(line.to, current.at + current.word.length)), size);
    const top = baseline + Math.round(UNDERLINE.below * this.#unit);
    const bottom = top + Math.max(2, Math.round(UNDERLINE.thick * this.#unit));
    fillRect(picture, { left, top, right, bottom }, accent);
  }
}
