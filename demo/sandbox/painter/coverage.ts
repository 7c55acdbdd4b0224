// How much of each pixel an outline covers, exactly. Policy: every edge leaves in the cells it crosses what it covers of
// them, and a running sum along the row is the coverage; so no edge list is sorted and the cost is the outline's own area.
// The cells span one box at a time and stay in the processor's cache; all are zero between two outlines.
import type { Rect } from './picture.ts';

const NONE = 0x7fffffff;
/** Coverage from which a pixel is simply the colour. */
const OPAQUE = 0.996;
/** Pixels from which the engine's own fill is faster than a loop. */
const LONG_RUN = 16;

/** Coverage differences, one row of the box after the other; all zero between two fills. */
let sums = new Float32Array(0);
/** Columns touched in each row by edges drawn downward and upward; `NONE` and -1 between two fills. */
let down = { first: new Int32Array(0), last: new Int32Array(0) };
let up = { first: new Int32Array(0), last: new Int32Array(0) };

/** Makes room for a box of this size; comes before the first edge. */
export function reserveCells(width: number, height: number): void {
  if (sums.length < (width + 2) * height) sums = new Float32Array((width + 2) * height);
  if (down.first.length >= height) return;
  const untouched = () => ({
    first: new Int32Array(height).fill(NONE),
    last: new Int32Array(height).fill(-1),
  });
  [down, up] = [untouched(), untouched()];
}

/**
 * Leaves one edge from (x0, y0) down to (x1, y1) in the cells of a box of this size; `sign` is -1 when it was drawn
 * upward. What lies left of the box counts for its first column, what lies right of it for none.
 */
export function addEdge(
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  sign: 1 | -1,
  width: number,
  height: number,
): void {
  const { first, last } = sign > 0 ? down : up;
  const cells = sums;
  const slope = (x1 - x0) / (y1 - y0);
  const bottom = Math.min(height, Math.ceil(y1));
  for (let row = Math.max(0, Math.floor(y0)); row < bottom; row++) {
    const from = Math.max(y0, row);
    const to = Math.min(y1, row + 1);
    const cover = sign * (to - from);
    const xFrom = Math.min(Math.max(x0 + slope * (from - y0), 0), width);
    const xTo = Math.min(Math.max(x0 + slope * (to - y0), 0), width);
    const enter = Math.min(xFrom, xTo);
    const leave = Math.max(xFrom, xTo);
    const left = Math.floor(enter);
    const right = Math.floor(leave);
    const at = row * (width + 2);
    if (left < first[row]!) first[row] = left;
    if (right + 1 > last[row]!) last[row] = right + 1;
    if (left === right) {
      const area = cover * (left + 1 - (enter + leave) / 2);
      cells[at + left]! += area;
      cells[at + left + 1]! += cover - area;
      continue;
    }
    // The edge crosses several cells of this row: each gets what lies right of the edge, less what its neighbour got.
    let passed = 0;
    let before = 0;
    for (let column = left; column <= right; column++) {
      const a = Math.max(enter, column);
      const b = Math.min(leave, column + 1);
      const part = (cover * (b - a)) / (leave - enter);
      const area = passed + part * (column + 1 - (a + b) / 2);
      cells[at + column]! += area - before;
      before = area;
      passed += part;
    }
    cells[at + right + 1]! += cover - before;
  }
}

/** A plane and what is painted into it. */
export interface Ink {
  readonly plane: Uint8Array;
  readonly value: number;
}

/** Blends a row's cells from `cell` up to `end` into the pixels at `pixel`; returns the coverage carried on. */
function blendCells(
  { plane, value }: Ink,
  pixel: number,
  cell: number,
  end: number,
  carried: number,
): number {
  const cells = sums;
  let sum = carried;
  for (; cell < end; cell++, pixel++) {
    sum += cells[cell]!;
    const cover = sum < 0 ? -sum : sum;
    plane[pixel] = cover > OPAQUE ? value : plane[pixel]! + (value - plane[pixel]!) * cover + 0.5;
  }
  return sum;
}

function fillRun({ plane, value }: Ink, from: number, to: number): void {
  if (to - from > LONG_RUN) plane.fill(value, from, to);
  else for (let pixel = from; pixel < to; pixel++) plane[pixel] = value;
}

/** Blends the summed coverage of the box into one plane or two of the same size, and leaves the cells zero. */
export function blendCoverage(one: Ink, two: Ink | null, stride: number, box: Rect): void {
  const cells = sums;
  const width = box.right - box.left;
  const height = box.bottom - box.top;
  const [downFirst, downLast, upFirst, upLast] = [down.first, down.last, up.first, up.last];
  for (let row = 0; row < height; row++) {
    const from = Math.min(downFirst[row]!, upFirst[row]!);
    if (from === NONE) continue;
    const lastTouched = Math.max(downLast[row]!, upLast[row]!);
    const to = Math.min(lastTouched + 1, width);
    // Where the edges of one direction all lie left of the others', what is between is of one coverage.
    const inner = Math.min(Math.min(downLast[row]!, upLast[row]!) + 1, to);
    const outer = Math.max(Math.max(downFirst[row]!, upFirst[row]!), inner);
    const at = row * (width + 2);
    const pixel = (box.top + row) * stride + box.left;
    const carried = blendCells(one, pixel + from, at + from, at + inner, 0);
    if (two) blendCells(two, pixel + from, at + from, at + inner, 0);
    if (carried > OPAQUE || carried < -OPAQUE) {
      fillRun(one, pixel + inner, pixel + outer);
      if (two) fillRun(two, pixel + inner, pixel + outer);
    } else {
      blendCells(one, pixel + inner, at + inner, at + outer, carried);
      if (two) blendCells(two, pixel + inner, at + inner, at + outer, carried);
    }
    blendCells(one, pixel + outer, at + outer, at + to, carried);
    if (two) blendCells(two, pixel + outer, at + outer, at + to, carried);
    for (let cell = at + from; cell < at + inner; cell++) cells[cell] = 0;
    for (let cell = at + outer; cell <= at + lastTouched; cell++) cells[cell] = 0;
    downFirst[row] = upFirst[row] = NONE;
    downLast[row] = upLast[row] = -1;
  }
}
