// The options of painting that the environment of the sandbox chooses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderOptionsFrom } from '../../../demo/sandbox/painter/render-options.ts';

test('without an environment there are B-frames, no stamp, 11 frames a word and pictures of the requested size', () => {
  assert.deepEqual(renderOptionsFrom({}), {
    stamp: false,
    framesPerWord: 11,
    bFrames: true,
    scale: 1,
  });
});

test('the environment chooses the stamp, B-frames, the frames of a word and the scale, each alone', () => {
  const usual = renderOptionsFrom({});
  assert.deepEqual(renderOptionsFrom({ SANDBOX_STAMP: '1' }), { ...usual, stamp: true });
  assert.deepEqual(renderOptionsFrom({ SANDBOX_B_FRAMES: '0' }), { ...usual, bFrames: false });
  assert.deepEqual(renderOptionsFrom({ SANDBOX_FRAMES_PER_WORD: '4' }), { ...usual, framesPerWord: 4 });
  assert.deepEqual(renderOptionsFrom({ SANDBOX_SCALE: '0.5' }), { ...usual, scale: 0.5 });
  for (const wrong of ['0', '0.2', '1.1', 'half']) {
    assert.throws(() => renderOptionsFrom({ SANDBOX_SCALE: wrong }), RangeError, wrong);
  }
  for (const wrong of ['0', '26', '2.5', 'four']) {
    assert.throws(() => renderOptionsFrom({ SANDBOX_FRAMES_PER_WORD: wrong }), RangeError, wrong);
  }
});
