// When a manifest is loaded again because segments come and playback does not move, on a fake hls.js and a mock clock.
import assert from 'node:assert/strict';
import test from 'node:test';
import Hls from 'hls.js';
import { reloadOutOfPlace } from '../../../src/playback/live/hls-repairs.ts';

Object.assign(globalThis, { HTMLMediaElement: { HAVE_FUTURE_DATA: 3 } });

/** A live stream that has stopped at 20 s, where its buffer ends, and how often its manifest was loaded again. */
function harness(t: test.TestContext) {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const buffer = { start: 4, end: 20.02 };
  const media = {
    buffered: { length: 1, start: () => buffer.start, end: () => buffer.end },
    played: { length: 1 },
    readyState: 2,
    currentTime: 19.93,
  };
  let buffered = (_event: string, _data: object): void => {};
  const hls = { media, on: (_: string, listener: typeof buffered) => (buffered = listener) };
  const seen = { reloads: 0 };
  reloadOutOfPlace(hls as unknown as Hls, Hls, () => (seen.reloads += 1));
  /** A segment is buffered every two seconds. */
  const segments = (count: number, type = 'main'): void => {
    for (let i = 0; i < count; i++) {
      now += 2000;
      buffered('', { frag: { type } });
    }
  };
  return { media, buffer, seen, segments };
}

test('the manifest is loaded again when segments are buffered for more than 3 s and none lies where playback waits', (t) => {
  const { buffer, seen, segments } = harness(t);
  buffer.start = 0;
  segments(2);
  assert.equal(seen.reloads, 0);
  segments(1);
  assert.equal(seen.reloads, 1);
});

test('the manifest is not loaded again while the buffer begins farther on, at a position to which playback jumps', (t) => {
  const { buffer, seen, segments } = harness(t);
  buffer.end = 26;
  segments(20);
  assert.equal(seen.reloads, 0);
});

test('the manifest is not loaded again while playback goes on, before it has begun, or for a separate audio rendition', (t) => {
  const { media, seen, segments } = harness(t);
  media.readyState = 3;
  segments(20);
  Object.assign(media, { readyState: 2, played: { length: 0 } });
  segments(20);
  Object.assign(media, { readyState: 2, played: { length: 1 } });
  segments(20, 'audio');
  assert.equal(seen.reloads, 0);
});

test('after a segment where playback waits the 3 s begin anew', (t) => {
  const { media, seen, segments } = harness(t);
  segments(2);
  media.readyState = 4;
  segments(1);
  media.readyState = 2;
  segments(2);
  assert.equal(seen.reloads, 0);
});

test('the manifest is not loaded again for parts that come just in time, although playback waits after each of them', (t) => {
  const { media, buffer, seen, segments } = harness(t);
  for (let part = 0; part < 20; part++) {
    buffer.end += 0.1;
    media.currentTime = buffer.end - 0.09;
    segments(1);
  }
  assert.equal(seen.reloads, 0);
});
