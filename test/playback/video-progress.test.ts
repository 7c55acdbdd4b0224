// A picture that does not come or does not move, as the watchdog reports it at its checks, on a manual clock.
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { ProgressWatchdog } from '../../src/playback/video-progress.ts';

/** A watchdog whose snapshot the test sets, and the page. */
function watched(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const page = { hidden: false };
  Object.assign(globalThis, { document: page });
  t.after(() => Reflect.deleteProperty(globalThis, 'document'));
  const seen: { snapshot: string | null; stuckChecks: number } = { snapshot: 'frame 1', stuckChecks: 0 };
  const picture = new ProgressWatchdog(
    () => seen.snapshot,
    (checks) => (seen.stuckChecks = checks),
  );
  t.after(() => picture.end());
  picture.begin();
  /** Makes this number of checks on this snapshot. Returns what was reported last. */
  const look = (times: number, snapshot: string | null): number => {
    seen.snapshot = snapshot;
    seen.stuckChecks = 0;
    for (let n = 0; n < times; n++) t.mock.timers.tick(1000);
    return seen.stuckChecks;
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
