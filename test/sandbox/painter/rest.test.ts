// The idle signer moves, repeats exactly, and begins and ends in the pose in which every text begins and ends.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { motionOf, restPose } from '../../../demo/sandbox/painter/motion.ts';
import { idleScript, scriptOf } from '../../../demo/sandbox/painter/script.ts';
import { readStamp, stampHeight } from '../../../demo/sandbox/stamp.ts';
import { styleOf, painted, same } from './frames.ts';

const style = styleOf({ width: 426, height: 240 });
const strip = 426 * stampHeight(240);

/** Luma below the stamp. */
const below = (frame: number, script = idleScript) => painted(style, script, frame).y.subarray(strip);

test('the signer at rest repeats exactly every 300 frames, except for the stamp, and begins and ends in the rest pose', () => {
  const motion = motionOf(idleScript);
  for (let frame = 0; frame < 300; frame++) {
    for (const later of [300, 1200, 65_700]) assert.deepEqual(motion(frame + later), motion(frame));
  }
  for (const frame of [0, 300, 600]) assert.deepEqual(motion(frame), { pose: restPose, lids: 0 });
  for (const frame of [0, 50, 54, 299]) assert.ok(same(below(frame), below(frame + 300)));
});

test('the signer at rest breathes and blinks three times in 300 frames, and most frames equal the one before', () => {
  const motion = motionOf(idleScript);
  const frames = Array.from({ length: 301 }, (_, frame) => motion(frame));
  const rests = frames.filter(
    ({ pose }, i) => pose === restPose && i > 0 && frames[i - 1]!.pose !== restPose,
  );
  const blinks = frames.filter(({ lids }, i) => lids > 0 && frames[i - 1]!.lids === 0);
  const still = frames.filter(
    ({ pose, lids }, i) => pose === frames[i - 1]?.pose && lids === frames[i - 1]?.lids,
  );
  assert.equal(rests.length, 3);
  assert.equal(blinks.length, 3);
  assert.ok(still.length > 200, `${still.length} of 300`);
  assert.ok(!same(below(50), below(0)), 'a breath is seen');
  // The breath is the same in both frames.
  assert.ok(!same(below(54), below(46)), 'a blink is seen');
});

test('a text of any length begins and ends with the picture of the signer at rest, when no word panel is painted', () => {
  const plain = styleOf({ width: 426, height: 240, wordPanel: false });
  const signer = (frame: number, script = idleScript) => painted(plain, script, frame).y.subarray(strip);
  for (const seconds of [null, 1, 2.28, 2.32]) {
    const script = scriptOf('One two three', seconds);
    assert.ok(same(signer(0, script), signer(0)), `first of ${seconds}`);
    assert.ok(same(signer(script.gloss.frames - 1, script), signer(0)), `last of ${seconds}`);
  }
});

test('the stamp of the signer at rest is clip 0 and the frame modulo 65536', () => {
  for (const [frame, stamped] of [
    [0, 0],
    [299, 299],
    [65_535, 65_535],
    [65_536, 0],
    [200_000, 3392],
  ] as const) {
    const { y, width, height } = painted(style, idleScript, frame);
    const row = y.subarray(width * (stampHeight(height) >> 1));
    assert.deepEqual(readStamp(row, width), { clip: 0, frame: stamped });
  }
});
