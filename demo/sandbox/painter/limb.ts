// Limbs: round at both ends, tapered, with a thin darker edge; what the moving parts of the signer are made of.
// Policy: painted from the distance to their outline, edge and inside in one go, because a limb is paid for in every
// frame and this costs a third of what polygons do: along a row only the pixels near the outline are measured, those
// inside are filled. Chroma, half size, is filled to the outline and no finer: luma draws the edge that one sees.
import { coneOf, Spans, type Cone } from './cone.ts';
import type { Colour, Picture, Rect } from './picture.ts';
import type { View } from './polygon.ts';

/** Two circles in drawing units, as `View` maps them to pixels. */
export interface Limb {
  readonly x0: number;
  readonly y0: number;
  readonly r0: number;
  readonly x1: number;
  readonly y1: number;
  readonly r1: number;
  readonly fill: Colour;
  /** Colour of the edge around it, null for none. */
  readonly edge: Colour | null;
}

/** Width of an edge, drawing units. */
const EDGE = 2.2;

/** Width in pixels of the edge that a limb has at this scale. */
export const edgeWidth = ({ edge }: Limb, { scale }: View): number => (edge ? EDGE * scale : 0);

/** Pixels from which the engine's own fill is faster than a loop. */
const LONG_RUN = 16;

const outside = new Spans();
const inside = new Spans();

const clamped = (value: number): number => (value < 0 ? 0 : value > 1 ? 1 : value);

/** A plane of luma's size, what is painted into it, and its edge: `width` pixels of `edge`, none for 0. */
interface Ink {
  readonly plane: Uint8Array;
  readonly stride: number;
  readonly fill: number;
  readonly edge: number;
  readonly width: number;
}

/** Paints pixels of one row near the outline, each by its distance to it. */
function paintNear(ink: Ink, cone: Cone, row: number, from: number, to: number): void {
  const { plane, fill, edge, width } = ink;
  const { ax, ay, ra, bx, by, rb, ux, uy, sin, cos } = cone;
  const start = row * ink.stride;
  const straight = cone.length * cos;
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

function paintPlane(ink: Ink, cone: Cone, columns: number, rows: number): void {
  outside.find(cone, ink.width + 0.5, rows);
  inside.find(cone, -0.5, rows);
  for (let row = outside.top; row < outside.bottom; row++) {
    const from = outside.first(row);
    const to = Math.min(columns, outside.end(row));
    const first = Math.min(Math.max(from, inside.first(row)), to);
    const last = Math.max(first, Math.min(to, inside.end(row)));
    paintNear(ink, cone, row, from, first);
    fillRun(ink.plane, ink.fill, row * ink.stride + first, row * ink.stride + last);
    paintNear(ink, cone, row, last, to);
  }
}

function paintChroma({ u, v, strideC, width, height }: Picture, fill: Colour, cone: Cone): void {
  inside.find(cone, 0, height / 2);
  for (let row = inside.top; row < inside.bottom; row++) {
    const from = row * strideC + inside.first(row);
    const to = row * strideC + Math.min(width / 2, inside.end(row));
    fillRun(u, fill.u, from, to);
    fillRun(v, fill.v, from, to);
  }
}

/** The limb's shape in pixels, `zoom` times as large: a half for chroma. */
export function pixelsOf({ x0, y0, r0, x1, y1, r1 }: Limb, { scale, x, y }: View, zoom: number): Cone {
  const by = scale * zoom;
  const [dx, dy] = [x * zoom, y * zoom];
  return coneOf(x0 * by + dx, y0 * by + dy, r0 * by, x1 * by + dx, y1 * by + dy, r1 * by);
}

/** Paints one limb; what lies outside the picture is cut off. */
export function paintLimb(picture: Picture, view: View, limb: Limb): void {
  const { width, height, y, strideY, a } = picture;
  const { fill, edge } = limb;
  const cone = pixelsOf(limb, view, 1);
  const around = edgeWidth(limb, view);
  const luma: Ink = { plane: y, stride: strideY, fill: fill.y, edge: edge?.y ?? 0, width: around };
  paintPlane(luma, cone, width, height);
  if (a) {
    const opaque: Ink = { plane: a, stride: picture.strideA ?? width, fill: 255, edge: 255, width: around };
    paintPlane(opaque, cone, width, height);
  }
  paintChroma(picture, fill, pixelsOf(limb, view, 0.5));
}

/** The pixels that these limbs can touch, chroma included. */
export function boundsOfLimbs(limbs: readonly Limb[], { scale, x, y }: View): Rect {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x0, y0, r0, x1, y1, r1 } of limbs) {
    left = Math.min(left, x0 - r0, x1 - r1);
    right = Math.max(right, x0 + r0, x1 + r1);
    top = Math.min(top, y0 - r0, y1 - r1);
    bottom = Math.max(bottom, y0 + r0, y1 + r1);
  }
  const spare = EDGE * scale + 3;
  return {
    left: Math.floor(left * scale + x - spare),
    top: Math.floor(top * scale + y - spare),
    right: Math.ceil(right * scale + x + spare),
    bottom: Math.ceil(bottom * scale + y + spare),
  };
}
