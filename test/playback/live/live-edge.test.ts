// The live edge, from playlists that may be late.
import assert from 'node:assert/strict';
import test from 'node:test';
import { LiveEdge } from '../../../src/playback/live/live-edge.ts';

const TARGET = 2;

/** Updates the clock with a playlist that grows by 0.2 s every 0.2 s from second 100 on; `late` is in seconds. */
function growPlaylist(
  clock: LiveEdge,
  from: number,
  to: number,
  late: (part: number) => number = () => 0,
): void {
  for (let part = from; part < to; part++)
    clock.update(100 + part * 0.2, TARGET, part * 200 + late(part) * 1000);
}

const isAt = (clock: LiveEdge, ms: number, second: number): void => {
  const at = clock.at(ms) ?? NaN;
  assert.ok(Math.abs(at - second) < 1e-6, `live is at ${at}, not ${second}`);
};

test('the live edge moves on between two playlists, and is unknown before the first', () => {
  const clock = new LiveEdge();
  assert.equal(clock.at(0), null);
  clock.update(100, TARGET, 5000);
  isAt(clock, 5000, 100);
  isAt(clock, 5150, 100.15);
});

test('a late playlist does not move live back; one that is earlier than all before moves it on', () => {
  const clock = new LiveEdge();
  growPlaylist(clock, 0, 10, (part) => (part === 9 ? 0.5 : 0.1));
  isAt(clock, 2500, 102.4);
  clock.update(102.5, TARGET, 2510);
  isAt(clock, 2510, 102.5);
});

test('a playlist that has not grown does not count', () => {
  const clock = new LiveEdge();
  clock.update(100, TARGET, 0);
  for (let ms = 500; ms < 30_000; ms += 500) clock.update(100, TARGET, ms);
  isAt(clock, 30_000, 130);
});

test('a slower network counts after twenty seconds', () => {
  const clock = new LiveEdge();
  growPlaylist(clock, 0, 50);
  growPlaylist(clock, 50, 170, () => 0.5);
  isAt(clock, 34_500, 134);
});

test('a playlist with a new timeline has a new live edge at once', () => {
  const clock = new LiveEdge();
  growPlaylist(clock, 0, 50);
  clock.update(7, TARGET, 10_000);
  isAt(clock, 10_100, 7.1);
  clock.update(500, TARGET, 10_200);
  isAt(clock, 10_200, 500);
});
