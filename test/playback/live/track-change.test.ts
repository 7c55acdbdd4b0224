// Where playback goes on when the tracks of an HLS stream change, with a fake engine and a fake video.
import assert from 'node:assert/strict';
import test from 'node:test';
import Hls from 'hls.js/light';
import type { ErrorData } from 'hls.js';
import { playOverTrackChanges } from '../../../src/playback/live/track-change.ts';

/** A video with 10 s in its buffer, and the engine of it, which loads a segment that begins after these. */
function harness(currentTime: number, readyState: number) {
  const calls: string[] = [];
  const call = (name: string) => (value?: unknown) =>
    void calls.push(typeof value === 'number' ? `${name} ${value}` : name);
  const loaded = { sn: 7, start: 10.1 };
  const hls = {
    on() {},
    stopLoad: call('stop'),
    detachMedia: call('detach'),
    attachMedia: call('attach'),
    startLoad: call('start'),
    inFlightFragments: { main: { frag: loaded } },
  };
  const buffered = { length: 1, start: () => 0, end: () => 10 };
  const video = Object.assign(new EventTarget(), { buffered, currentTime, readyState });
  const takes = playOverTrackChanges(hls as unknown as Hls, Hls, video as unknown as HTMLVideoElement);
  const fail = (frag: object, name = 'HlsJsTrackRemovedError'): boolean =>
    takes({ details: Hls.ErrorDetails.BUFFER_APPEND_ERROR, error: { name }, frag } as ErrorData);
  return { calls, video, loaded, fail, wait: () => video.dispatchEvent(new Event('waiting')) };
}

const initial = { sn: 'initSegment', start: 0 };
const begun = (second: number): string[] => ['detach', 'attach', `start ${second}`];

test('what is buffered is played to its end, then the segment that did not fit begins', () => {
  for (const isInitial of [true, false]) {
    const { calls, video, loaded, fail, wait } = harness(4, 4);
    assert.equal(fail(isInitial ? initial : loaded), true);
    assert.deepEqual(calls, ['stop']);
    video.currentTime = 9.9;
    wait();
    assert.deepEqual([calls, video.currentTime], [['stop', ...begun(10.1)], 10.1]);
    wait();
    assert.equal(calls.length, 4);
  }
});

test('a video that waits already goes on at once', () => {
  const { calls, fail } = harness(9.95, 2);
  fail(initial);
  assert.deepEqual(calls, ['stop', ...begun(10.1)]);
});

test('after a seek to where nothing is buffered it goes on there', () => {
  const { calls, video, fail, wait } = harness(4, 4);
  fail(initial);
  video.currentTime = 2;
  wait();
  assert.deepEqual(calls, ['stop', ...begun(2)]);
});

test('another error is not taken', () => {
  const { calls, loaded, fail } = harness(4, 4);
  assert.equal(fail(loaded, 'QuotaExceededError'), false);
  assert.deepEqual(calls, []);
});
