// A picture with an alpha plane laid over another (colours not multiplied by alpha). Policy: most pixels are all or nothing,
// so those are copied or passed over; chroma has the middle alpha of its four pixels of luma.
import type { Picture, Rect } from '../../painter/picture.ts';

const mixed = (under: number, over: number, alpha: number): number =>
  under + ((over - under) * alpha + 127) / 255;

function blendLuma(from: Picture, alpha: Uint8Array, to: Picture, { left, top }: Rect): void {
  const { width, height, strideY } = from;
  const strideA = from.strideA ?? width;
  for (let row = 0; row < height; row++) {
    const target = (top + row) * to.strideY + left;
    for (let x = 0; x < width; x++) {
      const a = alpha[row * strideA + x]!;
      if (a === 0) continue;
      const over = from.y[row * strideY + x]!;
      to.y[target + x] = a === 255 ? over : mixed(to.y[target + x]!, over, a);
    }
  }
}

function blendChroma(from: Picture, alpha: Uint8Array, to: Picture, { left, top }: Rect): void {
  const { width, height, strideC } = from;
  const strideA = from.strideA ?? width;
  for (let row = 0; row < height / 2; row++) {
    const target = (top / 2 + row) * to.strideC + left / 2;
    const source = row * strideC;
    for (let x = 0; x < width / 2; x++) {
      const at = 2 * row * strideA + 2 * x;
      const a = (alpha[at]! + alpha[at + 1]! + alpha[at + strideA]! + alpha[at + strideA + 1]!) / 4;
      if (a === 0) continue;
      to.u[target + x] = mixed(to.u[target + x]!, from.u[source + x]!, a);
      to.v[target + x] = mixed(to.v[target + x]!, from.v[source + x]!, a);
    }
  }
}

/**
 * @param from of the area's size, with an alpha plane
 * @param area where it goes, on the chroma grid and within `to`
 */
export function blend(from: Picture, to: Picture, area: Rect): void {
  if (!from.a) throw new TypeError('the picture has no alpha plane');
  blendLuma(from, from.a, to, area);
  blendChroma(from, from.a, to, area);
}
