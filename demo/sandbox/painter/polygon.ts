// Flat-coloured polygons: luma and alpha at full size, chroma at half. Policy: outlines are simple ones; where one crosses itself
// the coverage is cut at 1, and what lies outside the picture is cut off.
import { addEdge, blendCoverage, reserveCells, type Ink } from './coverage.ts';
import { alphaOf, type Colour, type Picture, type Rect } from './picture.ts';

/** Outline as x, y, x, y, … in drawing units; it closes by itself. */
export type Outline = readonly number[];

/** From drawing units to pixels: `pixel = unit * scale + offset`. */
export interface View {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

/** One flat-coloured piece of a drawing. */
export interface Shape {
  readonly outline: Outline;
  readonly colour: Colour;
}

/** The pixels that these outlines can touch; not cut to any picture. */
function boxOf(outlines: readonly Outline[], view: View): Rect {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const outline of outlines) {
    for (let i = 0; i < outline.length; i += 2) {
      left = Math.min(left, outline[i]!);
      right = Math.max(right, outline[i]!);
      top = Math.min(top, outline[i + 1]!);
      bottom = Math.max(bottom, outline[i + 1]!);
    }
  }
  return {
    left: Math.floor(left * view.scale + view.x),
    top: Math.floor(top * view.scale + view.y),
    right: Math.ceil(right * view.scale + view.x),
    bottom: Math.ceil(bottom * view.scale + view.y),
  };
}

/** Leaves the outline's coverage of the box in the cells. */
function addOutline(outline: Outline, view: View, box: Rect): void {
  const [width, height] = [box.right - box.left, box.bottom - box.top];
  const [dx, dy] = [view.x - box.left, view.y - box.top];
  let x0 = outline[outline.length - 2]! * view.scale + dx;
  let y0 = outline[outline.length - 1]! * view.scale + dy;
  for (let i = 0; i < outline.length; i += 2) {
    const x1 = outline[i]! * view.scale + dx;
    const y1 = outline[i + 1]! * view.scale + dy;
    if (y0 < y1) addEdge(x0, y0, x1, y1, 1, width, height);
    else if (y0 > y1) addEdge(x1, y1, x0, y0, -1, width, height);
    x0 = x1;
    y0 = y1;
  }
}

/** Fills an outline in one plane or two of the same size; what lies outside them is cut off. */
function fill(
  outline: Outline,
  view: View,
  size: { readonly width: number; readonly height: number; readonly stride: number },
  one: Ink,
  two: Ink | null,
): void {
  const whole = boxOf([outline], view);
  const box = {
    left: Math.max(0, whole.left),
    top: Math.max(0, whole.top),
    right: Math.min(size.width, whole.right),
    bottom: Math.min(size.height, whole.bottom),
  };
  if (box.right <= box.left || box.bottom <= box.top) return;
  reserveCells(box.right - box.left, box.bottom - box.top);
  addOutline(outline, view, box);
  blendCoverage(one, two, size.stride, box);
}

/** Paints one shape into a picture; what lies outside is cut off. */
export function fillPolygon(picture: Picture, view: View, { outline, colour }: Shape): void {
  const { width, height, strideY, strideC, y, u, v } = picture;
  fill(outline, view, { width, height, stride: strideY }, { plane: y, value: colour.y }, null);
  const alpha = alphaOf(picture);
  if (alpha)
    fill(outline, view, { width, height, stride: alpha.stride }, { plane: alpha.plane, value: 255 }, null);
  const half = { scale: view.scale / 2, x: view.x / 2, y: view.y / 2 };
  const size = { width: width / 2, height: height / 2, stride: strideC };
  fill(outline, half, size, { plane: u, value: colour.u }, { plane: v, value: colour.v });
}

/** The pixels that these shapes can touch, chroma included. */
export function boundsOf(shapes: readonly Shape[], view: View): Rect {
  const box = boxOf(
    shapes.map(({ outline }) => outline),
    view,
  );
  return { left: box.left - 2, top: box.top - 2, right: box.right + 2, bottom: box.bottom + 2 };
}
