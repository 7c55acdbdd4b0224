// The few outlines that a figure is made of, as polygons in drawing units. Policy: enough corners to look round at 1080p
// and no more, since every one is paid for in every frame.
import type { Outline } from './polygon.ts';

/** An ellipse, turned by `turn` radians. */
export function ellipse(x: number, y: number, rx: number, ry: number, turn = 0): Outline {
  const corners = Math.max(12, Math.min(48, Math.round(Math.max(rx, ry))));
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const outline: number[] = [];
  for (let i = 0; i < corners; i++) {
    const angle = (i / corners) * 2 * Math.PI;
    const [dx, dy] = [rx * Math.cos(angle), ry * Math.sin(angle)];
    outline.push(x + dx * cos - dy * sin, y + dx * sin + dy * cos);
  }
  return outline;
}

/** A limb: two round ends of their own radii and what lies between. */
export function limb(x0: number, y0: number, r0: number, x1: number, y1: number, r1: number): Outline {
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (length <= Math.abs(r0 - r1)) return r0 > r1 ? ellipse(x0, y0, r0, r0) : ellipse(x1, y1, r1, r1);
  const along = Math.atan2(y1 - y0, x1 - x0);
  // Where the straight sides leave the ends: at a right angle for equal radii, leaning for a tapered limb.
  const side = Math.acos((r0 - r1) / length);
  const outline: number[] = [];
  const arc = (x: number, y: number, r: number, from: number, to: number): void => {
    const corners = Math.max(5, Math.min(12, Math.round(r / 2)));
    for (let i = 0; i <= corners; i++) {
      const angle = from + ((to - from) * i) / corners;
      outline.push(x + r * Math.cos(angle), y + r * Math.sin(angle));
    }
  };
  arc(x1, y1, r1, along - side, along + side);
  arc(x0, y0, r0, along + side, along - side + 2 * Math.PI);
  return outline;
}

/** A smooth closed curve through the points (Catmull-Rom, `steps` corners between two of them). */
export function smooth(points: Outline, steps = 8): Outline {
  const count = points.length / 2;
  const at = (i: number): [number, number] => {
    const k = ((i + count) % count) * 2;
    return [points[k]!, points[k + 1]!];
  };
  const outline: number[] = [];
  for (let i = 0; i < count; i++) {
    const [a, b, c, d] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
    for (let step = 0; step < steps; step++) {
      const t = step / steps;
      const curve = (p: number, q: number, r: number, s: number): number =>
        q + 0.5 * t * (r - p + t * (2 * p - 5 * q + 4 * r - s + t * (3 * (q - r) + s - p)));
      outline.push(curve(a[0], b[0], c[0], d[0]), curve(a[1], b[1], c[1], d[1]));
    }
  }
  return outline;
}

/** The same outline on the other side of the figure's middle line (x = 0). */
export function mirrored(outline: Outline): Outline {
  return outline.map((value, i) => (i % 2 ? value : -value));
}
