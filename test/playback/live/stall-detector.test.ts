// When live playback counts as stalled, from events and painted frames, with mock timers.
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { StallDetector } from '../../../src/playback/live/stall-detector.ts';

/** A live video that has played to 2.78 s, and then waits there or seeks; `told` has what was reported so far. */
function waiting(t: TestContext, seeking = false) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const video = Object.assign(new EventTarget(), {
    currentTime: 2.78,
    seeking,
    ended: false,
    readyState: 2,
  });
  const told: boolean[] = [];
  const stalls = new StallDetector((on) => told.push(on));
  const gone = new AbortController();
  stalls.watch(video as HTMLVideoElement, gone.signal, () => true);
  video.dispatchEvent(new Event('playing'));
  video.dispatchEvent(new Event(seeking ? 'seeking' : 'waiting'));
  const frameShown = (second: number, readyState = 4): void => {
    video.readyState = readyState;
    stalls.frameShown(second);
  };
  return { stalls, video, told, gone, frameShown, pass: (ms: number) => t.mock.timers.tick(ms) };
}

test('a stall is reported after two seconds, and ends with the next frame', (t) => {
  const { frameShown, told, pass } = waiting(t);
  pass(1999);
  assert.deepEqual(told, []);
  pass(1);
  assert.deepEqual(told, [true]);
  frameShown(2.84);
  assert.deepEqual(told, [true, false]);
});

test('the frame on which it stalled, reported late, does not end the stall', (t) => {
  const { frameShown, told, pass } = waiting(t);
  frameShown(2.76);
  pass(2000);
  assert.deepEqual(told, [true]);
});

test('a frame of before the stall, reported late, does not end it', (t) => {
  const { frameShown, told, pass } = waiting(t);
  frameShown(2.6, 2);
  pass(2000);
  assert.deepEqual(told, [true]);
});

test('a stall of less than two seconds is not reported', (t) => {
  const { frameShown, told, pass } = waiting(t);
  pass(1000);
  frameShown(2.84);
  pass(10_000);
  assert.deepEqual(told, []);
});

test('a stall is reported at once when the engine has failed', (t) => {
  const { stalls, told } = waiting(t);
  stalls.engineFailed(true);
  assert.deepEqual(told, [true]);
});

test('a stream that is removed is no longer stalled', (t) => {
  const { told, gone, pass } = waiting(t);
  pass(2000);
  gone.abort();
  assert.deepEqual(told, [true, false]);
});

test('a seek that comes to no end is reported after two seconds, and ends with the next frame', (t) => {
  const { frameShown, stalls, video, told, pass } = waiting(t, true);
  // Chromium says that it waits during a seek, too.
  video.dispatchEvent(new Event('waiting'));
  pass(2000);
  assert.deepEqual(told, [true]);
  frameShown(2.76);
  assert.deepEqual(told, [true], 'a frame from before the seek, reported late');
  video.seeking = false;
  frameShown(2.78);
  assert.deepEqual(told, [true, false]);
  assert.equal(stalls.margin, 0);
});

test('a seek that ends within two seconds is not reported', (t) => {
  const { frameShown, video, told, pass } = waiting(t, true);
  pass(1000);
  video.seeking = false;
  frameShown(2.78);
  pass(10_000);
  assert.deepEqual(told, []);
});
