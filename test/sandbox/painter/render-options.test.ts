// What the environment of the sandbox chooses for all that it paints.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderOptionsFrom } from '../../../demo/sandbox/painter/render-options.ts';

test('without an environment there are B-frames, no stamp and 11 frames a word', () => {
  assert.deepEqual(renderOptionsFrom({}), { stamp: false, framesPerWord: 11, bFrames: true });
});

test('the environment chooses the stamp, B-frames and the frames of a word, each alone', () => {
  const usual = renderOptionsFrom({});
  assert.deepEqual(renderOptionsFrom({ SANDBOX_STAMP: '1' }), { ...usual, stamp: true });
  assert.deepEqual(renderOptionsFrom({ SANDBOX_B_FRAMES: '0' }), { ...usual, bFrames: false });
  assert.deepEqual(renderOptionsFrom({ SANDBOX_FRAMES_PER_WORD: '4' }), { ...usual, framesPerWord: 4 });
  for (const wrong of ['0', '26', '2.5', 'four']) {
    assert.throws(() => renderOptionsFrom({ SANDBOX_FRAMES_PER_WORD: wrong }), RangeError, wrong);
  }
});
