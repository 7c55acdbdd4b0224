// Lines of text in a picture. Policy: letters are blended into luma only, on ground that is neutral already: it is
// the cheapest way, and grey on grey needs no chroma.
import { advanceOf, glyphOf, lettersOf } from './glyphs.ts';
import type { Picture } from './picture.ts';

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
 * @param x left edge, pixels
 * @param baseline pixels from the top
 * @param size pixels
 * @param luma 16 to 235
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
