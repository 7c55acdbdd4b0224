// How the signer moves in a script. Policy: rest in the first and in the last frame, eyes open; in a word's first part the
// arms travel to its start pose, in the rest they make its stroke; every movement is eased, none is cut.
import type { Gloss } from './gloss.ts';
import { eased, poseBetween, restPose, wordPoses, type Pose } from './pose.ts';
import { lidsAtRest, poseAtRest } from './rest.ts';
import { idleScript, type Script } from './script.ts';

/** How much of a word's time is the way to its start pose. */
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

/** A function from a frame's number to the pose in it; quickest when frames are asked for in rising order. */
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

const BLINK_EVERY = 83;
const BLINK_FROM = 53;
const BLINK = [0.6, 1, 1, 0.5];

/** How far the eyes are closed in this frame, 0 to 1; a blink that would outlast the script is left out. */
function lidsIn(frame: number, { frames }: Gloss): number {
  const at = (frame % BLINK_EVERY) - BLINK_FROM;
  return frame - at + BLINK.length < frames ? (BLINK[at] ?? 0) : 0;
}

/** From a frame's number to what the signer does in it; the same pose object as long as nothing moves. */
export type Motion = (frame: number) => { readonly pose: Pose; readonly lids: number };

export function motionOf({ gloss, clip }: Script): Motion {
  if (clip === idleScript.clip) return (frame) => ({ pose: poseAtRest(frame), lids: lidsAtRest(frame) });
  const poseIn = posesOf(gloss);
  return (frame) => ({ pose: poseIn(frame), lids: lidsIn(frame, gloss) });
}
