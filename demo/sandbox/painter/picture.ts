// A picture as the encoder wants it: three planes, luma full size, chroma half each way (I420), BT.709 video range.
// Policy: painters write straight into the encoder's own planes, so every row is reached through its stride, and width
// and height are even.

export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly y: Uint8Array;
  readonly u: Uint8Array;
  readonly v: Uint8Array;
  /** Bytes a row: of `y`, and of `u` and `v` alike. */
  readonly strideY: number;
  readonly strideC: number;
}

export interface Colour {
  readonly y: number;
  readonly u: number;
  readonly v: number;
}

/** Pixels; right and bottom are outside. */
export interface Rect {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** `#rrggbb` as BT.709 video range. */
export function colour(hex: string): Colour {
  const channel = (at: number): number => parseInt(hex.slice(at, at + 2), 16) / 255;
  const [r, g, b] = [channel(1), channel(3), channel(5)];
  const luma = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return {
    y: Math.round(16 + 219 * luma),
    u: Math.round(128 + (224 * (b - luma)) / 1.8556),
    v: Math.round(128 + (224 * (r - luma)) / 1.5748),
  };
}

/** A picture of its own memory, all black. */
export function blankPicture(width: number, height: number): Picture {
  const chroma = (width / 2) * (height / 2);
  return {
    width,
    height,
    y: new Uint8Array(width * height).fill(16),
    u: new Uint8Array(chroma).fill(128),
    v: new Uint8Array(chroma).fill(128),
    strideY: width,
    strideC: width / 2,
  };
}

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

export function fillRect(picture: Picture, area: Rect, { y, u, v }: Colour): void {
  const { left, top, right, bottom } = onChromaGrid(area, picture);
  if (right <= left) return;
  for (let row = top; row < bottom; row++) {
    picture.y.fill(y, row * picture.strideY + left, row * picture.strideY + right);
  }
  for (let row = top / 2; row < bottom / 2; row++) {
    const [from, to] = [row * picture.strideC + left / 2, row * picture.strideC + right / 2];
    picture.u.fill(u, from, to);
    picture.v.fill(v, from, to);
  }
}

/** Copies the rect between two pictures of one size, whatever their strides. */
export function copyRect(from: Picture, to: Picture, area: Rect): void {
  const { left, top, right, bottom } = onChromaGrid(area, to);
  if (right <= left) return;
  for (let row = top; row < bottom; row++) {
    const start = row * from.strideY;
    to.y.set(from.y.subarray(start + left, start + right), row * to.strideY + left);
  }
  for (let row = top / 2; row < bottom / 2; row++) {
    const [start, end] = [row * from.strideC + left / 2, row * from.strideC + right / 2];
    to.u.set(from.u.subarray(start, end), row * to.strideC + left / 2);
    to.v.set(from.v.subarray(start, end), row * to.strideC + left / 2);
  }
}

export const wholeOf = (picture: Picture): Rect => ({
  left: 0,
  top: 0,
  right: picture.width,
  bottom: picture.height,
});

/** The smallest rect that holds both. */
export const unionOf = (a: Rect, b: Rect): Rect => ({
  left: Math.min(a.left, b.left),
  top: Math.min(a.top, b.top),
  right: Math.max(a.right, b.right),
  bottom: Math.max(a.bottom, b.bottom),
});
