// Arms and hands of the drawn signer. Figure units (see pose.ts).
// Policy: most limbs have an edge in their shade, so that an arm stands out before the torso and one finger beside the
// next; elbows are placed so that they stay near the body and no forearm is longer than it can be.
import type { Limb } from './limb.ts';
import type { ArmPose, Pose } from './pose.ts';
import type { SignerLook } from './signer-look.ts';

const SHOULDER = { x: 104, y: 300 };
const ELBOW = { x: 146, y: 446 };
const FOREARM = 168;
/** From the index to the little finger. */
const FINGERS = [36, 41, 37, 28];

interface Point {
  readonly x: number;
  readonly y: number;
}

/** From one point to another, thick at the first as `r0`, at the second as `r1`. */
const between = (a: Point, r0: number, b: Point, r1: number) => ({
  x0: a.x,
  y0: a.y,
  r0,
  x1: b.x,
  y1: b.y,
  r1,
});

/** The elbow for a wrist: out and up a little as the hand rises, never farther from the wrist than a forearm. */
function elbowFor(wrist: Point, breath: number): Point {
  const x = ELBOW.x + 0.2 * Math.max(0, wrist.x - 100);
  const y = ELBOW.y - 0.6 * breath - 0.3 * Math.max(0, 380 - wrist.y);
  const length = Math.hypot(wrist.x - x, wrist.y - y);
  if (length <= FOREARM) return { x, y };
  return { x: wrist.x + ((x - wrist.x) * FOREARM) / length, y: wrist.y + ((y - wrist.y) * FOREARM) / length };
}

/** A hand at the end of an arm that points `along`, radians. */
function handLimbs(arm: ArmPose, along: number, look: SignerLook): Limb[] {
  const [cos, sin] = [Math.cos(along + arm.bend), Math.sin(along + arm.bend)];
  /** A point `forward` along the hand and `aside` towards the thumb; a hand turned edge on is a narrow one. */
  const at = (forward: number, aside: number): Point => ({
    x: arm.x + forward * cos + aside * arm.roll * sin,
    y: arm.y + forward * sin - aside * arm.roll * cos,
  });
  const skin = { fill: look.skin, edge: look.shade };
  const [thumb, ...stretched] = arm.fingers;
  const fingers = FINGERS.map((longest, i) => {
    const aside = 15.5 - i * 10;
    const lean = (1.5 - i) * 0.26 * arm.spread;
    const length = 8 + longest * stretched[i]!;
    const tip = at(40 + length * Math.cos(lean), aside + length * Math.sin(lean));
    return { ...between(at(40, aside), 6.6, tip, 5.6), ...skin };
  });
  const thumbTip = at(20 + 26 * (1 - 0.4 * thumb), 16 + 24 * thumb);
  return [
    { ...between(at(8, 0), 15, at(34, 1), 20), ...skin },
    ...fingers.reverse(),
    // The palm once more, without its edge, hides where the fingers begin.
    { ...between(at(10, 0), 14, at(32, 1), 18), fill: look.skin, edge: null },
    { ...between(at(14, 14), 8.5, thumbTip, 6.2), ...skin },
  ];
}

/** One arm on the positive side of the middle line, back to front. */
function armLimbs(arm: ArmPose, breath: number, look: SignerLook): Limb[] {
  const shoulderJoint = { x: SHOULDER.x, y: SHOULDER.y - breath };
  const elbow = elbowFor(arm, breath);
  const skin = { fill: look.skin, edge: look.shade };
  const cloth = { fill: look.cloth, edge: look.clothShade };
  /** The first `part` (0 to 1) of the way from `a` to `b`. */
  const partway = (a: Point, b: Point, part: number): Point => ({
    x: a.x + (b.x - a.x) * part,
    y: a.y + (b.y - a.y) * part,
  });
  const long = look.sleeve > 1;
  const upper: Limb[] = long
    ? [{ ...between(shoulderJoint, 29, elbow, 23), ...cloth }]
    : [
        { ...between(shoulderJoint, 24, elbow, 22), ...skin },
        { ...between(shoulderJoint, 31, partway(shoulderJoint, elbow, look.sleeve), 27), ...cloth },
      ];
  const sleeve = look.sleeve - 1;
  const fore: Limb[] = [];
  if (sleeve < 1) fore.push({ ...between(elbow, 22, arm, 14), ...skin });
  if (long) fore.push({ ...between(elbow, 23, partway(elbow, arm, sleeve), 23 - 8 * sleeve), ...cloth });
  // Where two parts meet, a patch without an edge makes one piece of them.
  const inner = { x: SHOULDER.x - 26, y: shoulderJoint.y - 4 };
  const shoulder = {
    ...between(inner, 24, { x: SHOULDER.x - 1, y: shoulderJoint.y + 6 }, 28.5),
    fill: look.cloth,
    edge: null,
  };
  const joint = { ...between(elbow, 21, elbow, 21), fill: long ? look.cloth : look.skin, edge: null };
  const hand = handLimbs(arm, Math.atan2(arm.y - elbow.y, arm.x - elbow.x), look);
  return [...upper, shoulder, ...fore, joint, ...hand];
}

/** Both arms, back to front. */
export function armsOf(pose: Pose, look: SignerLook): Limb[] {
  const lead = armLimbs(pose.lead, pose.breath, look).map((limb) => ({
    ...limb,
    x0: -limb.x0,
    x1: -limb.x1,
  }));
  return [...armLimbs(pose.other, pose.breath, look), ...lead];
}
