// The colours next to what is opaque in a transparent picture. Policy: what lies under alpha 0 must not show: soft edges
// keep the colour of what they belong to, and it goes on some pixels beyond, because coding and shared chroma mix
// neighbours. The scene is lifted off the ground it was painted on once; limbs get their fringe in every frame.
import { Spans, type Cone } from './cone.ts';
import { edgeWidth, pixelsOf, type Limb } from './limb.ts';
import { alphaOf, type Colour, type Picture } from './picture.ts';
import type { View } from './polygon.ts';

/** Pixels of luma that the colour of a limb goes on beyond its edge; chroma may go two farther. */
const BEYOND_LIMB = 4;
export const FRINGE = BEYOND_LIMB + 2;
/** Pixels that the colours of the scene go on, in each plane. */
const BEYOND_SCENE = 8;
/** Alpha under which a pixel is too faint to tell its own colour from the ground's. */
const FAINT = 48;
const UNKNOWN = 255;

const outer = new Spans();
const inner = new Spans();

/** Carries the colour of known pixels (distance 0) along one line, up to `BEYOND_SCENE` pixels. */
function carry(plane: Uint8Array, away: Uint8Array, from: number, step: number, count: number): void {
  for (let i = 1, at = from + step; i < count; i++, at += step) {
    const next = away[at - step]! + 1;
    if (next >= away[at]! || next > BEYOND_SCENE) continue;
    away[at] = next;
    plane[at] = plane[at - step]!;
  }
}

/** Gives every pixel without a colour of its own (`cover` faint) that of the nearest one that has. */
function spread(plane: Uint8Array, cover: Uint8Array, width: number, height: number): void {
  const away = cover.map((alpha) => (alpha < FAINT ? UNKNOWN : 0));
  for (let row = 0; row < height; row++) {
    carry(plane, away, row * width, 1, width);
    carry(plane, away, (row + 1) * width - 1, -1, width);
  }
  for (let column = 0; column < width; column++) {
    carry(plane, away, column, width, height);
    carry(plane, away, (height - 1) * width + column, -width, height);
  }
}

function lift(plane: Uint8Array, cover: Uint8Array, ground: number): void {
  for (let i = 0; i < plane.length; i++) {
    const alpha = cover[i]!;
    if (alpha >= FAINT && alpha < 255) {
      plane[i] = Math.min(255, Math.max(0, Math.round(ground + ((plane[i]! - ground) * 255) / alpha)));
    }
  }
}

/** Takes the ground out of the colours of a picture of its own memory (`blankPicture`) that was painted on it. */
export function liftOff(picture: Picture, ground: Colour): void {
  const { width, height, a } = picture;
  if (!a) return;
  const half = new Uint8Array((width / 2) * (height / 2));
  for (let at = 0, row = 0; row < height; row += 2) {
    for (let x = row * width; x < (row + 1) * width; x += 2, at++) {
      half[at] = (a[x]! + a[x + 1]! + a[x + width]! + a[x + width + 1]! + 2) >> 2;
    }
  }
  lift(picture.y, a, ground.y);
  lift(picture.u, half, ground.u);
  lift(picture.v, half, ground.v);
  spread(picture.y, a, width, height);
  spread(picture.u, half, width / 2, height / 2);
  spread(picture.v, half, width / 2, height / 2);
}

/** Calls `visit` with the pixels of each row between the outline grown by `from` pixels and by `to` pixels. */
function around(
  cone: Cone,
  [from, to]: readonly [number, number],
  { width, height }: { readonly width: number; readonly height: number },
  visit: (row: number, first: number, end: number) => void,
): void {
  outer.find(cone, to, height);
  inner.find(cone, from, height);
  for (let row = outer.top; row < outer.bottom; row++) {
    const [first, end] = [outer.first(row), Math.min(width, outer.end(row))];
    const hole = Math.min(end, inner.first(row));
    visit(row, first, hole);
    visit(row, Math.max(hole, inner.end(row)), end);
  }
}

/**
 * Gives the colours of a limb to what is transparent around it, up to `FRINGE` pixels from its edge; comes before any limb
 * of the frame is painted.
 * @param bottom an even row at which it ends
 */
export function paintFringe(picture: Picture, view: View, limb: Limb, bottom: number): void {
  const alpha = alphaOf(picture);
  if (!alpha) return;
  const { plane, stride } = alpha;
  const { y, u, v, width, strideY, strideC } = picture;
  const luma = (limb.edge ?? limb.fill).y;
  const chroma = limb.fill;
  const edge = edgeWidth(limb, view);
  around(
    pixelsOf(limb, view, 1),
    [edge - 1, edge + BEYOND_LIMB],
    { width, height: bottom },
    (row, first, end) => {
      for (let x = first; x < end; x++) if (plane[row * stride + x] === 0) y[row * strideY + x] = luma;
    },
  );
  const half = { width: width / 2, height: bottom / 2 };
  around(pixelsOf(limb, view, 0.5), [-1, (edge + BEYOND_LIMB) / 2], half, (row, first, end) => {
    for (let x = first; x < end; x++) {
      const at = 2 * (row * stride + x);
      if (plane[at]! + plane[at + 1]! + plane[at + stride]! + plane[at + stride + 1]! > 0) continue;
      u[row * strideC + x] = chroma.u;
      v[row * strideC + x] = chroma.v;
    }
  });
}
