// Subtitles burnt into the picture (document 2, delivery.config.embeddedSubtitles): the whole text, white on a dark band.
// Policy: two lines at most, those of the word being signed; the band is as wide as they are, so that a transparent or
// plain picture keeps its backdrop.
import { pageAt, wrap, type Line } from './lines.ts';
import { colour, fillRect, type Colour, type Picture, type Rect } from './picture.ts';
import { textWidth, writeLine } from './text-line.ts';

/** In the layout's units. */
const SIZE = 28;
const LINE = 36;
const PADDING = { aside: 16, above: 6 };
const BELOW = 12;
const BASELINE = 27;
const INK = 235;

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
    this.#size = Math.max(1, Math.round(SIZE * unit));
    this.#lines = wrap(text, this.#size, place.right - place.left - 4 * PADDING.aside * unit);
  }

  /** Writes the lines of the word at this place of the text; nothing for a text of no words. */
  paint(picture: Picture, at: number): void {
    const texts = pageAt(this.#lines, at).map(({ from, to }) => this.#text.slice(from, to));
    if (texts.length === 0) return;
    const unit = this.#unit;
    const middle = (this.#place.left + this.#place.right) / 2;
    const widths = texts.map((text) => textWidth(text, this.#size));
    const half = Math.max(...widths) / 2 + PADDING.aside * unit;
    const bottom = this.#place.bottom - BELOW * unit;
    const top = bottom - (texts.length * LINE + 2 * PADDING.above) * unit;
    fillRect(picture, { left: middle - half, right: middle + half, top, bottom }, bandColour);
    texts.forEach((text, i) => {
      const baseline = Math.round(top + (PADDING.above + i * LINE + BASELINE) * unit);
      writeLine(picture, text, { x: middle - widths[i]! / 2, baseline, size: this.#size, luma: INK });
    });
  }
}
