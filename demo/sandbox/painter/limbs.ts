// The parts of the drawn signer that move: arms and hands, eyes and mouth. Figure units (see pose.ts).
// Policy: each limb is drawn twice, first a little larger in its shade, so that an arm stands out before the torso and one
// finger beside the next; elbows are placed so that they stay near the body and no limb is longer than it can be.
import { face } from './body.ts';
import { ellipse, limb, mirrored, smooth } from './outline.ts';
import { colour, type Colour } from './picture.ts';
import type { Outline, Shape } from './polygon.ts';
import type { ArmPose, Pose } from './pose.ts';
import type { SignerLook } from './signer-look.ts';

const SHOULDER = { x: 104, y: 300 };
const ELBOW = { x: 146, y: 446 };
const FOREARM = 168;
const EDGE = 2.2;

const eyeWhite = colour('#fbfaf6');
const pupil = colour('#2a2320');
const mouthInside = colour('#5c2327');

type Limb = readonly [x0: number, y0: number, r0: number, x1: number, y1: number, r1: number];

/** A limb with its edge. */
function edged([x0, y0, r0, x1, y1, r1]: Limb, fill: Colour, edge: Colour): Shape[] {
  return [
    { outline: limb(x0, y0, r0 + EDGE, x1, y1, r1 + EDGE), colour: edge, lumaOnly: true },
    { outline: limb(x0, y0, r0, x1, y1, r1), colour: fill },
  ];
}

/** The elbow for a wrist: out and up a little as the hand rises, never farther from the wrist than a forearm. */
function elbowFor(arm: ArmPose): { x: number; y: number } {
  const x = ELBOW.x + 0.2 * Math.max(0, arm.x - 100);
  const y = ELBOW.y - 0.3 * Math.max(0, 380 - arm.y);
  const length = Math.hypot(arm.x - x, arm.y - y);
  if (length <= FOREARM) return { x, y };
  return { x: arm.x + ((x - arm.x) * FOREARM) / length, y: arm.y + ((y - arm.y) * FOREARM) / length };
}

function handShapes(arm: ArmPose, along: number, look: SignerLook): Shape[] {
  const direction = along + arm.bend;
  const [cos, sin] = [Math.cos(direction), Math.sin(direction)];
  /** A point `forward` along the hand and `aside` towards the thumb; a hand turned edge on is a narrow one. */
  const at = (forward: number, aside: number): [number, number] => [
    arm.x + forward * cos + aside * arm.roll * sin,
    arm.y + forward * sin - aside * arm.roll * cos,
  ];
  const shapes: Shape[] = [];
  const [thumb, ...fingers] = arm.fingers;
  const palm: Limb = [...at(8, 0), 15, ...at(34, 1), 20];
  shapes.push(...edged(palm, look.skin, look.shade));
  const lengths = [36, 41, 37, 28];
  for (let i = 3; i >= 0; i--) {
    const aside = 15.5 - i * 10;
    const lean = (1.5 - i) * 0.26 * arm.spread;
    const length = 8 + lengths[i]! * fingers[i]!;
    const [x0, y0] = at(40, aside);
    const [x1, y1] = at(40 + length * Math.cos(lean), aside + length * Math.sin(lean));
    shapes.push(...edged([x0, y0, 6.6, x1, y1, 5.6], look.skin, look.shade));
  }
  // The palm once more, without its edge, hides where the fingers begin.
  shapes.push({ outline: limb(...at(10, 0), 14, ...at(32, 1), 18), colour: look.skin });
  const [tx, ty] = at(14, 14);
  const [ex, ey] = at(20 + 26 * (1 - 0.4 * thumb), 16 + 24 * thumb);
  shapes.push(...edged([tx, ty, 8.5, ex, ey, 6.2], look.skin, look.shade));
  return shapes;
}

/** One arm on the positive side of the middle line. */
function armShapes(arm: ArmPose, look: SignerLook): Shape[] {
  const elbow = elbowFor(arm);
  /** The first `part` (0 to 1) of a limb, `wider` than what is in it. */
  const sleeve = ([x0, y0, r0, x1, y1, r1]: Limb, part: number, wider: number): Shape[] => {
    const end = [x0 + (x1 - x0) * part, y0 + (y1 - y0) * part, r0 + (r1 - r0) * part + wider] as const;
    return edged([x0, y0, r0 + wider, ...end], look.cloth, look.clothShade);
  };
  const upper: Limb = [SHOULDER.x, SHOULDER.y, 29, elbow.x, elbow.y, 23];
  const fore: Limb = [elbow.x, elbow.y, 22, arm.x, arm.y, 14];
  const long = look.sleeve > 1;
  // Where two parts meet, a patch without an edge makes one piece of them.
  const shoulder = limb(SHOULDER.x - 26, SHOULDER.y - 4, 24, SHOULDER.x - 1, SHOULDER.y + 6, 28.5);
  const joint = { outline: ellipse(elbow.x, elbow.y, 21, 21), colour: long ? look.cloth : look.skin };
  return [
    ...(long ? [] : edged([SHOULDER.x, SHOULDER.y, 24, elbow.x, elbow.y, 22], look.skin, look.shade)),
    ...sleeve(upper, Math.min(1, look.sleeve), long ? 0 : 2),
    { outline: shoulder, colour: look.cloth },
    ...edged(fore, look.skin, look.shade),
    ...(long ? sleeve(fore, look.sleeve - 1, 1) : []),
    joint,
    ...handShapes(arm, Math.atan2(arm.y - elbow.y, arm.x - elbow.x), look),
  ];
}

function eyes(open: number, look: SignerLook): Shape[] {
  const brow = smooth([12, 133, 24, 127, 37, 131, 38, 133, 24, 131, 13, 136], 4);
  const eye = (side: (outline: Outline) => Outline): Shape[] => [
    { outline: side(brow), colour: look.hair },
    { outline: side(ellipse(24, 152, 9, 1.2 + 4.8 * open)), colour: open > 0.3 ? eyeWhite : look.shade },
    ...(open > 0.3 ? [{ outline: side(ellipse(24, 152, 5, 4.6 * open + 0.4)), colour: pupil }] : []),
  ];
  return [...eye((outline) => outline), ...eye(mirrored)];
}

function mouth(open: number, look: SignerLook): Shape[] {
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

/** Everything that moves, back to front. `blink` is 0 for open eyes, 1 for closed ones. */
export function movingShapes(pose: Pose, blink: number, look: SignerLook): Shape[] {
  const lead = armShapes(pose.lead, look).map((shape) => ({ ...shape, outline: mirrored(shape.outline) }));
  return [...eyes(1 - blink, look), ...mouth(pose.mouth, look), ...armShapes(pose.other, look), ...lead];
}
