// Text in a picture: baked letters (glyph-data.ts), lines of text, and how a long text is broken into lines.
// - No font and no font engine of the system is used. A letter that was not baked is shown as a box with a question mark, so that
//   a missing letter is seen. Marks and control characters without a letter are left out.
// - Letters are blended into luma only. Their background is grey, and grey on grey needs no chroma.
// - A text is broken at white space, and inside a word that is wider than a line, so that no letter is outside the picture.
import { brotliDecompressSync } from 'node:zlib';
import { glyphData } from './glyph-data.ts';
import type { Picture } from './picture.ts';

/** One letter as coverage, 0 to 255, row by row. Pixels; `left` is from the pen, `top` from the baseline, down positive. */
interface Glyph {
  readonly advance: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly mask: Uint8Array;
}

const UNKNOWN = 0;
const SPACE_OF_SIZE = 0.25;
const silent = /^[\p{M}\p{C}]$/u;

function decode(): { size: number; glyphs: Map<number, Glyph> } {
  const data = brotliDecompressSync(Buffer.from(glyphData, 'base64'));
  const glyphs = new Map<number, Glyph>();
  const count = data.readUInt16LE(1);
  let at = 3 + count * 8;
  for (let i = 0; i < count; i++) {
    const head = 3 + i * 8;
    const [width, height] = [data.readUInt8(head + 6), data.readUInt8(head + 7)];
    const mask = new Uint8Array(width * height);
    for (let pixel = 0; pixel < mask.length; pixel++) {
      const pair = data[at + (pixel >> 1)]!;
      mask[pixel] = (pixel % 2 ? pair & 0xf : pair >> 4) * 17;
    }
    at += (mask.length + 1) >> 1;
    const advance = data.readUInt16LE(head + 2) / 64;
    const [left, top] = [data.readInt8(head + 4), data.readInt8(head + 5)];
    glyphs.set(data.readUInt16LE(head), { advance, left, top, width, height, mask });
  }
  return { size: data.readUInt8(0), glyphs };
}

/** The letter at `scale` times its size: every pixel is the mean of the area it covers. */
function scaled(glyph: Glyph, scale: number): Glyph {
  const left = Math.floor(glyph.left * scale);
  const top = Math.floor(glyph.top * scale);
  const width = Math.ceil((glyph.left + glyph.width) * scale) - left;
  const height = Math.ceil((glyph.top + glyph.height) * scale) - top;
  const mask = new Uint8Array(width * height);
  /** The rows or columns of the baked letter under pixel `i`: where they begin and end. */
  const under = (i: number, origin: number, size: number): [from: number, to: number] => [
    Math.max(0, i / scale - origin),
    Math.min(size, (i + 1) / scale - origin),
  ];
  for (let y = 0; y < height; y++) {
    const [y0, y1] = under(top + y, glyph.top, glyph.height);
    for (let x = 0; x < width; x++) {
      const [x0, x1] = under(left + x, glyph.left, glyph.width);
      let sum = 0;
      for (let row = Math.floor(y0); row < y1; row++) {
        const tall = Math.min(y1, row + 1) - Math.max(y0, row);
        for (let column = Math.floor(x0); column < x1; column++) {
          const wide = Math.min(x1, column + 1) - Math.max(x0, column);
          sum += tall * wide * glyph.mask[row * glyph.width + column]!;
        }
      }
      mask[y * width + x] = Math.min(255, Math.round(sum * scale * scale));
    }
  }
  return { advance: glyph.advance * scale, left, top, width, height, mask };
}

/** A box with the question mark in it. */
function unknownGlyph(size: number, question: Glyph): Glyph {
  const width = Math.round(size * 0.52);
  const height = Math.round(size * 0.72);
  const edge = Math.round(size * 0.045);
  const mask = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (x < edge || y < edge || x >= width - edge || y >= height - edge) mask[y * width + x] = 255;
    }
  }
  const inner = scaled(question, 0.6);
  const [dx, dy] = [Math.round((width - inner.width) / 2), Math.round((height - inner.height) / 2)];
  for (let y = 0; y < inner.height; y++) {
    mask.set(inner.mask.subarray(y * inner.width, (y + 1) * inner.width), (y + dy) * width + dx);
  }
  return { advance: width + edge * 3, left: edge, top: -height, width, height, mask };
}

const master = decode();
master.glyphs.set(UNKNOWN, unknownGlyph(master.size, master.glyphs.get(0x3f)!));
const bySize = new Map<number, Map<number, Glyph>>();

/** The letters that are painted for `text`, in order: composed, without marks and controls that have no letter. */
export function lettersOf(text: string): string[] {
  return [...text.normalize('NFC')].filter((letter) => /\s/u.test(letter) || !silent.test(letter));
}

/** Width of one letter in pixels at `size` pixels a line. */
function advanceOf(letter: string, size: number): number {
  if (/\s/u.test(letter)) return size * SPACE_OF_SIZE;
  const glyph = master.glyphs.get(letter.codePointAt(0)!) ?? master.glyphs.get(UNKNOWN)!;
  return (glyph.advance * size) / master.size;
}

/**
 * The letter at `size` pixels a line; null for white space. Letters are cached, because there are few sizes and some hundred
 * letters.
 */
export function glyphOf(letter: string, size: number): Glyph | null {
  if (/\s/u.test(letter)) return null;
  const wanted = letter.codePointAt(0)!;
  const codePoint = master.glyphs.has(wanted) ? wanted : UNKNOWN;
  let glyphs = bySize.get(size);
  if (!glyphs) bySize.set(size, (glyphs = new Map()));
  let glyph = glyphs.get(codePoint);
  if (!glyph) glyphs.set(codePoint, (glyph = scaled(master.glyphs.get(codePoint)!, size / master.size)));
  return glyph;
}

/** Width in pixels of `text` on one line at `size` pixels. */
export function textWidth(text: string, size: number): number {
  return lettersOf(text).reduce((width, letter) => width + advanceOf(letter, size), 0);
}

/** The longest beginning of `text` that fits into `width` pixels, with an ellipsis where something is cut off. */
export function fitted(text: string, size: number, width: number): string {
  if (textWidth(text, size) <= width) return text;
  const room = width - textWidth('…', size);
  let used = 0;
  let kept = '';
  for (const letter of lettersOf(text)) {
    used += advanceOf(letter, size);
    if (used > room) break;
    kept += letter;
  }
  return `${kept}…`;
}

/**
 * Writes one line.
 * @param place left edge and baseline in pixels of the picture, size in pixels, luma from 16 to 235
 */
export function writeLine(
  picture: Picture,
  text: string,
  place: { readonly x: number; readonly baseline: number; readonly size: number; readonly luma: number },
): void {
  const { baseline, size, luma } = place;
  let pen = place.x;
  for (const letter of lettersOf(text)) {
    const glyph = glyphOf(letter, size);
    if (glyph) blendMask(picture, glyph, Math.round(pen) + glyph.left, baseline + glyph.top, luma);
    pen += advanceOf(letter, size);
  }
}

function blendMask(
  { y: plane, strideY, width, height }: Picture,
  glyph: { readonly width: number; readonly height: number; readonly mask: Uint8Array },
  left: number,
  top: number,
  luma: number,
): void {
  for (let row = 0; row < glyph.height; row++) {
    const y = top + row;
    if (y < 0 || y >= height) continue;
    for (let column = 0; column < glyph.width; column++) {
      const x = left + column;
      if (x < 0 || x >= width) continue;
      const cover = glyph.mask[row * glyph.width + column]!;
      if (cover === 0) continue;
      const at = y * strideY + x;
      plane[at] = plane[at]! + ((luma - plane[at]!) * cover) / 255 + 0.5;
    }
  }
}

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
