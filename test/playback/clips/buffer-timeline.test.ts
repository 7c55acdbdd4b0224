// Where clips lie on the timeline of one video.
import assert from 'node:assert/strict';
import test from 'node:test';
import { ClipBytes } from '../../../src/playback/clips/clip-bytes.ts';
import { Playlist, type PlaylistItem } from '../../../src/playback/clips/playlist.ts';
import { BufferTimeline } from '../../../src/playback/clips/buffer-timeline.ts';

function items(count: number): PlaylistItem[] {
  const playlist = new Playlist();
  const url = 'http://127.0.0.1/clip.mp4';
  return Array.from({ length: count }, () => {
    const bytes = new ClipBytes({ url, renew: () => Promise.reject(new Error()) });
    return playlist.add({ bytes, duration: 1, started() {}, ended() {}, failed() {} }, null);
  });
}

/** A timeline with three clips of 1, 2 and 3 seconds. */
function written() {
  const timeline = new BufferTimeline();
  const [a, b, c] = items(3) as [PlaylistItem, PlaylistItem, PlaylistItem];
  return {
    timeline,
    a,
    b,
    c,
    ranges: [timeline.write(a, 1), timeline.write(b, 2), timeline.write(c, 3)] as const,
  };
}

test('each clip begins where the one before it ends', () => {
  const { timeline, ranges } = written();
  assert.deepEqual(
    ranges.map(({ start, end }) => [start, end]),
    [
      [10, 11],
      [11, 13],
      [13, 16],
    ],
  );
  assert.deepEqual([timeline.start, timeline.end], [10, 16]);
  assert.equal(timeline.after(ranges[0]), ranges[1]);
  assert.equal(timeline.after(ranges[2]), null);
});

test('the clips before a clip are forgotten, and the others keep their place', () => {
  const { timeline, a, b, ranges } = written();
  timeline.dropBefore(ranges[1]);
  assert.equal(timeline.find(a), null);
  assert.equal(timeline.find(b), ranges[1]);
  assert.deepEqual([timeline.start, timeline.end], [11, 16]);
});

test('when the clips after a clip are forgotten, the next one is written in their place', () => {
  const { timeline, a, ranges } = written();
  timeline.cut(ranges[0].end);
  assert.equal(timeline.has(ranges[1]), false);
  assert.equal(timeline.write(a, 5).start, 11);
});

test('a clip that is cut ends at the cut, and the next one is written there', () => {
  const { timeline, b, c } = written();
  timeline.cut(12);
  assert.deepEqual([timeline.find(b)?.end, timeline.find(c), timeline.end], [12, null, 12]);
});

test('the clip at a second is the one that began last, or the first one when none has begun', () => {
  const { timeline, ranges } = written();
  timeline.dropBefore(ranges[1]);
  assert.deepEqual(
    [0, 12.9, 13, 99].map((second) => timeline.at(second)),
    [ranges[1], ranges[1], ranges[2], ranges[2]],
  );
});

test('after a restart the next clip is written at the requested second', () => {
  const { timeline, a } = written();
  timeline.restart(14);
  assert.deepEqual([timeline.find(a), timeline.at(15), timeline.write(a, 1).start], [null, null, 14]);
});

test('a clip that is written twice is found where it was written last', () => {
  const { timeline, a } = written();
  const again = timeline.write(a, 1);
  assert.equal(timeline.find(a), again);
  assert.equal(again.start, 16);
});

test('an empty timeline begins where it ends', () => {
  const timeline = new BufferTimeline();
  const [item] = items(1);
  assert.equal(timeline.start, timeline.end);
  assert.equal(timeline.find(item!), null);
});
