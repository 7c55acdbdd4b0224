// Texts at the lower edge of the picture: the panel with the word being signed, and subtitles.
// - The panel has the word in large letters, and below it the sentence in small ones with that word underlined. With subtitles it
//   has the word alone. A word that is too wide for the large line is made smaller, then cut.
// - Subtitles (document 2, delivery.config.embeddedSubtitles) are white on a dark band as wide as they are, so that a plain
//   or transparent picture keeps its backdrop.
// - Both are in the middle 5:4 part of a wide picture (layout.ts), because a phone held upright shows only that part.
// - Both show two lines of the sentence at a time, those of the word being signed.
import { MIDDLE_ASIDE } from './layout.ts';
import { colour, fillRect, type Colour, type Picture, type Rect } from './picture.ts';
import type { GlossedWord } from './script.ts';
import { fitted, pageAt, textWidth, wrap, writeLine, type Line } from './text.ts';

/** Sizes of the panel, in the layout's units. Baselines are measured from the panel's top. */
const MARGIN = 36;
const WORD_SIZES = [62, 44, 30];
const WORD_BASELINE = 64;
const SENTENCE_SIZE = 25;
const SENTENCE_BASELINES = [103, 136];
const UNDERLINE = { below: 5, thick: 3 };

const DARK = 34;
const ground = colour('#f3f5f7');
const edge = colour('#b8c2cc');
const accent = colour('#3c6fa8');

/** The greatest width of a line in pixels, with `margin` units free at both ends. */
const roomIn = ({ left, right }: Rect, margin: number, unit: number): number =>
  Math.min(right - left, 2 * MIDDLE_ASIDE * unit) - 2 * margin * unit;

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
    this.#room = roomIn(panel, MARGIN, unit);
    this.#size = Math.max(1, Math.round(SENTENCE_SIZE * unit));
    this.#lines = sentence ? wrap(text, this.#size, this.#room) : [];
  }

  /** Writes onto the empty panel. `current` is null while no word is signed; `at` is then the position in the text. */
  paint(picture: Picture, current: GlossedWord | null, at: number): void {
    if (current) this.#paintWord(picture, current.word);
    pageAt(this.#lines, at).forEach((line, i) =>
      this.#paintLine(picture, line, this.#baseline(SENTENCE_BASELINES[i]!), current),
    );
  }

  #baseline(units: number): number {
    return this.#panel.top + Math.round(units * this.#unit);
  }

  /** Left edge of a text of this width in the middle of the panel. */
  #centred(width: number): number {
    return (this.#panel.left + this.#panel.right - width) / 2;
  }

  #paintWord(picture: Picture, word: string): void {
    const sizes = WORD_SIZES.map((size) => Math.max(1, Math.round(size * this.#unit)));
    const size = sizes.find((one) => textWidth(word, one) <= this.#room) ?? sizes[sizes.length - 1]!;
    const text = fitted(word, size, this.#room);
    const x = this.#centred(textWidth(text, size));
    writeLine(picture, text, { x, baseline: this.#baseline(WORD_BASELINE), size, luma: DARK });
  }

  #paintLine(picture: Picture, line: Line, baseline: number, current: GlossedWord | null): void {
    const size = this.#size;
    const text = this.#text.slice(line.from, line.to);
    const x = this.#centred(textWidth(text, size));
    writeLine(picture, text, { x, baseline, size, luma: DARK });
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

/** Sizes of the subtitles, in the layout's units. */
const SUBTITLE_SIZE = 28;
const SUBTITLE_LINE = 36;
const PADDING = { aside: 16, above: 6 };
const BELOW_BAND = 12;
const SUBTITLE_BASELINE = 27;
const LIGHT = 235;

export const bandColour: Colour = colour('#23272d');

export class Subtitles {
  readonly #text: string;
  readonly #place: Rect;
  readonly #unit: number;
  readonly #size: number;
  readonly #lines: readonly Line[];

  /** @param place where the band may be @param unit pixels */
  constructor(text: string, place: Rect, unit: number) {
    this.#text = text;
    this.#place = place;
    this.#unit = unit;
    this.#size = Math.max(1, Math.round(SUBTITLE_SIZE * unit));
    this.#lines = wrap(text, this.#size, roomIn(place, 2 * PADDING.aside, unit));
  }

  /** Writes the lines of the word at this place of the text; nothing for a text of no words. */
  paint(picture: Picture, at: number): void {
    const texts = pageAt(this.#lines, at).map(({ from, to }) => this.#text.slice(from, to));
    if (texts.length === 0) return;
    const unit = this.#unit;
    const middle = (this.#place.left + this.#place.right) / 2;
    const widths = texts.map((text) => textWidth(text, this.#size));
    const half = Math.max(...widths) / 2 + PADDING.aside * unit;
    const bottom = this.#place.bottom - BELOW_BAND * unit;
    const top = bottom - (texts.length * SUBTITLE_LINE + 2 * PADDING.above) * unit;
    fillRect(picture, { left: middle - half, right: middle + half, top, bottom }, bandColour);
    texts.forEach((text, i) => {
      const baseline = Math.round(top + (PADDING.above + i * SUBTITLE_LINE + SUBTITLE_BASELINE) * unit);
      writeLine(picture, text, { x: middle - widths[i]! / 2, baseline, size: this.#size, luma: LIGHT });
    });
  }
}
