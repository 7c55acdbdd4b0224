// Where clips lie on the tape of one video.
import assert from 'node:assert/strict';
import test from 'node:test';
import { ClipBytes } from '../../../src/playback/clips/clip-bytes.ts';
import { Playlist, type PlaylistItem } from '../../../src/playback/clips/playlist.ts';
import { BufferTimeline } from '../../../src/playback/clips/buffer-timeline.ts';

function entries(count: number): PlaylistItem[] {
  const row = new Playlist();
  const url = 'http://127.0.0.1/clip.mp4';
  return Array.from({ length: count }, () => {
    const bytes = new ClipBytes({ url, renew: () => Promise.reject(new Error()) });
    return row.add({ bytes, duration: 1, started() {}, ended() {}, failed() {} }, null);
  });
}

/** A tape with three clips of 1, 2 and 3 seconds. */
function written() {
  const tape = new BufferTimeline();
  const [a, b, c] = entries(3) as [PlaylistItem, PlaylistItem, PlaylistItem];
  return { tape, a, b, sections: [tape.write(a, 1), tape.write(b, 2), tape.write(c, 3)] as const };
}

test('each clip begins where the one before it ends', () => {
  const { tape, sections } = written();
  assert.deepEqual(
    sections.map(({ start, end }) => [start, end]),
    [
      [0, 1],
      [1, 3],
      [3, 6],
    ],
  );
  assert.deepEqual([tape.start, tape.end], [0, 6]);
  assert.equal(tape.after(sections[0]), sections[1]);
  assert.equal(tape.after(sections[2]), null);
});

test('what lies before a clip is forgotten, and the others keep their place', () => {
  const { tape, a, b, sections } = written();
  tape.dropBefore(sections[1]);
  assert.equal(tape.find(a), null);
  assert.equal(tape.find(b), sections[1]);
  assert.deepEqual([tape.start, tape.end], [1, 6]);
});

test('what lies behind a clip is forgotten, and the next is written there', () => {
  const { tape, a, sections } = written();
  tape.dropAfter(sections[0]);
  assert.equal(tape.has(sections[1]), false);
  assert.equal(tape.write(a, 5).start, 1);
});

test('a clip that is written twice is found where it was written last', () => {
  const { tape, a } = written();
  const again = tape.write(a, 1);
  assert.equal(tape.find(a), again);
  assert.equal(again.start, 6);
});

test('an empty tape begins where it ends', () => {
  const tape = new BufferTimeline();
  const [entry] = entries(1);
  assert.equal(tape.start, tape.end);
  assert.equal(tape.find(entry!), null);
});
