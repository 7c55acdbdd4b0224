// Frames painted without an encoder in between, and ways to look at a part of them.
import type { LogoPixels } from '../../../demo/sandbox/painter/logo.ts';
import { ownBackplate, type RenderStyle } from '../../../demo/sandbox/painter/render-style.ts';
import { blankPicture, type Picture, type Rect } from '../../../demo/sandbox/painter/picture.ts';
import { ScenePainter } from '../../../demo/sandbox/painter/scene-painter.ts';
import type { Script } from '../../../demo/sandbox/painter/script.ts';

/** The style of a plain 720p clip, with these changes. */
export const styleOf = (changes: Partial<RenderStyle> = {}): RenderStyle => ({
  ...ownBackplate('RAE', { width: 1280, height: 720 }),
  ...changes,
});

export const pictureFor = ({ width, height, backdrop }: RenderStyle): Picture =>
  blankPicture(width, height, backdrop === 'transparent');

/** One frame, painted without an earlier one. */
export function painted(
  style: RenderStyle,
  script: Script,
  frame: number,
  logo: LogoPixels | null = null,
): Picture {
  const picture = pictureFor(style);
  new ScenePainter(style, { logo, stamp: true }).paint(picture, script, frame);
  return picture;
}

/** Luma, or another plane of its size, within a rect: a copy. */
export function within(picture: Picture, rect: Rect, plane = picture.y): Uint8Array {
  const [left, top] = [Math.ceil(rect.left), Math.ceil(rect.top)];
  const [right, bottom] = [Math.floor(rect.right), Math.floor(rect.bottom)];
  const values = new Uint8Array((right - left) * (bottom - top));
  for (let row = top; row < bottom; row++) {
    const start = row * picture.strideY;
    values.set(plane.subarray(start + left, start + right), (row - top) * (right - left));
  }
  return values;
}

/** Luma of a part given in fractions of the picture: a copy. */
export const part = (
  picture: Picture,
  left: number,
  top: number,
  right: number,
  bottom: number,
): Uint8Array =>
  within(picture, {
    left: Math.round(left * picture.width),
    top: Math.round(top * picture.height),
    right: Math.round(right * picture.width),
    bottom: Math.round(bottom * picture.height),
  });

export const white = (values: Uint8Array): number => values.filter((value) => value > 225).length;
export const ink = (values: Uint8Array): number => values.filter((value) => value < 100).length;
export const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/** Every plane is the same. */
export const samePicture = (a: Picture, b: Picture): boolean =>
  same(a.y, b.y) &&
  same(a.u, b.u) &&
  same(a.v, b.v) &&
  same(a.a ?? new Uint8Array(), b.a ?? new Uint8Array());

/** A logo of one colour; `alpha` 0 to 255. */
export function logoOf(
  width: number,
  height: number,
  [red, green, blue, alpha]: readonly number[],
): LogoPixels {
  const rgba = new Uint8Array(width * height * 4);
  for (let i = 0; i < rgba.length; i += 4) rgba.set([red!, green!, blue!, alpha!], i);
  return { width, height, rgba };
}

/** Numbers from 0 to 1 that are the same in every run: a linear congruential sequence. */
export function chances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
