// A picture as the encoder takes it, and rectangles in it.
// - A picture has three planes: luma at full size and chroma at half size (I420), in BT.709 video range. A fourth plane of luma's
//   size can hold alpha (0 to 255; colours are not multiplied by it). Width and height are even.
// - Painters write straight into the encoder's planes, so every row is reached through its stride.

export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly y: Uint8Array;
  readonly u: Uint8Array;
  readonly v: Uint8Array;
  /** Bytes a row: of `y`, and of `u` and `v` alike. */
  readonly strideY: number;
  readonly strideC: number;
  /** How opaque each pixel is, and bytes a row; only pictures of transparent styles have them. */
  readonly a?: Uint8Array;
  readonly strideA?: number;
}

export interface Colour {
  readonly y: number;
  readonly u: number;
  readonly v: number;
}

/** In pixels. `right` and `bottom` are the first pixels outside. */
export interface Rect {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Red, green and blue, 0 to 255, as BT.709 video range; not rounded. */
export function ofRgb(red: number, green: number, blue: number): Colour {
  const luma = (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
  return {
    y: 16 + 219 * luma,
    u: 128 + (224 * (blue / 255 - luma)) / 1.8556,
    v: 128 + (224 * (red / 255 - luma)) / 1.5748,
  };
}

/** `#rrggbb` as BT.709 video range. */
export function colour(hex: string): Colour {
  const channel = (at: number): number => parseInt(hex.slice(at, at + 2), 16);
  const { y, u, v } = ofRgb(channel(1), channel(3), channel(5));
  return { y: Math.round(y), u: Math.round(u), v: Math.round(v) };
}

export const black = colour('#000000');

/** A picture of its own memory, all black; with an alpha plane, all transparent. */
export function blankPicture(width: number, height: number, alpha = false): Picture {
  const chroma = (width / 2) * (height / 2);
  return {
    ...(alpha ? { a: new Uint8Array(width * height), strideA: width } : {}),
    width,
    height,
    y: new Uint8Array(width * height).fill(16),
    u: new Uint8Array(chroma).fill(128),
    v: new Uint8Array(chroma).fill(128),
    strideY: width,
    strideC: width / 2,
  };
}

/** A plane of luma's size: luma itself, and alpha where there is one. */
interface FullPlane {
  readonly plane: Uint8Array;
  readonly stride: number;
}

const lumaOf = ({ y, strideY }: Picture): FullPlane => ({ plane: y, stride: strideY });

export const alphaOf = ({ a, strideA, width }: Picture): FullPlane | null =>
  a ? { plane: a, stride: strideA ?? width } : null;

/** The rect grown to whole chroma pixels and cut to the picture. */
function onChromaGrid(rect: Rect, picture: Picture): Rect {
  const down = (value: number): number => Math.max(0, Math.floor(value / 2) * 2);
  const up = (value: number, end: number): number => Math.min(end, Math.ceil(value / 2) * 2);
  return {
    left: down(rect.left),
    top: down(rect.top),
    right: up(rect.right, picture.width),
    bottom: up(rect.bottom, picture.height),
  };
}

/** The rect in a plane of chroma. */
export const halfOf = ({ left, top, right, bottom }: Rect): Rect => ({
  left: left / 2,
  top: top / 2,
  right: right / 2,
  bottom: bottom / 2,
});

function fillPlane({ plane, stride }: FullPlane, { left, top, right, bottom }: Rect, value: number): void {
  for (let row = top; row < bottom; row++) plane.fill(value, row * stride + left, row * stride + right);
}

function copyPlane(from: FullPlane, to: FullPlane, { left, top, right, bottom }: Rect): void {
  for (let row = top; row < bottom; row++) {
    const start = row * from.stride;
    to.plane.set(from.plane.subarray(start + left, start + right), row * to.stride + left);
  }
}

/** Fills the rect with one opaque colour. */
export function fillRect(picture: Picture, area: Rect, { y, u, v }: Colour): void {
  const whole = onChromaGrid(area, picture);
  if (whole.right <= whole.left) return;
  const half = halfOf(whole);
  const alpha = alphaOf(picture);
  fillPlane(lumaOf(picture), whole, y);
  fillPlane({ plane: picture.u, stride: picture.strideC }, half, u);
  fillPlane({ plane: picture.v, stride: picture.strideC }, half, v);
  if (alpha) fillPlane(alpha, whole, 255);
}

/** Copies the rect between two pictures of the same size, which may have different strides. Alpha is copied when both have it. */
export function copyRect(from: Picture, to: Picture, area: Rect): void {
  const whole = onChromaGrid(area, to);
  if (whole.right <= whole.left) return;
  const half = halfOf(whole);
  const [alpha, target] = [alphaOf(from), alphaOf(to)];
  copyPlane(lumaOf(from), lumaOf(to), whole);
  copyPlane({ plane: from.u, stride: from.strideC }, { plane: to.u, stride: to.strideC }, half);
  copyPlane({ plane: from.v, stride: from.strideC }, { plane: to.v, stride: to.strideC }, half);
  if (alpha && target) copyPlane(alpha, target, whole);
}

export const wholeOf = (picture: Picture): Rect => ({
  left: 0,
  top: 0,
  right: picture.width,
  bottom: picture.height,
});

/** Makes black what is around the rect. */
export function paintBars(picture: Picture, { left, top, right, bottom }: Rect): void {
  const whole = wholeOf(picture);
  fillRect(picture, { ...whole, bottom: top }, black);
  fillRect(picture, { ...whole, top: bottom }, black);
  fillRect(picture, { ...whole, right: left }, black);
  fillRect(picture, { ...whole, left: right }, black);
}
