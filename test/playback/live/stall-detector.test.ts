// When live playback counts as stalled, from events and painted frames, with mock timers.
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { StallDetector } from '../../../src/playback/live/stall-detector.ts';

interface How {
  readonly seeking?: boolean;
  readonly ended?: boolean;
  readonly hasPlayed?: boolean;
  readonly isPaused?: boolean;
}

/** A live video that has played to 2.78 s, and then waits there or seeks. `reports` has the reports so far. */
function waiting(t: TestContext, { seeking = false, ended = false, hasPlayed = true, isPaused }: How = {}) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const video = Object.assign(new EventTarget(), {
    currentTime: 2.78,
    seeking,
    ended,
    readyState: 2,
  });
  const reports: boolean[] = [];
  const stalls = new StallDetector((on) => reports.push(on));
  const gone = new AbortController();
  stalls.watch(video as HTMLVideoElement, gone.signal, () => !isPaused);
  if (hasPlayed) video.dispatchEvent(new Event('playing'));
  video.dispatchEvent(new Event(seeking ? 'seeking' : 'waiting'));
  const frameShown = (second: number, readyState = 4): void => {
    video.readyState = readyState;
    stalls.frameShown(second);
  };
  return { stalls, video, reports, gone, frameShown, pass: (ms: number) => t.mock.timers.tick(ms) };
}

test('a stall is reported after two seconds, and ends with the next frame', (t) => {
  const { frameShown, reports, pass } = waiting(t);
  pass(1999);
  assert.deepEqual(reports, []);
  pass(1);
  assert.deepEqual(reports, [true]);
  frameShown(2.84);
  assert.deepEqual(reports, [true, false]);
});

test('the frame on which it stalled, reported late, does not end the stall', (t) => {
  const { frameShown, reports, pass } = waiting(t);
  frameShown(2.76);
  pass(2000);
  assert.deepEqual(reports, [true]);
});

test('a frame from before the stall, reported late, does not end the stall', (t) => {
  const { frameShown, reports, pass } = waiting(t);
  frameShown(2.6, 2);
  pass(2000);
  assert.deepEqual(reports, [true]);
});

test('a stall of less than two seconds is not reported', (t) => {
  const { frameShown, reports, pass } = waiting(t);
  pass(1000);
  frameShown(2.84);
  pass(10_000);
  assert.deepEqual(reports, []);
});

test('a stall is reported at once when the engine has failed, during it or before', (t) => {
  const { frameShown, stalls, video, reports } = waiting(t);
  stalls.engineFailed(true);
  assert.deepEqual(reports, [true]);
  frameShown(2.84);
  video.currentTime = 2.84;
  video.dispatchEvent(new Event('waiting'));
  assert.deepEqual(reports, [true, false, true]);
});

for (const [what, how] of [
  ['has not begun to play', { hasPlayed: false }],
  ['is paused', { isPaused: true }],
  ['has ended', { ended: true }],
] as const)
  test(`a video that ${what} does not stall`, (t) => {
    const { stalls, reports, pass } = waiting(t, how);
    pass(10_000);
    assert.deepEqual([reports, stalls.margin], [[], 0]);
  });

test('a stream that is removed is no longer stalled', (t) => {
  const { reports, gone, pass } = waiting(t);
  pass(2000);
  gone.abort();
  assert.deepEqual(reports, [true, false]);
});

test('a seek that does not end is reported after two seconds, and ends with the next frame', (t) => {
  const { frameShown, stalls, video, reports, pass } = waiting(t, { seeking: true });
  // Chromium fires `waiting` during a seek, too.
  video.dispatchEvent(new Event('waiting'));
  pass(2000);
  assert.deepEqual(reports, [true]);
  frameShown(2.76);
  assert.deepEqual(reports, [true], 'a frame from before the seek, reported late');
  video.seeking = false;
  frameShown(2.78);
  assert.deepEqual(reports, [true, false]);
  assert.equal(stalls.margin, 0);
});

test('a seek that ends within two seconds is not reported', (t) => {
  const { frameShown, video, reports, pass } = waiting(t, { seeking: true });
  pass(1000);
  video.seeking = false;
  frameShown(2.78);
  pass(10_000);
  assert.deepEqual(reports, []);
});

test('each stall adds 0.2 s to the distance from live, at most 1 s, and each 30 s without a stall take 0.2 s back', (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const { frameShown, stalls, video } = waiting(t);
  const steps = (): number => Math.round(stalls.margin / 0.2);
  const stallAgain = (): void => {
    frameShown(video.currentTime + 1);
    video.currentTime += 1;
    video.dispatchEvent(new Event('waiting'));
  };
  assert.equal(stalls.margin, 0.2);
  for (let stall = 2; stall <= 6; stall++) {
    stallAgain();
    assert.equal(steps(), Math.min(stall, 5));
  }
  const left = [30_000, 30_001, 75_000, 90_001].map((ms) => {
    now = ms;
    return steps();
  });
  assert.deepEqual(left, [5, 4, 3, 2]);
  now = 300_000;
  stallAgain();
  assert.equal(steps(), 1);
});
