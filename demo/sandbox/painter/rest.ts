// The signer at rest: three breaths and three blinks in 300 frames (12 s), then the same again.
// Policy: alive but quiet. Shoulders, arms and hands rise by two units at most, so that a text may begin after any frame
// and its rest pose is at once near; every breath begins and ends in that pose (frames 0, 100, 200). Breaths go in steps
// too small to be seen, so that most frames are the one before and cost next to nothing to paint and to encode.
import { restPose, type ArmPose, type Pose } from './pose.ts';

/** Frames after which everything repeats. */
const REST_PERIOD = 300;
const BREATH = 100;
/** Figure units, and the steps they are taken in. */
const RISE = 2;
const STEPS = 10;
/** First frames of the blinks. */
const BLINKS = [61, 148, 243];
const LIDS = [0.6, 1, 1, 0.5];

const raised = (arm: ArmPose, by: number): ArmPose => ({ ...arm, x: arm.x + 0.3 * by, y: arm.y - by });

const poses: readonly Pose[] = Array.from({ length: STEPS + 1 }, (_, step) => {
  if (step === 0) return restPose;
  const breath = (RISE * step) / STEPS;
  return { ...restPose, lead: raised(restPose.lead, breath), other: raised(restPose.other, breath), breath };
});

/** The pose in a frame: the same object as long as nothing moves. */
export function poseAtRest(frame: number): Pose {
  const phase = (frame % BREATH) / BREATH;
  return poses[Math.round((STEPS * (1 - Math.cos(2 * Math.PI * phase))) / 2)]!;
}

/** How far the eyes are closed in a frame, 0 to 1. */
export function lidsAtRest(frame: number): number {
  const at = frame % REST_PERIOD;
  return BLINKS.reduce((lids, first) => lids || (LIDS[at - first] ?? 0), 0);
}
