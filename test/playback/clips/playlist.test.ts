// The playlist: offsets, seeking, the byte budget.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Playlist, type PlaylistItem, type Clip } from '../../../src/playback/clips/playlist.ts';
import { ClipBytes } from '../../../src/playback/clips/clip-bytes.ts';
import { replaceGlobals } from '../../replace-globals.ts';

function clip(duration: number | null): Clip {
  const bytes = new ClipBytes({ url: 'http://127.0.0.1/clip.mp4', renew: () => Promise.reject(new Error()) });
  return { bytes, duration, started: () => {}, ended: () => {}, failed: () => {} };
}

function playlistOf(...durations: (number | null)[]): { playlist: Playlist; entries: PlaylistItem[] } {
  const playlist = new Playlist();
  return { playlist, entries: durations.map((duration) => playlist.add(clip(duration), null)) };
}

test('an empty playlist has no duration and shows nothing', () => {
  const { playlist } = playlistOf();
  assert.equal(playlist.duration, NaN);
  assert.equal(playlist.at(0), null);
  assert.equal(playlist.after(null), null);
});

test('a playlist is as long as its clips together, and each begins where the one before it ends', () => {
  const { playlist, entries } = playlistOf(2, 3, 4);
  assert.equal(playlist.duration, 9);
  assert.deepEqual(
    entries.map((entry) => playlist.offsetOf(entry)),
    [0, 2, 5],
  );
});

test('a duration that was not announced counts as 0 until the media gives it', () => {
  const { playlist, entries } = playlistOf(null, 3);
  assert.equal(playlist.duration, 3);
  entries[0]!.duration = 1.5;
  assert.equal(playlist.offsetOf(entries[1]!), 1.5);
});

for (const [time, index, within] of [
  [-1, 0, 0],
  [0, 0, 0],
  [1.5, 0, 1.5],
  [2, 1, 0],
  [4.5, 1, 2.5],
  [99, 1, 3],
] as const) {
  test(`second ${time} of a playlist of 2 + 3 seconds is second ${within} of clip ${index}`, () => {
    const { playlist, entries } = playlistOf(2, 3);
    assert.deepEqual(playlist.at(time), { item: entries[index], within });
  });
}

test('a move forward reports the clips that were skipped, and after a move back they start again', () => {
  const { playlist, entries } = playlistOf(1, 1, 1);
  Object.assign(entries[0]!, { started: true, ended: true });
  assert.deepEqual(playlist.moveTo(entries[2]!), [entries[1]]);
  entries[2]!.started = true;
  assert.deepEqual(playlist.moveTo(entries[0]!), []);
  assert.deepEqual(
    entries.map(({ started, ended }) => [started, ended]),
    [
      [false, false],
      [false, false],
      [false, false],
    ],
  );
});

test('moving within the clip that plays does not start it again', () => {
  const { playlist, entries } = playlistOf(1, 1);
  entries[1]!.started = true;
  playlist.moveTo(entries[1]!);
  assert.equal(entries[1]!.started, true);
});

test('the buffered clips are reported as ranges, also without the first clip', () => {
  const { playlist, entries } = playlistOf(1, 2, 4, 8);
  assert.deepEqual(playlist.loaded, []);
  for (const at of [1, 3, 2]) entries[at]!.playable = 'http://127.0.0.1/clip.mp4';
  assert.deepEqual(playlist.loaded, [[1, 15]]);
  entries[2]!.playable = null;
  assert.deepEqual(playlist.loaded, [
    [1, 3],
    [7, 15],
  ]);
});

test('a clip can be inserted before another', () => {
  const { playlist, entries } = playlistOf(1, 1);
  const between = playlist.add(clip(5), entries[1]!);
  assert.deepEqual(playlist.items, [entries[0], between, entries[1]]);
});

/** The clips that a playlist of these sizes keeps when it is trimmed while clip `current` is on screen. */
function keptOf(sizes: readonly number[], current: number): boolean[] {
  const { playlist, entries } = playlistOf(...sizes.map(() => 1));
  for (const [at, size] of sizes.entries()) {
    Object.assign(entries[at]!, {
      playable: { bytes: new Uint8Array(size * 1_000_000), type: 'video/mp4' },
      asked: true,
    });
  }
  playlist.trim(entries[current]!, entries[current + 1] ?? null);
  for (const { playable, asked } of entries) assert.equal(asked, playable !== null);
  return entries.map(({ playable }) => playable !== null);
}

test('64 MB are kept', () => {
  assert.deepEqual(keptOf([16, 16, 16, 16], 3), [true, true, true, true]);
});

test('above 64 MB the bytes played longest ago are dropped first', () => {
  assert.deepEqual(keptOf([20, 20, 20, 20], 3), [false, true, true, true]);
  assert.deepEqual(keptOf([30, 30, 30, 30], 3), [false, false, true, true]);
});

test('when no played bytes are left, the bytes that come last are dropped', () => {
  assert.deepEqual(keptOf([20, 20, 20, 20, 20], 1), [false, true, true, true, false]);
});

test('the clip on screen and the next one are kept, however large', () => {
  assert.deepEqual(keptOf([40, 50, 50, 40], 1), [false, true, true, false]);
});

test('before anything is on screen, what plays first is kept', () => {
  const { playlist, entries } = playlistOf(1, 1, 1);
  for (const entry of entries) entry.playable = { bytes: new Uint8Array(40_000_000), type: 'video/mp4' };
  playlist.trim(null, entries[0]!);
  assert.deepEqual(
    entries.map(({ playable }) => playable !== null),
    [true, false, false],
  );
});

test('a clip that is played by its address takes no bytes and stays', () => {
  const { playlist, entries } = playlistOf(1, 1, 1);
  entries[0]!.playable = 'http://127.0.0.1/a.mp4';
  for (const entry of entries.slice(1)) {
    entry.playable = { bytes: new Uint8Array(40_000_000), type: 'video/mp4' };
  }
  playlist.trim(entries[2]!, null);
  assert.deepEqual(
    entries.map(({ playable }) => typeof playable),
    ['string', 'object', 'object'],
  );
});

/** The requested clips of a playlist of 12, in order, when each has `megabytes` and arrives before the next request. */
function fetchedOf(megabytes: number, playing: number): { atOnce: number; asked: number[] } {
  const { playlist, entries } = playlistOf(...Array.from({ length: 12 }, () => 4));
  const asked: number[] = [];
  let atOnce = 0;
  for (let next = 0; next <= playing; next += 1) {
    const underWay: PlaylistItem[] = [];
    for (;;) {
      const item = playlist.due(entries[next]!);
      if (item) {
        item.asked = true;
        asked.push(entries.indexOf(item));
        atOnce = Math.max(atOnce, underWay.push(item));
      } else {
        const here = underWay.shift();
        if (!here) break;
        here.playable = { bytes: new Uint8Array(megabytes * 1_000_000), type: 'video/mp4' };
      }
    }
  }
  return { atOnce, asked };
}

test('of twelve videos of 4 MB the first ones are fetched two at a time, and the others while the ones before them play', () => {
  assert.deepEqual(fetchedOf(4, 0), { atOnce: 2, asked: [0, 1, 2, 3, 4] });
  assert.deepEqual(fetchedOf(4, 3).asked, [0, 1, 2, 3, 4, 5, 6]);
  assert.equal(fetchedOf(4, 11).asked.length, 12);
});

test('a video that waits to be shown is fetched alone', () => {
  const { playlist, entries } = playlistOf(4, 4);
  assert.equal(playlist.due(entries[0]!), entries[0]);
  entries[0]!.asked = true;
  assert.equal(playlist.due(entries[0]!), null);
  entries[0]!.playable = 'http://127.0.0.1/clip.mp4';
  assert.equal(playlist.due(entries[0]!), entries[1]);
});

test('a playlist that is cleared keeps no bytes, because its texts are remembered: they can be renewed', async (t) => {
  let fetches = 0;
  replaceGlobals(t, { fetch: () => Promise.resolve(new Response(`bytes ${(fetches += 1)}`)) });
  const { playlist, entries } = playlistOf(1);
  const { bytes } = entries[0]!.clip;
  await bytes.load();
  playlist.clear();
  await bytes.load();
  assert.equal(fetches, 2);
});

/** How often each clip of these sizes is fetched while this one is on screen. */
function timesFetched(sizes: readonly number[], current: number): number[] {
  const { playlist, entries } = playlistOf(...sizes.map(() => 4));
  const times = sizes.map(() => 0);
  const load = (item: PlaylistItem): void => {
    const at = entries.indexOf(item);
    times[at]! += 1;
    item.asked = true;
    item.playable = { bytes: new Uint8Array(sizes[at]! * 1_000_000), type: 'video/mp4' };
    playlist.trim(entries[current]!, entries[current + 1]!);
  };
  load(entries[current]!);
  for (let left = 20; left > 0; left--) {
    const item = playlist.due(entries[current + 1]!);
    if (item) load(item);
  }
  return times;
}

for (const [sizes, times] of [
  [
    [100, 1, 1, 1],
    [1, 1, 1, 1],
  ],
  [
    [1, 1, 70, 1],
    [1, 1, 1, 0],
  ],
  [
    [60, 1, 9, 9, 9],
    [1, 1, 1, 1, 0],
  ],
] as const) {
  test(`of videos of ${sizes.join(', ')} MB, each that follows the first is fetched once while that one plays`, () => {
    assert.deepEqual(timesFetched(sizes, 0), times);
  });
}
