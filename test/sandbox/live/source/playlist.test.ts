// Parsing an HLS playlist (RFC 8216), as far as probing needs it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePlaylist, PlaylistError } from '../../../../demo/sandbox/live/source/playlist.ts';
import { eachCase } from '../../each-case.ts';

const base = 'http://a.example/live/index.m3u8?token=1';
const read = (...lines: string[]) => parsePlaylist(['#EXTM3U', ...lines].join('\n'), base);
const urlsOf = (...lines: string[]): string[][] =>
  read(...lines).rows.map((row) => row.map(({ url }) => url));

test('segments are resolved against the playlist, in groups that end at a discontinuity', () => {
  const lines = [
    '#EXTINF:2,',
    'a.ts',
    '#EXTINF:2.5,title',
    '/b.ts',
    '#EXT-X-DISCONTINUITY',
    '#EXTINF:1',
    'c',
  ];
  assert.deepEqual(urlsOf(...lines), [
    ['http://a.example/live/a.ts', 'http://a.example/b.ts'],
    ['http://a.example/live/c'],
  ]);
  assert.deepEqual(
    read(...lines).rows.map((row) => row.map(({ seconds }) => seconds)),
    [[2, 2.5], [1]],
  );
  assert.deepEqual(urlsOf('#EXT-X-DISCONTINUITY', '#EXTINF:2,', 'a.ts', '#EXT-X-DISCONTINUITY'), [
    ['http://a.example/live/a.ts'],
  ]);
});

test('version, end and encryption are what the playlist says', () => {
  const { version, isEnded, isEncrypted } = read('#EXT-X-VERSION:7', '#EXT-X-ENDLIST');
  assert.deepEqual([version, isEnded, isEncrypted], [7, true, false]);
  assert.equal(read('#EXTINF:1,', 'a').version, null);
  assert.equal(read('#EXT-X-VERSION:seven').version, null);
  assert.equal(read('#EXT-X-KEY:METHOD=NONE').isEncrypted, false);
  assert.equal(read('#EXT-X-KEY:METHOD=AES-128,URI="key"').isEncrypted, true);
  assert.equal(read('#EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI="skd://a"').isEncrypted, true);
});

test('an initialisation section applies from its tag on, and a byte range begins where the last one ended', () => {
  const [row] = read(
    '#EXTINF:1,',
    '#EXT-X-BYTERANGE:10@5',
    'a.mp4',
    '#EXT-X-MAP:URI="init.mp4",BYTERANGE="100@0"',
    '#EXTINF:1,',
    '#EXT-X-BYTERANGE:7',
    'a.mp4',
    '#EXTINF:1,',
    'b.mp4',
  ).rows;
  assert.deepEqual(
    row!.map(({ range, init }) => [range, init]),
    [
      [{ from: 5, length: 10 }, null],
      [
        { from: 15, length: 7 },
        { url: 'http://a.example/live/init.mp4', range: { from: 0, length: 100 } },
      ],
      [null, { url: 'http://a.example/live/init.mp4', range: { from: 0, length: 100 } }],
    ],
  );
});

test('a variant has its bandwidth and, where its group has one, the playlist of its sound', () => {
  const { variants } = read(
    '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="one, two",URI="one.m3u8"',
    '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="main",DEFAULT=YES,URI="main.m3u8"',
    '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="inside",NAME="main",DEFAULT=YES',
    '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="a",NAME="words",URI="words.m3u8"',
    '#EXT-X-STREAM-INF:BANDWIDTH=1000,CODECS="avc1,mp4a",AUDIO="a"',
    'low.m3u8',
    '#EXT-X-STREAM-INF:AUDIO="inside",BANDWIDTH=2000',
    'high.m3u8',
    '#EXT-X-STREAM-INF:RESOLUTION=1x1',
    'none.m3u8',
  );
  assert.deepEqual(
    variants.map(({ url, bandwidth, audioUrl }) => [url.slice(22), bandwidth, audioUrl]),
    [
      ['low.m3u8', 1000, 'http://a.example/live/main.m3u8'],
      ['high.m3u8', 2000, null],
      ['none.m3u8', 0, null],
    ],
  );
});

const none: Readonly<Record<string, readonly [text: string, why: RegExp]>> = {
  'a web page': ['<!doctype html>', /no HLS playlist/],
  nothing: ['', /no HLS playlist/],
  'a segment without a duration': ['#EXTM3U\na.ts', /without a duration/],
  'a segment of no time': ['#EXTM3U\n#EXTINF:soon,\na.ts', /without a duration/],
  'a malformed byte range': ['#EXTM3U\n#EXT-X-BYTERANGE:all', /byte range/],
  'a map of nothing': ['#EXTM3U\n#EXT-X-MAP:BYTERANGE="1@0"', /without an address/],
  'more than 5000 segments': [`#EXTM3U\n${'#EXTINF:1,\na.ts\n'.repeat(5001)}`, /more than 5000/],
  'more than 5000 variants': [`#EXTM3U\n${'#EXT-X-STREAM-INF:\na\n'.repeat(5001)}`, /more than 5000/],
  'more than 5000 renditions': [`#EXTM3U\n${'#EXT-X-MEDIA:TYPE=AUDIO\n'.repeat(5001)}`, /more than 5000/],
};
test('a playlist that cannot be pulled is refused with the reason', () =>
  eachCase(Object.entries(none), ([, [text, why]]) => {
    assert.throws(
      () => parsePlaylist(text, base),
      (error) => error instanceof PlaylistError && why.test(error.message),
    );
  }));

const elsewhere: Readonly<Record<string, (uri: string) => string | null>> = {
  'a segment': (uri) => read('#EXTINF:1,', uri).rows[0]![0]!.url,
  'an initialisation section': (uri) =>
    read(`#EXT-X-MAP:URI="${uri}"`, '#EXTINF:1,', 'a.mp4').rows[0]![0]!.init!.url,
  'a variant': (uri) => read('#EXT-X-STREAM-INF:BANDWIDTH=1', uri).variants[0]!.url,
  'the sound of a variant': (uri) =>
    read(
      `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",URI="${uri}"`,
      '#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="a"',
      'a.m3u8',
    ).variants[0]!.audioUrl,
};
test('every address in a playlist is followed on http and https only', () =>
  eachCase(Object.entries(elsewhere), ([, urlOf]) => {
    assert.equal(urlOf('b'), 'http://a.example/live/b');
    for (const uri of ['file:///etc/passwd', 'data:,x', 'http://']) {
      assert.throws(
        () => urlOf(uri),
        (error) => error instanceof PlaylistError && /http or https/.test(error.message),
      );
    }
  }));

const rendition = (more: string): string => `#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="x",${more}`;
test('captions are found in the playlist that names them', () =>
  eachCase(
    [
      ['the only rendition', [rendition('URI="a.m3u8"')], 'http://a.example/live/a.m3u8'],
      [
        'the default one',
        [
          rendition('URI="a.m3u8"'),
          rendition('DEFAULT=YES,URI="https://other.test/b"'),
          rendition('URI="c"'),
        ],
        'https://other.test/b',
      ],
      ['none of audio', ['#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="s",URI="a.m3u8"'], null],
      ['none of an address that is no web address', [rendition('URI="file:///etc/passwd"')], null],
      ['none of a media playlist', ['#EXTINF:2,', 'a.ts'], null],
    ] as const,
    ([, lines, found]) => assert.equal(read(...lines).captionsUrl, found),
  ));

test('a byte order mark, carriage returns, comments and unknown tags are ignored', () => {
  const text = '\uFEFF#EXTM3U\r\n# hello\r\n#EXT-X-OF-TOMORROW:A=1\r\n\r\n#EXTINF:1,\r\na.ts\r\n';
  assert.equal(parsePlaylist(text, base).rows[0]?.length, 1);
});

test('a hostile line costs time linear in its length', () => {
  const line = `#EXT-X-STREAM-INF:${'A='.repeat(200_000)}"`;
  assert.deepEqual(read(line, 'a.m3u8').variants.length, 1);
});
