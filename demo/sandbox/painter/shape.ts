// The shape of a limb in pixels, and the pixels of each row that it covers.
// - A limb is two circles and the area between them (an "uneven capsule"), or one circle when both have the same centre.
// - The rows are written into lists that are reused, because this runs for every limb of every frame.

/** Two circles in pixels, with values computed from them. */
export interface Shape {
  readonly ax: number;
  readonly ay: number;
  readonly ra: number;
  readonly bx: number;
  readonly by: number;
  readonly rb: number;
  /** Direction from the first circle to the second, and the distance. */
  readonly ux: number;
  readonly uy: number;
  readonly length: number;
  /** Sine and cosine of the angle between the straight sides and the middle line. */
  readonly sin: number;
  readonly cos: number;
}

export function shapeOf(ax: number, ay: number, ra: number, bx: number, by: number, rb: number): Shape {
  const length = Math.hypot(bx - ax, by - ay);
  if (length <= Math.abs(ra - rb)) {
    // The larger circle contains the smaller one.
    const [x, y, r] = ra > rb ? [ax, ay, ra] : [bx, by, rb];
    return { ax: x, ay: y, ra: r, bx: x, by: y, rb: r, ux: 1, uy: 0, length: 0, sin: 0, cos: 1 };
  }
  const sin = (ra - rb) / length;
  const [ux, uy] = [(bx - ax) / length, (by - ay) / length];
  return { ax, ay, ra, bx, by, rb, ux, uy, length, sin, cos: Math.sqrt(1 - sin * sin) };
}

/** Larger than the width of any picture. */
const NOWHERE = 1e6;

/** The part of each row that a shape covers: the pixels whose middle is inside. */
export class Spans {
  /** First row, and the one after the last. */
  top = 0;
  bottom = 0;
  #left = new Float64Array(0);
  #right = new Float64Array(0);

  /** First pixel of a row, 0 or more. In a row without pixels it is far to the right. */
  first(row: number): number {
    return row < this.top || row >= this.bottom
      ? NOWHERE
      : Math.max(0, Math.ceil(this.#left[row - this.top]! - 0.5));
  }

  /** The pixel after the last one of a row. In a row without pixels it is far to the left. */
  end(row: number): number {
    return row < this.top || row >= this.bottom
      ? -NOWHERE
      : Math.floor(this.#right[row - this.top]! - 0.5) + 1;
  }

  /** Finds the rows of the shape grown by `by` pixels, between 0 and `height`. */
  find(shape: Shape, by: number, height: number): void {
    const { ax, ay, bx, by: cy, ux, uy, sin, cos } = shape;
    const [ra, rb] = [shape.ra + by, shape.rb + by];
    this.top = Math.max(0, Math.floor(Math.min(ay - ra, cy - rb)));
    this.bottom = Math.min(height, Math.ceil(Math.max(ay + ra, cy + rb)));
    const rows = Math.max(0, this.bottom - this.top);
    if (this.#left.length < rows) {
      this.#left = new Float64Array(rows);
      this.#right = new Float64Array(rows);
    }
    this.#left.fill(NOWHERE, 0, rows);
    this.#right.fill(-NOWHERE, 0, rows);
    // A limb that shrinks by more than its thinner radius has no row that is completely inside.
    if (ra <= 0 || rb <= 0) return;
    this.#addCircle(ax, ay, ra);
    this.#addCircle(bx, cy, rb);
    for (let side = -1; side <= 1; side += 2) {
      const [nx, ny] = [ux * sin - side * uy * cos, uy * sin + side * ux * cos];
      this.#addSide(ax + ra * nx, ay + ra * ny, bx + rb * nx, cy + rb * ny);
    }
  }

  #addCircle(x: number, y: number, r: number): void {
    const [left, right, top] = [this.#left, this.#right, this.top];
    const end = Math.min(this.bottom, Math.floor(y + r - 0.5) + 1);
    for (let row = Math.max(top, Math.ceil(y - r - 0.5)); row < end; row++) {
      const away = row + 0.5 - y;
      const half = Math.sqrt(r * r - away * away);
      if (x - half < left[row - top]!) left[row - top] = x - half;
      if (x + half > right[row - top]!) right[row - top] = x + half;
    }
  }

  #addSide(x0: number, y0: number, x1: number, y1: number): void {
    if (y0 > y1) return this.#addSide(x1, y1, x0, y0);
    if (y0 === y1) return;
    const [left, right, top] = [this.#left, this.#right, this.top];
    const slope = (x1 - x0) / (y1 - y0);
    const end = Math.min(this.bottom, Math.floor(y1 - 0.5) + 1);
    for (let row = Math.max(top, Math.ceil(y0 - 0.5)); row < end; row++) {
      const x = x0 + (row + 0.5 - y0) * slope;
      if (x < left[row - top]!) left[row - top] = x;
      if (x > right[row - top]!) right[row - top] = x;
    }
  }
}
