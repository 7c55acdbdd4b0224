// When live playback counts as stalled, from events and painted frames, with mock timers.
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { StallDetector } from '../../../src/playback/live/stall-detector.ts';

/** A live video that has played to 2.78 s, and then waits there or seeks. `reports` has the reports so far. */
function waiting(t: TestContext, seeking = false) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const video = Object.assign(new EventTarget(), {
    currentTime: 2.78,
    seeking,
    ended: false,
    readyState: 2,
  });
  const reports: boolean[] = [];
  const stalls = new StallDetector((on) => reports.push(on));
  const gone = new AbortController();
  stalls.watch(video as HTMLVideoElement, gone.signal, () => true);
  video.dispatchEvent(new Event('playing'));
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

test('a stall is reported at once when the engine has failed', (t) => {
  const { stalls, reports } = waiting(t);
  stalls.engineFailed(true);
  assert.deepEqual(reports, [true]);
});

test('a stream that is removed is no longer stalled', (t) => {
  const { reports, gone, pass } = waiting(t);
  pass(2000);
  gone.abort();
  assert.deepEqual(reports, [true, false]);
});

test('a seek that does not end is reported after two seconds, and ends with the next frame', (t) => {
  const { frameShown, stalls, video, reports, pass } = waiting(t, true);
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
  const { frameShown, video, reports, pass } = waiting(t, true);
  pass(1000);
  video.seeking = false;
  frameShown(2.78);
  pass(10_000);
  assert.deepEqual(reports, []);
});
