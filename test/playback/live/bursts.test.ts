// A live playlist to which several segments are added at once: a cache keeps it for seconds, or the encoder sends in bursts.
// - hls.js runs in Node here, with a loader that answers playlists and no segment.
import assert from 'node:assert/strict';
import test from 'node:test';
import type { HlsConfig, Loader, LoaderCallbacks, LoaderContext, LoaderStats } from 'hls.js';
import { configure } from '../../../src/elements/configure.ts';
import type { Engine } from '../../../src/playback/live/engine.ts';
import { hlsEngine } from './hls-in-node.ts';

const SEGMENT = 2;
const LISTED = 10;
const ADVISED = 3 * SEGMENT;

/** The number after the last segment of the playlist that is answered next. */
let next = LISTED;

const playlist = (): string =>
  `#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:${SEGMENT}\n#EXT-X-MEDIA-SEQUENCE:${next - LISTED}\n` +
  Array.from({ length: LISTED }, (_, at) => `#EXTINF:${SEGMENT},\n${next - LISTED + at}.ts\n`).join('');

class PlaylistsOnly {
  readonly context = null;
  readonly stats = {
    loading: { start: 0, first: 0, end: 0 },
    parsing: { start: 0, end: 0 },
    buffering: { start: 0, first: 0, end: 0 },
  } as LoaderStats;
  load(context: LoaderContext, _: unknown, { onSuccess }: LoaderCallbacks<LoaderContext>): void {
    if (!context.url.endsWith('.m3u8')) return;
    setTimeout(
      () => onSuccess({ url: context.url, data: playlist(), code: 200 }, this.stats, context, null),
      1,
    );
  }
  abort(): void {}
  destroy(): void {}
}

/** Plays the playlist; `grow` adds this many segments to it and resolves when it was read. */
async function play(t: test.TestContext): Promise<{ engine: Engine; grow: (count: number) => void }> {
  next = LISTED;
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  configure({
    hls: { loader: PlaylistsOnly as unknown as new (config: HlsConfig) => Loader<LoaderContext> },
  });
  const engine = await hlsEngine(({ message }) => assert.fail(message));
  t.after(async () => {
    await engine.destroy();
    configure({ hls: undefined });
  });
  engine.load('https://media.example/live.m3u8');
  t.mock.timers.tick(10);
  assert.equal(engine.edge, LISTED * SEGMENT);
  return {
    engine,
    grow(count) {
      next += count;
      const before = engine.edge;
      for (let ms = 0; engine.edge === before && ms < 20_000; ms += 100) t.mock.timers.tick(100);
      assert.notEqual(engine.edge, before, 'the playlist was read again');
    },
  };
}

test('one segment at a time, or two now and then, leave the advised distance from live', async (t) => {
  const { engine, grow } = await play(t);
  for (const count of [1, 1, 2, 1, 2, 2, 1]) {
    grow(count);
    assert.equal(engine.holdBack, ADVISED);
  }
});

test('a stream that comes in bursts is played at a distance that lasts from one to the next', async (t) => {
  const { engine, grow } = await play(t);
  grow(5);
  assert.equal(engine.holdBack, ADVISED, 'one burst may be the end of an outage');
  for (let burst = 0; burst < 3; burst++) {
    grow(5);
    assert.ok(engine.holdBack! > 5 * SEGMENT, `${engine.holdBack} s`);
  }
  for (let one = 0; one < 2; one++) grow(1);
  assert.equal(engine.holdBack, ADVISED);
});

test('the distance from live ends inside of what the playlist lists', async (t) => {
  const { engine, grow } = await play(t);
  for (let burst = 0; burst < 3; burst++) grow(9);
  assert.equal(engine.holdBack, (LISTED - 1) * SEGMENT);
});
