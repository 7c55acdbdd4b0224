// When a live picture counts as standing, by what its video says and what is painted, on a clock that the test turns.
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { StallDetector } from '../../../src/playback/live/stall-detector.ts';

/** A live video that has played to 2.78 s and waits there; `told` is what was said of it so far. */
function waiting(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const video = Object.assign(new EventTarget(), { currentTime: 2.78, seeking: false, ended: false });
  const told: boolean[] = [];
  const stalls = new StallDetector((on) => told.push(on));
  const gone = new AbortController();
  stalls.watch(video as HTMLVideoElement, gone.signal, () => true);
  for (const type of ['playing', 'waiting']) video.dispatchEvent(new Event(type));
  return { stalls, told, gone, pass: (ms: number) => t.mock.timers.tick(ms) };
}

test('it is told after two seconds, and that it is over with the next frame', (t) => {
  const { stalls, told, pass } = waiting(t);
  pass(1999);
  assert.deepEqual(told, []);
  pass(1);
  assert.deepEqual(told, [true]);
  stalls.frameShown(2.84);
  assert.deepEqual(told, [true, false]);
});

test('the frame on which it stands, told of late, is no sign that it goes on', (t) => {
  const { stalls, told, pass } = waiting(t);
  stalls.frameShown(2.76);
  pass(2000);
  assert.deepEqual(told, [true]);
});

test('of one that goes on within two seconds nothing is told', (t) => {
  const { stalls, told, pass } = waiting(t);
  pass(1000);
  stalls.frameShown(2.84);
  pass(10_000);
  assert.deepEqual(told, []);
});

test('it is told at once when the engine has given up', (t) => {
  const { stalls, told } = waiting(t);
  stalls.engineFailed(true);
  assert.deepEqual(told, [true]);
});

test('what goes away no longer stands', (t) => {
  const { told, gone, pass } = waiting(t);
  pass(2000);
  gone.abort();
  assert.deepEqual(told, [true, false]);
});
