// The signer's pose in every frame of a clip. Policy: rest in the first and in the last frame; in a word's first part the
// arms travel to its start pose, in the rest they make its stroke; every movement is eased, none is cut.
import type { Gloss } from './gloss.ts';
import { eased, poseBetween, restPose, wordPoses, type Pose } from './pose.ts';

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

/** A function from a frame's number to the pose in it; frames are asked for in rising order. */
export function motionOf(gloss: Gloss): (frame: number) => Pose {
  const movements = movementsOf(gloss);
  let current = 0;
  return (frame) => {
    while (current < movements.length - 1 && frame > movements[current]!.to) current++;
    const { from, to, start, end } = movements[current]!;
    const t = to > from ? Math.min(1, Math.max(0, (frame - from) / (to - from))) : 1;
    return poseBetween(start, end, eased(t));
  };
}

const BLINK_EVERY = 83;
const BLINK = [0.6, 1, 1, 0.5];

/** How far the eyes are closed in this frame, 0 to 1. */
export const blinkIn = (frame: number): number => BLINK[(frame % BLINK_EVERY) - (BLINK_EVERY - 30)] ?? 0;
