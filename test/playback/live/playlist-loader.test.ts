// Playlists that are requested again or changed, with a fake loader and mock timers.
import assert from 'node:assert/strict';
import test, { afterEach, beforeEach, mock } from 'node:test';
import type {
  HlsConfig,
  Loader,
  LoaderCallbacks,
  LoaderConfiguration,
  LoaderContext,
  PlaylistLoaderContext,
} from 'hls.js';
import { playlistEnd, playlistLoader } from '../../../src/playback/live/playlist-loader.ts';

let now = 0;
mock.method(performance, 'now', () => now);

/** A playlist from segment 10 on, with this number of complete segments, and of parts of the next one. */
const playlist = (segments: number, parts: number, more = ''): string =>
  [
    '#EXTM3U',
    '#EXT-X-PART-INF:PART-TARGET=0.4',
    '#EXT-X-MEDIA-SEQUENCE:10',
    ...Array.from({ length: segments }, (_, i) => `#EXT-X-PART:URI="${i}.0"\n#EXTINF:2,\n${i}.m4s`),
    ...Array.from({ length: parts }, (_, i) => `#EXT-X-PART:URI="next.${i}"`),
    more,
  ].join('\n');

test('the end of a playlist is counted from its first segment and the skipped ones, with the parts of the last', () => {
  assert.deepEqual(playlistEnd(playlist(3, 2)), { segment: 13, parts: 2 });
  assert.deepEqual(playlistEnd(playlist(3, 0)), { segment: 13, parts: 0 });
  assert.deepEqual(playlistEnd(playlist(1, 1, '#EXT-X-SKIP:SKIPPED-SEGMENTS=4')), { segment: 15, parts: 1 });
});

test('a playlist with an end, a multivariant one and other text are passed on as they are', () => {
  for (const text of [playlist(3, 0, '#EXT-X-ENDLIST'), '#EXTM3U\n#EXT-X-STREAM-INF:\na.m3u8', '<html>']) {
    assert.equal(playlistEnd(text), null);
  }
});

beforeEach(() => {
  now = 0;
  mock.timers.enable({ apis: ['setTimeout'] });
});
afterEach(() => mock.timers.reset());

const pass = (ms: number): void => {
  now += ms;
  mock.timers.tick(ms);
};

/** hls.js's loader, and the answers that it gets, in order; the last one is repeated. */
function harness(...answers: string[]) {
  const seen = { asked: 0, destroyed: 0, variables: 0, got: [] as string[], urls: [] as string[] };
  class Plain implements Loader<LoaderContext> {
    context = null;
    stats = {} as Loader<LoaderContext>['stats'];
    #used = false;
    load(context: LoaderContext, _: LoaderConfiguration, callbacks: LoaderCallbacks<LoaderContext>): void {
      assert.equal(this.#used, false, 'one serves one request');
      this.#used = true;
      seen.urls.push(context.url);
      const data = answers[Math.min(seen.asked++, answers.length - 1)]!;
      const code = Number(data);
      if (code) return callbacks.onError({ code, text: '' }, context, null, this.stats);
      callbacks.onSuccess({ url: context.url, data }, this.stats, context, null);
    }
    abort(): void {}
    destroy(): void {
      seen.destroyed += 1;
    }
  }
  const onVariables = (): void => void (seen.variables += 1);
  const Light = playlistLoader(Plain, { onVariables, hasEnd: () => false });
  const Full = playlistLoader(Plain, { onVariables: null, hasEnd: () => false });
  const OfOneText = playlistLoader(Plain, { onVariables: null, hasEnd: () => true });
  const load = (
    msn?: number,
    part?: number,
    url = 'a.m3u8',
    Fresh = Light,
    id: number | null = 0,
  ): Loader<PlaylistLoaderContext> => {
    const deliveryDirectives = msn === undefined ? null : { msn, part };
    const context = { url, level: 0, id, deliveryDirectives } as PlaylistLoaderContext;
    const loader = new Fresh({} as HlsConfig);
    loader.load(context, {} as LoaderConfiguration, {
      onSuccess: ({ data }) => seen.got.push(data as string),
      onError: ({ code }) => seen.got.push(String(code)),
      onTimeout: () => assert.fail('it takes too long'),
    });
    return loader;
  };
  /** hls.js reads the address of the stream, where it gets a media playlist. */
  const loadAsManifest = () => load(undefined, undefined, 'a.m3u8', Light, null);
  const loadFull = () => load(undefined, undefined, 'a.m3u8', Full);
  const loadOfOneText = (url = 'a.m3u8') => load(undefined, undefined, url, OfOneText);
  return { load, loadAsManifest, loadFull, loadOfOneText, answers, seen };
}

test('an answer with the requested part is passed on at once', () => {
  const { load, seen } = harness(playlist(3, 2));
  load();
  load(13, 1);
  load(12);
  assert.deepEqual([seen.asked, seen.got.length], [3, 3]);
});

test('an answer without the requested part, or an older one, is requested again after half a part', () => {
  const [old, fresh] = [playlist(3, 1), playlist(3, 2)];
  const { load, seen } = harness(old, old, fresh, old, fresh);
  load();
  load(13, 1);
  pass(199);
  assert.deepEqual([seen.asked, seen.got.length], [2, 1]);
  pass(1);
  assert.deepEqual([seen.asked, seen.got], [3, [old, fresh]]);
  // The request names no part that must be listed, and the answer is nevertheless older than the last one.
  load();
  pass(200);
  assert.deepEqual(seen.got, [old, fresh, fresh]);
});

test('after 3 s such an answer is passed on as it is, and a new timeline counts from then on', () => {
  const [long, short] = [playlist(3, 2), playlist(1, 0, '# begun anew')];
  const { load, seen } = harness(long, short);
  load();
  load();
  for (let i = 0; i < 15; i++) pass(200);
  assert.deepEqual(seen.got, [long, short]);
  const { asked } = seen;
  load();
  assert.deepEqual([seen.asked - asked, seen.got.length], [1, 3]);
});

/** Segments of these names, the first one under this number. */
const numbered = (first: number, ...names: readonly string[]): string =>
  ['#EXTM3U', `#EXT-X-MEDIA-SEQUENCE:${first}`, ...names.map((name) => `#EXTINF:2,\n${name}`), '#'].join(
    '\n',
  );

/** What hls.js reads of a playlist: its number, its discontinuity sequence, and its segments. */
const read = (text: string): unknown[] => [
  /#EXT-X-MEDIA-SEQUENCE:(\d+)/.exec(text)?.[1],
  /#EXT-X-DISCONTINUITY-SEQUENCE:(\d+)/.exec(text)?.[1],
  ...text.split('\n').filter((line) => /^\w/.test(line)),
];

/** Lets more time pass than the loader waits for a newer answer. */
const passPatience = (): void => {
  for (let i = 0; i < 6; i++) pass(500);
};

test('the segments of a packager that counts from 0 again get the next numbers after a discontinuity, and its playlists are requested by its own numbers', () => {
  const { load, answers, seen } = harness(numbered(7, 'a.ts', 'b.ts', 'c.ts'), numbered(0, 'x.ts'));
  const passed = (): unknown[] => read(seen.got.at(-1)!);
  load();
  load();
  passPatience();
  assert.deepEqual(passed(), ['10', '1000', 'x.ts']);
  answers.push(numbered(0, 'x.ts', 'y.ts'));
  load(11, undefined, 'a.m3u8?_HLS_msn=11&_HLS_skip=YES');
  assert.deepEqual([passed(), seen.urls.at(-1)], [['10', '1000', 'x.ts', 'y.ts'], 'a.m3u8?_HLS_msn=1']);
  answers.push(numbered(0, 'later.ts'));
  load();
  passPatience();
  assert.deepEqual(passed(), ['12', '2000', 'later.ts']);
  answers.push(`${numbered(1, 'last.ts')}\n#EXT-X-ENDLIST`);
  load();
  assert.deepEqual(passed(), ['13', '2000', 'last.ts']);
});

test('a packager that counts from 0 again before the first reload of the stream gets the next numbers too, and keeps them when the stream is read anew', () => {
  const { load, loadAsManifest, answers, seen } = harness(
    numbered(7, 'a.ts', 'b.ts', 'c.ts'),
    numbered(0, 'x.ts'),
  );
  const passed = (): unknown[] => read(seen.got.at(-1)!);
  loadAsManifest();
  load();
  passPatience();
  assert.deepEqual(passed(), ['10', '1000', 'x.ts']);
  answers.push(numbered(0, 'x.ts', 'y.ts'));
  loadAsManifest();
  assert.deepEqual(passed(), ['10', '1000', 'x.ts', 'y.ts']);
});

test('a reload whose number the packager answers with 400 is sent without a number; other errors are passed on', () => {
  const { load, answers, seen } = harness('400', playlist(3, 1));
  load(13, 0, 'a.m3u8?key=1&_HLS_msn=13&_HLS_part=0&_HLS_skip=YES');
  assert.deepEqual([seen.urls.at(-1), seen.got], ['a.m3u8?key=1', [playlist(3, 1)]]);
  answers.push('400');
  load();
  answers.push('404');
  load(13, 0, 'a.m3u8?_HLS_msn=13');
  assert.deepEqual(seen.got.slice(1), ['400', '404']);
});

test('a packager that counts from 0 again and lists the same segments keeps their numbers', () => {
  const { load, seen } = harness(numbered(7, 'a.ts?1', 'b.ts?1', 'c.ts?1'), numbered(0, 'b.ts?2', 'c.ts?2'));
  load();
  load();
  passPatience();
  assert.deepEqual(read(seen.got.at(-1)!), ['8', undefined, 'b.ts?2', 'c.ts?2']);
});

test('an older playlist whose segments differ by their query alone is no restart', () => {
  const names = ['a.ts?1', 'a.ts?2', 'a.ts?3', 'a.ts?4'];
  const { load, seen } = harness(numbered(7, ...names.slice(1)), numbered(6, ...names.slice(0, 3)));
  load();
  load();
  passPatience();
  assert.deepEqual(read(seen.got.at(-1)!), ['6', undefined, ...names.slice(0, 3)]);
});

test('a playlist that brings the last part and the end together is passed on without its end, and then with it', () => {
  const last = playlist(4, 0, '#EXT-X-ENDLIST');
  const { load, seen } = harness(playlist(3, 2), last);
  for (let i = 0; i < 3; i++) load();
  const hasEnd = (text: string): boolean => text.includes('#EXT-X-ENDLIST');
  assert.deepEqual(seen.got.map(hasEnd), [false, false, true]);
  assert.equal(playlistEnd(seen.got[1]!)?.segment, 14);
});

test('a playlist that has ended and brings more than one segment is passed on as it is', () => {
  const last = playlist(5, 0, '#EXT-X-ENDLIST');
  const { load, seen } = harness(playlist(3, 2), last);
  load();
  load();
  assert.equal(seen.got.at(-1), last);
});

test('after a discontinuity no delta update is requested', () => {
  const { load, seen } = harness(playlist(3, 2), playlist(3, 3, '#EXT-X-DISCONTINUITY'), playlist(4, 0));
  load(13, 0, 'a.m3u8?_HLS_msn=13&_HLS_skip=YES');
  load(13, 1, 'a.m3u8?key=1&_HLS_skip=v2');
  load(13, 2, 'a.m3u8?_HLS_skip=YES&_HLS_msn=13');
  load(13, 2, 'a.m3u8?key=1&_HLS_skip=v2');
  assert.deepEqual(seen.urls, [
    'a.m3u8?_HLS_msn=13&_HLS_skip=YES',
    'a.m3u8?key=1&_HLS_skip=v2',
    'a.m3u8?_HLS_msn=13',
    'a.m3u8?key=1',
  ]);
});

test('a playlist that ends with a segment address gets a comment behind it', () => {
  const ended = `${playlist(3, 0).trimEnd()}\n`;
  const { load, seen } = harness(ended, playlist(3, 1), '<html>\nthis is none');
  for (let i = 0; i < 3; i++) load();
  assert.deepEqual(seen.got, [`${ended}\n#`, playlist(3, 1), '<html>\nthis is none']);
});

test('a playlist with variables goes to a build of hls.js that knows them, and to no other', () => {
  const kinds = ['NAME="a",VALUE="b"', 'IMPORT="a"', 'QUERYPARAM="a"'].map((kind) => `#EXT-X-DEFINE:${kind}`);
  const multivariant = (define: string) => `#EXTM3U\r\n${define}\r\n#EXT-X-STREAM-INF:\r\n{$a}.m3u8`;
  const texts = kinds.flatMap((define) => [playlist(3, 1, define), multivariant(define)]);
  for (const text of texts) {
    const { load, loadFull, seen } = harness(text);
    load();
    assert.deepEqual([seen.variables, seen.got], [1, []], text);
    loadFull();
    assert.deepEqual([seen.variables, seen.got], [1, [text]], text);
  }
  const { load, seen } = harness(playlist(3, 1, '# not #EXT-X-DEFINE:'));
  load();
  assert.deepEqual([seen.variables, seen.got.length], [0, 1]);
});

test('the playlist of one text that has not grown for a minute is passed on as ended, and the playlist of a live stream never is', () => {
  const [old, grown] = [playlist(3, 1), playlist(3, 2)];
  const { load, loadOfOneText, seen } = harness(old, grown, grown, grown, grown, grown);
  loadOfOneText();
  pass(60_000);
  loadOfOneText();
  pass(59_999);
  loadOfOneText();
  assert.deepEqual(seen.got, [old, grown, grown]);
  pass(1);
  loadOfOneText();
  assert.equal(seen.got[3], `${grown}\n#EXT-X-ENDLIST`);
  load();
  pass(600_000);
  load();
  assert.deepEqual(seen.got.slice(4), [grown, grown]);
});

test('nothing is requested after it was destroyed', () => {
  const { load, seen } = harness(playlist(3, 0));
  load(13, 0).abort();
  load(13, 0).destroy();
  pass(3000);
  assert.deepEqual([seen.asked, seen.got], [2, []]);
});
