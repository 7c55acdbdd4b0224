// How the drawn signer holds its arms. Nothing here is BSL or ASL: a word's movement is drawn from a hash of the word, so
// that the same word always looks the same and two words look different.
// Policy: a word is a start and an end pose (a transition, then a stroke); clips begin and end in one rest pose, so that
// any two join. Lengths are figure units: 720 a picture's height, x from the signer's middle line, y from the top.

/** One arm. `x` is the wrist's distance from the middle line towards the arm's own side. */
export interface ArmPose {
  readonly x: number;
  readonly y: number;
  /** Wrist's bend against the forearm, radians; positive turns the fingers towards the middle line. */
  readonly bend: number;
  /** Which way the palm faces: -1 the signer, thumb up or outward; 1 the viewer; 0 is edge on. */
  readonly roll: number;
  /** How far thumb, index, middle, ring and little finger are stretched, 0 to 1. */
  readonly fingers: readonly [number, number, number, number, number];
  /** How far the fingers are spread, 0 to 1. */
  readonly spread: number;
}

/** `lead` is the signer's right arm, which the viewer sees on the left. */
export interface Pose {
  readonly lead: ArmPose;
  readonly other: ArmPose;
  /** How open the mouth is, 0 (a closed smile) to 1. */
  readonly mouth: number;
  /** How far the shoulders are raised by a breath. */
  readonly breath: number;
}

const FLAT = [0.8, 1, 1, 1, 1] as const;
const handshapes: readonly ArmPose['fingers'][] = [
  FLAT,
  [0.35, 1, 0.1, 0.1, 0.1],
  [0.3, 1, 1, 0.1, 0.1],
  [0.6, 0.15, 0.15, 0.15, 0.15],
  [1, 0.1, 0.1, 0.1, 0.1],
  [1, 1, 0.1, 0.1, 0.1],
  [1, 0.1, 0.1, 0.1, 1],
  [0.7, 0.6, 0.65, 0.65, 0.6],
];

/** Wrist places of the signing space, seen from the arm's own side: face, chest, neutral space, outside, low. */
const places: readonly (readonly [x: number, y: number])[] = [
  [62, 262],
  [96, 208],
  [120, 262],
  [34, 372],
  [78, 352],
  [112, 398],
  [150, 330],
  [186, 292],
  [178, 384],
  [58, 440],
];

const restArm = (x: number, y: number, bend: number): ArmPose => ({
  x,
  y,
  bend,
  roll: -1,
  fingers: FLAT,
  spread: 0.05,
});

/** Hands folded below the waist; the first and the last frame of every script. */
export const restPose: Pose = {
  lead: restArm(48, 470, 0.02),
  other: restArm(54, 484, -0.06),
  mouth: 0,
  breath: 0,
};

/** Numbers from 0 to 1 that follow from the word alone: FNV-1a as the seed of a mulberry32 sequence. */
function chances(word: string): () => number {
  let state = 0x811c9dc5;
  for (const letter of word.toLowerCase()) state = Math.imul(state ^ letter.codePointAt(0)!, 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const one = <T>(list: readonly T[], chance: number): T => list[Math.floor(chance * list.length)]!;

/** The movement of one word: where it starts and where it ends. */
export function wordPoses(word: string): readonly [start: Pose, end: Pose] {
  const next = chances(word);
  const arm = (): ArmPose => {
    const [x, y] = one(places, next());
    return {
      x: x + (next() - 0.5) * 24,
      y: y + (next() - 0.5) * 24,
      bend: next() * 0.9 - 0.35,
      roll: y < 300 && next() < 0.5 ? 1 : -0.9,
      fingers: one(handshapes, next()),
      spread: next() * 0.8,
    };
  };
  const stroke = next() * 2 * Math.PI;
  const reach = 28 + next() * 30;
  const turn = (next() - 0.5) * 0.7;
  const opens = next() < 0.3 ? one(handshapes, next()) : null;
  const moved = (from: ArmPose): ArmPose => ({
    x: Math.min(from.x + Math.cos(stroke) * reach, 205),
    y: Math.min(from.y + Math.sin(stroke) * reach, 480),
    bend: from.bend + turn,
    roll: from.roll,
    fingers: opens ?? from.fingers,
    spread: from.spread,
  });
  const lead = arm();
  const hands = next();
  // One-handed, both alike, or a still base hand that the other works upon: the three ways two hands share a sign.
  const other = hands < 0.4 ? restPose.other : hands < 0.75 ? lead : { ...arm(), x: 70, y: 420 };
  return [
    { lead, other, mouth: 0.25 + next() * 0.35, breath: 0 },
    {
      lead: moved(lead),
      other: hands >= 0.4 && hands < 0.75 ? moved(lead) : other,
      mouth: next() * 0.7,
      breath: 0,
    },
  ];
}

/** Slow, fast, slow: 0 to 1 over 0 to 1, with no jolt at either end. */
export const eased = (t: number): number => t * t * t * (t * (t * 6 - 15) + 10);

const between = (a: number, b: number, t: number): number => a * (1 - t) + b * t;

function armBetween(a: ArmPose, b: ArmPose, t: number): ArmPose {
  const finger = (i: 0 | 1 | 2 | 3 | 4): number => between(a.fingers[i], b.fingers[i], t);
  return {
    x: between(a.x, b.x, t),
    y: between(a.y, b.y, t),
    bend: between(a.bend, b.bend, t),
    roll: between(a.roll, b.roll, t),
    fingers: [finger(0), finger(1), finger(2), finger(3), finger(4)],
    spread: between(a.spread, b.spread, t),
  };
}

/** The pose a part `t` (0 to 1) of the way from `a` to `b`. */
export function poseBetween(a: Pose, b: Pose, t: number): Pose {
  return {
    lead: armBetween(a.lead, b.lead, t),
    other: armBetween(a.other, b.other, t),
    mouth: between(a.mouth, b.mouth, t),
    breath: between(a.breath, b.breath, t),
  };
}
