// A picture that does not come or stands, told by looks, on a clock that the test turns.
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { ProgressWatchdog } from '../../src/playback/video-progress.ts';

/** What is seen of a picture, the page that it is on, and for how many looks it was told to be stuck last. */
function watched(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const page = { hidden: false };
  Object.assign(globalThis, { document: page });
  t.after(() => Reflect.deleteProperty(globalThis, 'document'));
  const seen: { sight: string | null; told: number } = { sight: 'frame 1', told: 0 };
  const picture = new ProgressWatchdog(
    () => seen.sight,
    (looks) => (seen.told = looks),
  );
  t.after(() => picture.end());
  picture.begin();
  /** Looks so often at this. */
  const look = (times: number, sight: string | null): number => {
    seen.sight = sight;
    seen.told = 0;
    for (let n = 0; n < times; n++) t.mock.timers.tick(1000);
    return seen.told;
  };
  return { picture, page, look };
}

test('a video that moves is never stuck; for one that does not, the number of checks is reported', (t) => {
  const { look } = watched(t);
  assert.equal(look(1, 'frame 1'), 0);
  assert.equal(look(1, 'frame 2'), 0);
  assert.equal(look(8, 'frame 2'), 8);
  assert.equal(look(1, 'frame 3'), 0);
});

test('time while the video need not move, or while the page is hidden, does not count', (t) => {
  const { look, page } = watched(t);
  assert.equal(look(5, 'frame 1'), 4);
  assert.equal(look(5, null), 0);
  assert.equal(look(3, 'frame 1'), 2);
  page.hidden = true;
  assert.equal(look(20, 'frame 1'), 0);
  page.hidden = false;
  assert.equal(look(3, 'frame 1'), 2);
});

test('a video that is watched again gets its whole time, and one that is no longer watched is not checked', (t) => {
  const { look, picture } = watched(t);
  assert.equal(look(5, 'frame 1'), 4);
  picture.begin();
  assert.equal(look(3, 'frame 1'), 2);
  picture.end();
  assert.equal(look(30, 'frame 1'), 0);
});
