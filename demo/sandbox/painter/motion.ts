// How the drawn signer moves. Nothing here is BSL or ASL: a word's movement comes from a hash of the word, so that the same
// word always looks the same and two words look different.
// - Lengths are figure units: 720 for the height of a 16:9 picture, x from the signer's middle line, y from the top.
// - A word is a start pose and an end pose. In the first half of the word the arms move to the start pose, in the second half to
//   the end pose. Every movement is eased. The first and the last frame of every script are the rest pose with open eyes, so that
//   any two join.
// - At rest the signer breathes and blinks, and the movement repeats after 300 frames (12 s). A breath raises the shoulders by 2
//   units, in a few steps that are too small to be seen, so that most frames equal the last one and cost little.
import { idleScript, type Gloss, type Script } from './script.ts';

/** One arm. `x` is the wrist's distance from the middle line towards the arm's own side. */
export interface ArmPose {
  readonly x: number;
  readonly y: number;
  /** Angle between hand and forearm in radians. A positive angle turns the fingers towards the middle line. */
  readonly bend: number;
  /** Where the palm faces: -1 is the signer, with the thumb up or outward; 1 is the viewer; at 0 the hand is edge on. */
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

/** Positions of the wrist in the signing space, seen from the arm's own side: face, chest, neutral space, outside, low. */
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

/** Hands folded below the waist. */
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
  // Three kinds of signs: with one hand, with both hands alike, or with a base hand that does not move.
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

/** Slow, fast, slow: from 0 to 1, with no jerk at either end. */
const eased = (t: number): number => t * t * t * (t * (t * 6 - 15) + 10);

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
function poseBetween(a: Pose, b: Pose, t: number): Pose {
  return {
    lead: armBetween(a.lead, b.lead, t),
    other: armBetween(a.other, b.other, t),
    mouth: between(a.mouth, b.mouth, t),
    breath: between(a.breath, b.breath, t),
  };
}

const BREATH = 100;
/** Height of a breath in figure units, and its number of steps. */
const RISE = 2;
const STEPS = 10;
const raised = (arm: ArmPose, by: number): ArmPose => ({ ...arm, x: arm.x + 0.3 * by, y: arm.y - by });

const poses: readonly Pose[] = Array.from({ length: STEPS + 1 }, (_, step) => {
  if (step === 0) return restPose;
  const breath = (RISE * step) / STEPS;
  return { ...restPose, lead: raised(restPose.lead, breath), other: raised(restPose.other, breath), breath };
});

/** The pose in a frame; the same object while nothing moves. */
function poseAtRest(frame: number): Pose {
  const phase = (frame % BREATH) / BREATH;
  return poses[Math.round((STEPS * (1 - Math.cos(2 * Math.PI * phase))) / 2)]!;
}

/** The part of a word's time in which the arms move to its start pose. */
const TRANSITION = 0.5;

interface Movement {
  readonly from: number;
  readonly to: number;
  readonly start: Pose;
  readonly end: Pose;
}

function movementsOf({ words, frames }: Gloss): Movement[] {
  const movements: Movement[] = [];
  let [at, pose] = [0, restPose];
  const move = (to: number, end: Pose): void => {
    movements.push({ from: at, to, start: pose, end });
    [at, pose] = [to, end];
  };
  for (const { word, from, to } of words) {
    const [start, end] = wordPoses(word);
    move(from + (to - from) * TRANSITION, start);
    move(to, end);
  }
  move(frames - 1, restPose);
  return movements;
}

/** Returns a function from a frame's number to its pose; it is fastest when the numbers rise. */
export function posesOf(gloss: Gloss): (frame: number) => Pose {
  const movements = movementsOf(gloss);
  let current = 0;
  return (frame) => {
    if (frame < movements[current]!.from) current = 0;
    while (current < movements.length - 1 && frame > movements[current]!.to) current++;
    const { from, to, start, end } = movements[current]!;
    const t = to > from ? Math.min(1, Math.max(0, (frame - from) / (to - from))) : 1;
    return t < 1 ? poseBetween(start, end, eased(t)) : end;
  };
}

/** Frames after which the rest movement repeats. */
const REST_PERIOD = 300;
const BLINK_EVERY = 83;
const BLINK_FROM = 53;
const BLINK = [0.6, 1, 1, 0.5];

/** How far the eyes are closed in this frame, 0 to 1; a blink that would outlast the script is left out. */
function lidsIn(frame: number, { frames }: Gloss): number {
  const at = ((frame % REST_PERIOD) % BLINK_EVERY) - BLINK_FROM;
  return frame - at + BLINK.length < frames ? (BLINK[at] ?? 0) : 0;
}

/** From a frame's number to the signer's pose and eyelids; the same pose object while nothing moves. */
export type Motion = (frame: number) => { readonly pose: Pose; readonly lids: number };

export function motionOf({ gloss, clip }: Script): Motion {
  const poseIn = clip === idleScript.clip ? poseAtRest : posesOf(gloss);
  return (frame) => ({ pose: poseIn(frame), lids: lidsIn(frame, gloss) });
}
