// The drawn signers, which are made of limbs. Lengths are in figure units (see motion.ts).
// - What never moves (body, head, hair, open eyes) is one list, painted once; arms, mouth and lids are made for each frame.
// - Signers differ by skin, hair and sleeves. Their clothes are plain and contrast with the skin, as those of real signers do, so
//   that hands are easy to see.
// - Most moving limbs have an edge in their shade, so that an arm can be told from the body, and a finger from the next finger.
import type { Limb } from './limb.ts';
import type { ArmPose, Pose } from './motion.ts';
import { colour, type Colour } from './picture.ts';

/** Names of the signers in their canonical letter case. */
export type SignerName = 'RAE' | 'JAY' | 'MAX';

type Numbers = readonly [x0: number, y0: number, r0: number, x1: number, y1: number, r1: number];

interface SignerColours {
  readonly skin: Colour;
  /** Colour of the edge of skin, and of its shaded parts. */
  readonly shade: Colour;
  readonly hair: Colour;
  readonly cloth: Colour;
  readonly clothShade: Colour;
  readonly lips: Colour;
}

interface SignerStyle extends SignerColours {
  readonly hairBehind: readonly Numbers[];
  readonly hairInFront: readonly Numbers[];
  /** How far the sleeve reaches: 1 the elbow, 2 the wrist. */
  readonly sleeve: number;
}

export const signerStyles: Readonly<Record<SignerName, SignerStyle>> = {
  RAE: {
    skin: colour('#e8b998'),
    shade: colour('#b9795a'),
    hair: colour('#5b3a29'),
    cloth: colour('#1f6f78'),
    clothShade: colour('#15525a'),
    lips: colour('#a8484a'),
    hairBehind: [[0, 136, 66, 0, 178, 70]],
    hairInFront: [
      [-4, 88, 15, -54, 128, 8],
      [4, 88, 15, 54, 128, 8],
    ],
    sleeve: 2,
  },
  JAY: {
    skin: colour('#8d5a3b'),
    shade: colour('#5a3520'),
    hair: colour('#1d1715'),
    cloth: colour('#d9c9a3'),
    clothShade: colour('#b09d72'),
    lips: colour('#6d2f2c'),
    hairBehind: [[0, 132, 60, 0, 138, 60]],
    hairInFront: [[-36, 100, 16, 36, 100, 16]],
    sleeve: 0.68,
  },
  MAX: {
    skin: colour('#f3cfb3'),
    shade: colour('#c98f6d'),
    hair: colour('#b5642e'),
    cloth: colour('#33456b'),
    clothShade: colour('#22304d'),
    lips: colour('#b4585a'),
    hairBehind: [
      [-44, 122, 22, -50, 146, 14],
      [44, 122, 22, 50, 146, 14],
    ],
    hairInFront: [
      [-40, 104, 21, -40, 104, 21],
      [40, 104, 21, 40, 104, 21],
      [-16, 90, 23, 16, 90, 23],
    ],
    sleeve: 1.45,
  },
};

const trousers = colour('#3b3f46');
const eyeWhite = colour('#fbfaf6');
const pupil = colour('#2a2320');
const mouthInside = colour('#5c2327');

const limb = ([x0, y0, r0, x1, y1, r1]: Numbers, fill: Colour, edge: Colour | null = null): Limb => ({
  x0,
  y0,
  r0,
  x1,
  y1,
  r1,
  fill,
  edge,
});

/** A limb and its mirror image on the other side of the middle line. */
function pair([x0, y0, r0, x1, y1, r1]: Numbers, fill: Colour): Limb[] {
  return [limb([x0, y0, r0, x1, y1, r1], fill), limb([-x0, y0, r0, -x1, y1, r1], fill)];
}

/** Everything that does not move, back to front; the legs reach below every picture. */
export function bodyLimbs(style: SignerStyle): Limb[] {
  const { skin, shade, hair, cloth, clothShade } = style;
  return [
    ...style.hairBehind.map((numbers) => limb(numbers, hair)),
    ...pair([50, 540, 52, 54, 1800, 46], trousers),
    ...pair([46, 345, 80, 60, 515, 40], cloth),
    limb([-60, 515, 40, 60, 515, 40], cloth),
    limb([0, 340, 84, 0, 460, 84], cloth),
    limb([-16, 266, 24, 16, 266, 24], clothShade),
    limb([-14, 263, 19, 14, 263, 19], skin),
    limb([0, 214, 25, 0, 256, 26], skin),
    limb([0, 204, 26, 0, 216, 25], shade),
    ...pair([56, 160, 10, 56, 164, 9], shade),
    limb([0, 146, 57, 0, 180, 46], skin),
    ...style.hairInFront.map((numbers) => limb(numbers, hair)),
    ...pair([14, 133, 2, 25, 131, 2.4], hair),
    ...pair([25, 131, 2.4, 36, 136, 1.6], hair),
    ...pair([22, 152, 7, 26, 152, 7], eyeWhite),
    ...pair([24, 152.5, 5.6, 24, 152.5, 5.6], pupil),
    limb([-5, 176, 2.2, 5, 176, 2.2], shade),
  ];
}

/** The lids over the eyes, `closed` 0 (open) to 1. */
export function lidLimbs(closed: number, { skin, shade }: SignerStyle): Limb[] {
  if (closed === 0) return [];
  const y = 138 + 14 * closed;
  return [...pair([20, y, 8, 28, y, 8], skin), ...pair([20, y + 6, 1.3, 28, y + 6, 1.3], shade)];
}

/** The mouth, `open` 0 (a closed smile) to 1. */
export function mouthLimbs(open: number, { lips }: SignerStyle): Limb[] {
  const half = 20 - 6 * open;
  const r = 0.6 + 7 * open;
  const inside = open > 0.08 ? pair([0, 204, r, half - 4, 200, 1.2], mouthInside) : [];
  return [...pair([0, 204, r + 2.2, half, 199, 1.8], lips), ...inside];
}

const SHOULDER = { x: 104, y: 300 };
const ELBOW = { x: 146, y: 446 };
const FOREARM = 168;
/** Lengths from the index to the little finger. */
const FINGERS = [36, 41, 37, 28];

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A limb from `a` to `b`, with the radius `r0` at `a` and `r1` at `b`. */
const between = (a: Point, r0: number, b: Point, r1: number): Numbers => [a.x, a.y, r0, b.x, b.y, r1];

/** The elbow for a wrist. It moves out and up a little as the hand rises, and is never farther from the wrist than a forearm. */
function elbowFor(wrist: Point, breath: number): Point {
  const x = ELBOW.x + 0.2 * Math.max(0, wrist.x - 100);
  const y = ELBOW.y - 0.6 * breath - 0.3 * Math.max(0, 380 - wrist.y);
  const length = Math.hypot(wrist.x - x, wrist.y - y);
  if (length <= FOREARM) return { x, y };
  return { x: wrist.x + ((x - wrist.x) * FOREARM) / length, y: wrist.y + ((y - wrist.y) * FOREARM) / length };
}

/** A hand at the end of an arm that points `along`, radians. */
function handLimbs(arm: ArmPose, along: number, { skin, shade }: SignerStyle): Limb[] {
  const [cos, sin] = [Math.cos(along + arm.bend), Math.sin(along + arm.bend)];
  /** A point `forward` along the hand and `aside` towards the thumb; a hand turned edge on is narrow. */
  const at = (forward: number, aside: number): Point => ({
    x: arm.x + forward * cos + aside * arm.roll * sin,
    y: arm.y + forward * sin - aside * arm.roll * cos,
  });
  const [thumb, ...stretched] = arm.fingers;
  const fingers = FINGERS.map((longest, i) => {
    const aside = 15.5 - i * 10;
    const lean = (1.5 - i) * 0.26 * arm.spread;
    const length = 8 + longest * stretched[i]!;
    const tip = at(40 + length * Math.cos(lean), aside + length * Math.sin(lean));
    return limb(between(at(40, aside), 6.6, tip, 5.6), skin, shade);
  });
  const thumbTip = at(20 + 26 * (1 - 0.4 * thumb), 16 + 24 * thumb);
  return [
    limb(between(at(8, 0), 15, at(34, 1), 20), skin, shade),
    ...fingers.reverse(),
    // The palm again, without its edge, hides where the fingers begin.
    limb(between(at(10, 0), 14, at(32, 1), 18), skin),
    limb(between(at(14, 14), 8.5, thumbTip, 6.2), skin, shade),
  ];
}

/** One arm on the positive side of the middle line, back to front. */
function armLimbs(arm: ArmPose, breath: number, style: SignerStyle): Limb[] {
  const { skin, shade, cloth, clothShade } = style;
  const shoulder = { x: SHOULDER.x, y: SHOULDER.y - breath };
  const elbow = elbowFor(arm, breath);
  /** The first `part` (0 to 1) of the way from `a` to `b`. */
  const partway = (a: Point, b: Point, part: number): Point => ({
    x: a.x + (b.x - a.x) * part,
    y: a.y + (b.y - a.y) * part,
  });
  const isLong = style.sleeve > 1;
  const upper = isLong
    ? [limb(between(shoulder, 29, elbow, 23), cloth, clothShade)]
    : [
        limb(between(shoulder, 24, elbow, 22), skin, shade),
        limb(between(shoulder, 31, partway(shoulder, elbow, style.sleeve), 27), cloth, clothShade),
      ];
  const sleeve = style.sleeve - 1;
  const fore: Limb[] = [];
  if (sleeve < 1) fore.push(limb(between(elbow, 22, arm, 14), skin, shade));
  if (isLong)
    fore.push(limb(between(elbow, 23, partway(elbow, arm, sleeve), 23 - 8 * sleeve), cloth, clothShade));
  // Where two parts meet, a patch without an edge hides the border between them.
  const inner = { x: shoulder.x - 26, y: shoulder.y - 4 };
  const overShoulder = limb(between(inner, 24, { x: shoulder.x - 1, y: shoulder.y + 6 }, 28.5), cloth);
  const overElbow = limb(between(elbow, 21, elbow, 21), isLong ? cloth : skin);
  const along = Math.atan2(arm.y - elbow.y, arm.x - elbow.x);
  return [...upper, overShoulder, ...fore, overElbow, ...handLimbs(arm, along, style)];
}

/** Both arms, back to front. */
export function armsOf(pose: Pose, style: SignerStyle): Limb[] {
  const lead = armLimbs(pose.lead, pose.breath, style);
  const mirrored = lead.map((each) => ({ ...each, x0: -each.x0, x1: -each.x1 }));
  return [...armLimbs(pose.other, pose.breath, style), ...mirrored];
}
