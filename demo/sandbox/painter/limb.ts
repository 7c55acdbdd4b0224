// Paints limbs into a picture: the whole drawn signer consists of limbs.
// - Luma and alpha have soft edges: the coverage of pixels near the outline is calculated, and the pixels inside are filled.
//   Chroma has half the size and is filled up to the outline.
// - In a picture with an alpha plane the colours continue a few pixels beyond the edge, where alpha is 0, because coding and
//   shared chroma mix pixels that are side by side.
import { alphaOf, type Colour, type Picture, type Rect } from './picture.ts';
import { shapeOf, Spans, type Shape } from './shape.ts';

/** From drawing units to pixels: `pixel = unit * scale + offset`. */
export interface View {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

/** Two circles in drawing units, as `View` maps them to pixels. */
export interface Limb {
  readonly x0: number;
  readonly y0: number;
  readonly r0: number;
  readonly x1: number;
  readonly y1: number;
  readonly r1: number;
  readonly fill: Colour;
  /** Colour of the edge around the limb; null for no edge. */
  readonly edge: Colour | null;
}

/** Width of an edge, drawing units. */
const EDGE = 2.2;
/** Pixels of luma by which the colour of a limb continues beyond its edge. In chroma it may be 2 pixels more. */
const BEYOND = 4;
export const FRINGE = BEYOND + 2;

/** Width in pixels of the edge that a limb has at this scale. */
const edgeWidth = ({ edge }: Limb, { scale }: View): number => (edge ? EDGE * scale : 0);

/** From this number of pixels on, the engine's own fill is faster than a loop. */
const LONG_RUN = 16;

const outside = new Spans();
const inside = new Spans();

const clamped = (value: number): number => (value < 0 ? 0 : value > 1 ? 1 : value);

/** A plane of luma's size, the value that is painted into it, and its edge: `width` pixels of `edge`, none for 0. */
interface Ink {
  readonly plane: Uint8Array;
  readonly stride: number;
  readonly fill: number;
  readonly edge: number;
  readonly width: number;
}

/** Paints pixels of one row near the outline, each by its distance to it. */
function paintNear(ink: Ink, shape: Shape, row: number, from: number, to: number): void {
  const { plane, fill, edge, width } = ink;
  const { ax, ay, ra, bx, by, rb, ux, uy, sin, cos } = shape;
  const start = row * ink.stride;
  const straight = shape.length * cos;
  const py = row + 0.5 - ay;
  const qy = row + 0.5 - by;
  for (let x = from; x < to; x++) {
    const px = x + 0.5 - ax;
    const qx = x + 0.5 - bx;
    const along = px * ux + py * uy;
    const across = Math.abs(px * uy - py * ux);
    const place = along * cos - across * sin;
    let distance: number;
    if (place < 0) distance = Math.sqrt(px * px + py * py) - ra;
    else if (place <= straight) distance = across * cos + along * sin - ra;
    else distance = Math.sqrt(qx * qx + qy * qy) - rb;
    let value = plane[start + x]!;
    if (width > 0) value += (edge - value) * clamped(0.5 + width - distance);
    plane[start + x] = value + (fill - value) * clamped(0.5 - distance) + 0.5;
  }
}

function fillRun(plane: Uint8Array, value: number, from: number, to: number): void {
  if (to - from > LONG_RUN) plane.fill(value, from, to);
  else for (let at = from; at < to; at++) plane[at] = value;
}

function paintPlane(ink: Ink, shape: Shape, columns: number, rows: number): void {
  outside.find(shape, ink.width + 0.5, rows);
  inside.find(shape, -0.5, rows);
  for (let row = outside.top; row < outside.bottom; row++) {
    const from = outside.first(row);
    const to = Math.min(columns, outside.end(row));
    const first = Math.min(Math.max(from, inside.first(row)), to);
    const last = Math.max(first, Math.min(to, inside.end(row)));
    paintNear(ink, shape, row, from, first);
    fillRun(ink.plane, ink.fill, row * ink.stride + first, row * ink.stride + last);
    paintNear(ink, shape, row, last, to);
  }
}

function paintChroma({ u, v, strideC, width, height }: Picture, fill: Colour, shape: Shape): void {
  inside.find(shape, 0, height / 2);
  for (let row = inside.top; row < inside.bottom; row++) {
    const from = row * strideC + inside.first(row);
    const to = row * strideC + Math.min(width / 2, inside.end(row));
    fillRun(u, fill.u, from, to);
    fillRun(v, fill.v, from, to);
  }
}

/** The limb's shape in pixels, multiplied by `zoom`, which is a half for chroma. */
function pixelsOf({ x0, y0, r0, x1, y1, r1 }: Limb, { scale, x, y }: View, zoom: number): Shape {
  const by = scale * zoom;
  const [dx, dy] = [x * zoom, y * zoom];
  return shapeOf(x0 * by + dx, y0 * by + dy, r0 * by, x1 * by + dx, y1 * by + dy, r1 * by);
}

/** Paints one limb; what lies outside the picture is cut off. */
export function paintLimb(picture: Picture, view: View, limb: Limb): void {
  const { width, height, y, strideY, a } = picture;
  const { fill, edge } = limb;
  const shape = pixelsOf(limb, view, 1);
  const around = edgeWidth(limb, view);
  const luma: Ink = { plane: y, stride: strideY, fill: fill.y, edge: edge?.y ?? 0, width: around };
  paintPlane(luma, shape, width, height);
  if (a) {
    const opaque: Ink = { plane: a, stride: picture.strideA ?? width, fill: 255, edge: 255, width: around };
    paintPlane(opaque, shape, width, height);
  }
  paintChroma(picture, fill, pixelsOf(limb, view, 0.5));
}

/** The pixels of these limbs and `spare` around them; by default as many as edge and chroma can touch. */
export function boundsOfLimbs(limbs: readonly Limb[], { scale, x, y }: View, spare = EDGE * scale + 3): Rect {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x0, y0, r0, x1, y1, r1 } of limbs) {
    left = Math.min(left, x0 - r0, x1 - r1);
    right = Math.max(right, x0 + r0, x1 + r1);
    top = Math.min(top, y0 - r0, y1 - r1);
    bottom = Math.max(bottom, y0 + r0, y1 + r1);
  }
  return {
    left: Math.floor(left * scale + x - spare),
    top: Math.floor(top * scale + y - spare),
    right: Math.ceil(right * scale + x + spare),
    bottom: Math.ceil(bottom * scale + y + spare),
  };
}

/**
 * Gives the colours of a limb to what is transparent inside it and up to `FRINGE` pixels around it. All fringes of a frame
 * are painted before its limbs.
 * @param bottom an even row at which the fringe ends
 */
export function paintFringe(picture: Picture, view: View, limb: Limb, bottom: number): void {
  const alpha = alphaOf(picture);
  if (!alpha) return;
  const { plane, stride } = alpha;
  const { y, u, v, width, strideY, strideC } = picture;
  const { y: luma } = limb.edge ?? limb.fill;
  const beyond = edgeWidth(limb, view) + BEYOND;
  outside.find(pixelsOf(limb, view, 1), beyond, bottom);
  for (let row = outside.top; row < outside.bottom; row++) {
    const end = Math.min(width, outside.end(row));
    for (let x = outside.first(row); x < end; x++) {
      if (plane[row * stride + x] === 0) y[row * strideY + x] = luma;
    }
  }
  outside.find(pixelsOf(limb, view, 0.5), beyond / 2, bottom / 2);
  for (let row = outside.top; row < outside.bottom; row++) {
    const end = Math.min(width / 2, outside.end(row));
    for (let x = outside.first(row); x < end; x++) {
      const at = 2 * (row * stride + x);
      if (plane[at]! + plane[at + 1]! + plane[at + stride]! + plane[at + stride + 1]! > 0) continue;
      u[row * strideC + x] = limb.fill.u;
      v[row * strideC + x] = limb.fill.v;
    }
  }
}
