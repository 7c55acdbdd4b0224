// When the last clip counts as over, by the position of its video.
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { PlaylistItem } from '../../../src/playback/clips/playlist.ts';
import { EndDetector } from '../../../src/playback/clips/end-detector.ts';

/** A clip of 2 s that plays at this speed and whose frame at 1 s was just painted. */
function expected(t: TestContext, playbackRate = 1) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const range = { item: {} as PlaylistItem, start: 0, end: 2, lastFramesAt: 2, lastFrameAt: 1.96 };
  const video = { currentTime: 1, playbackRate, seeking: false, ended: false };
  const [near, over] = [t.mock.fn(), t.mock.fn()];
  const end = new EndDetector(video as HTMLVideoElement, { near, over });
  end.expect(range, 1);
  const after = (ms: number, currentTime: number): number => {
    video.currentTime = currentTime;
    // One millisecond at a time, so that a timer that another timer sets runs in time.
    for (let passed = 0; passed < ms; passed++) t.mock.timers.tick(1);
    return over.mock.callCount();
  };
  return { end, range, video, near, after };
}

test('a clip is over when its video has ended, not when its time has come to the last frame', (t) => {
  const { video, after } = expected(t);
  assert.equal(after(1400, 1.95), 0);
  video.ended = true;
  assert.equal(after(1000, 2), 1);
});

test('a clip is nearly over when the frames that a decoder may keep back are due', (t) => {
  const { end, range, near, after } = expected(t);
  end.expect({ ...range, lastFramesAt: 1.4 }, 1);
  after(399, 1.3);
  assert.equal(near.mock.callCount(), 0);
  after(1, 1.4);
  assert.equal(near.mock.callCount(), 1);
});

test('a clip that stays in its last frame for half a second is over, also when its video does not end', (t) => {
  const { after } = expected(t);
  assert.equal(after(1499, 1.95), 0);
  assert.equal(after(1, 1.95), 1);
});

test('a clip is nearly over a quarter of a second of its own time before its end', (t) => {
  for (const [playbackRate, ms] of [
    [1, 750],
    [2, 250],
  ] as const) {
    const { near, after } = expected(t, playbackRate);
    after(ms - 1, 1.7);
    assert.equal(near.mock.callCount(), 0);
    after(1, 1.75);
    assert.equal(near.mock.callCount(), 1);
    t.mock.timers.reset();
  }
});

test('at double speed half of that half second is enough', (t) => {
  const { video, after } = expected(t, 2);
  video.ended = true;
  assert.equal(after(500, 2), 1);
});

test('a clip is not over while its busy video still moves', (t) => {
  const { video, after } = expected(t);
  assert.equal(after(1000, 1.2), 0);
  assert.equal(after(1000, 1.6), 0);
  video.ended = true;
  assert.equal(after(1000, 2), 1);
});

test('a video that stops where a decoder keeps the last frames is at its end', (t) => {
  const { after } = expected(t);
  assert.equal(after(1000, 1.88), 0);
  assert.equal(after(999, 1.88), 0);
  assert.equal(after(1, 1.88), 1);
});

test('a video that stops before that is not at its end', (t) => {
  const { after } = expected(t);
  assert.equal(after(1000, 1.4), 0);
  assert.equal(after(10_000, 1.4), 0);
});

test('a painted frame begins the wait anew, and a forgotten clip is never over', (t) => {
  const { end, range, after } = expected(t);
  after(900, 1.9);
  end.expect(range, 1.5);
  assert.equal(after(400, 1.95), 0);
  end.forget();
  assert.equal(after(10_000, 1.95), 0);
});

test('a seek to where a decoder has no picture goes to half a second before the end', (t) => {
  const { end, range, video, after } = expected(t);
  video.seeking = true;
  end.seek(range, 1.9);
  after(999, 1.9);
  assert.equal(video.currentTime, 1.9);
  t.mock.timers.tick(1);
  assert.equal(video.currentTime, 1.5);
});

test('a seek that finds its picture, or goes further from the end, stays there', (t) => {
  const { end, range, video, after } = expected(t);
  end.seek(range, 1.9);
  after(10_000, 1.9);
  assert.equal(video.currentTime, 1.9);
  video.seeking = true;
  end.seek(range, 1.4);
  after(10_000, 1.4);
  assert.equal(video.currentTime, 1.4);
});

for (const [what, change, isSought] of [
  ['is sought where the browser has left it out', {}, true],
  ['is sought also where a decoder keeps it back, so that the video does not end', { ended: false }, true],
  [
    'is not sought where it is painted, or the video plays something else by then',
    { isLeftOut: false },
    false,
  ],
  ['is not sought where the page is hidden, which paints nothing', { hidden: true }, false],
] as const)
  test(`the last frame of a clip that is over ${what}`, (t) => {
    const { end, range, video } = expected(t);
    const { isLeftOut = true, hidden = false, ended = true } = change as Partial<Record<string, boolean>>;
    Object.assign(globalThis, { document: { hidden } });
    t.after(() => Reflect.deleteProperty(globalThis, 'document'));
    Object.assign(video, { ended, currentTime: 1.9, requestVideoFrameCallback: () => 1 });
    end.paintLastFrame(range, () => isLeftOut);
    t.mock.timers.tick(199);
    assert.equal(video.currentTime, 1.9);
    t.mock.timers.tick(1);
    assert.equal(video.currentTime, isSought ? 1.996 : 1.9);
  });
