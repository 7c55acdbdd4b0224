// The face of the drawn signer. Figure units (see pose.ts).
// Policy: brows and open eyes stand still and belong to the scene; only the mouth is painted in every frame, and lids in
// the few in which the signer blinks.
import type { Limb } from './limb.ts';
import { ellipse, mirrored, smooth } from './outline.ts';
import { colour } from './picture.ts';
import type { Outline, Shape } from './polygon.ts';
import type { SignerLook } from './signer-look.ts';

/** Middle of the face, and half its width and height. */
export const face = { x: 0, y: 158, rx: 56, ry: 70 } as const;

const EYE = { x: 24, y: 152 };
const eyeWhite = colour('#fbfaf6');
const pupil = colour('#2a2320');
const mouthInside = colour('#5c2327');
const brow = smooth([12, 133, 24, 127, 37, 131, 38, 133, 24, 131, 13, 136], 4);

/** Brows and open eyes. */
export function eyeShapes(look: SignerLook): Shape[] {
  const sides: ((outline: Outline) => Outline)[] = [(outline) => outline, mirrored];
  return sides.flatMap((side) => [
    { outline: side(brow), colour: look.hair },
    { outline: side(ellipse(EYE.x, EYE.y, 9, 6)), colour: eyeWhite },
    { outline: side(ellipse(EYE.x, EYE.y, 5, 5)), colour: pupil },
  ]);
}

/** Lids over the eyes, `closed` 0 to 1; none for 0. */
export function lidLimbs(closed: number, look: SignerLook): Limb[] {
  if (closed === 0) return [];
  const lower = EYE.y - 7 + 7 * closed;
  return [-1, 1].flatMap((side) => {
    const wide = { x0: side * EYE.x - 4, x1: side * EYE.x + 4 };
    return [
      { ...wide, y0: lower, r0: 7, y1: lower, r1: 7, fill: look.skin, edge: null },
      { ...wide, y0: lower + 5, r0: 1.3, y1: lower + 5, r1: 1.3, fill: look.shade, edge: null },
    ];
  });
}

/** The mouth, `open` 0 (a closed smile) to 1. */
export function mouthShapes(open: number, look: SignerLook): Shape[] {
  const y = face.y + 40;
  const width = 19 - 6 * open;
  const drop = 4 + 12 * open;
  const lips: number[] = [];
  const inside: number[] = [];
  for (let i = 0; i <= 12; i++) {
    const t = i / 6 - 1;
    lips.push(t * (width + 2), y - 2 + 3 * (1 - t * t) * (1 - 2 * open));
    inside.push(t * (width - 2), y + 2 * (1 - t * t) * (1 - 2 * open));
  }
  for (let i = 12; i >= 0; i--) {
    const t = i / 6 - 1;
    lips.push(t * (width + 2), y - 2 + (drop + 5) * (1 - t * t));
    inside.push(t * (width - 2), y + drop * (1 - t * t));
  }
  return [
    { outline: lips, colour: look.lips },
    ...(open > 0.08 ? [{ outline: inside, colour: mouthInside }] : []),
  ];
}
