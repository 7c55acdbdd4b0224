// The tolerant reader of addresses: which one it takes, and what it never takes.
import assert from 'node:assert/strict';
import test from 'node:test';
import { findUrl, httpUrlsIn, type UrlKind } from '../../src/protocol/find-url.ts';

type Row = [sentence: string, kind: UrlKind, answer: unknown, known: string[], found: string | null];

const nested = (levels: number, value: unknown): unknown =>
  levels === 0 ? value : { in: nested(levels - 1, value) };

const rows: Row[] = [
  [
    'a known name wins over the same kind elsewhere',
    'video',
    { other: 'https://a.test/1.mp4', downloadUrl: 'https://a.test/2.mp4' },
    ['downloadUrl'],
    'https://a.test/2.mp4',
  ],
  [
    'known names are tried in their order',
    'video',
    { second: 'https://a.test/2', first: 'https://a.test/1' },
    ['first', 'second'],
    'https://a.test/1',
  ],
  [
    'a known name may be further down',
    'hls',
    { data: { manifests: { hls: 'https://a.test/x', dash: 'https://a.test/y' } } },
    ['manifests.hls'],
    'https://a.test/x',
  ],
  [
    'of one known name the less deep wins',
    'video',
    { deep: { url: 'https://a.test/deep' }, url: 'https://a.test/near' },
    ['url'],
    'https://a.test/near',
  ],
  [
    'a known name needs no extension',
    'video',
    { mediaUrl: 'https://a.test/m?sig=1' },
    ['mediaUrl'],
    'https://a.test/m?sig=1',
  ],
  [
    'a known name that holds another kind is passed over',
    'hls',
    { url: 'https://a.test/s.mpd', list: 'https://a.test/s.m3u8' },
    ['url'],
    'https://a.test/s.m3u8',
  ],
  [
    'a known name is a whole name',
    'video',
    { myurl: 'https://a.test/page', clip: 'https://a.test/c.mp4' },
    ['url'],
    'https://a.test/c.mp4',
  ],
  [
    'the only one of the kind is found by its extension, whatever its name',
    'hls',
    { session: { wo: 'https://a.test/live.M3U8?x=.mpd#y', bild: 'https://a.test/p.png' } },
    [],
    'https://a.test/live.M3U8?x=.mpd#y',
  ],
  ['an extension in the query is no extension', 'video', { a: 'https://a.test/page?file=x.mp4' }, [], null],
  [
    'the same address twice is one',
    'dash',
    { a: 'https://a.test/s.mpd', b: { c: 'https://a.test/s.mpd' } },
    [],
    'https://a.test/s.mpd',
  ],
  [
    'two that differ are no answer',
    'video',
    { a: 'https://a.test/1.mp4', b: 'https://a.test/2.mp4' },
    [],
    null,
  ],
  [
    'by a media type that stands beside it',
    'hls',
    { src: 'https://a.test/s', type: 'application/vnd.apple.mpegurl; charset=utf-8' },
    [],
    'https://a.test/s',
  ],
  [
    'the media type says the other kind',
    'dash',
    { src: 'https://a.test/s', type: 'application/x-mpegURL' },
    [],
    null,
  ],
  ['by a field that is called after the kind', 'dash', { DASH: 'https://a.test/s' }, [], 'https://a.test/s'],
  [
    'an extension is believed before a type',
    'video',
    { poster: 'https://a.test/p.jpg', src: 'https://a.test/v', type: 'video/mp4' },
    [],
    'https://a.test/v',
  ],
  ...['downloadURL', 'presigned_url', 'videoUri', 'signedDownloadUrl', 'media', 'file'].map((name): Row => [
    `by a field that says what it is for, ${name}`,
    'video',
    { [name]: 'https://a.test/s?sig=1', self: 'https://a.test/status' },
    [],
    'https://a.test/s?sig=1',
  ]),
  ...['manifest', 'signed_manifest_url', 'playlistUrl', 'streamURL', 'll_hls_url'].map((name): Row => [
    `by a field that says what it is for, ${name}`,
    'hls',
    { [name]: 'https://a.test/s?sig=1', signedUrl: 'https://a.test/v' },
    [],
    'https://a.test/s?sig=1',
  ]),
  [
    'a field for something beside the video is none',
    'video',
    { statusUrl: 'https://a.test/s', mediaTypeUrl: 'https://a.test/t', profile: 'https://a.test/u' },
    [],
    null,
  ],
  ['a list of one is as its value', 'video', { clips: ['https://a.test/v'] }, ['clips'], 'https://a.test/v'],
  [
    'a list of several is no one address',
    'video',
    { clips: ['https://a.test/v', 'https://a.test/w'] },
    ['clips'],
    null,
  ],
  [
    'an address of no kind is none, even when it is the only one',
    'video',
    { help: 'https://a.test/help' },
    [],
    null,
  ],
  [
    'a text that speaks of video is no type',
    'video',
    { a: 'https://a.test/x', text: 'a video/mp4 b' },
    [],
    null,
  ],
  ['in a list', 'video', [[{ a: 1 }], ['https://a.test/v.webm']], [], 'https://a.test/v.webm'],
  ['at the eighth level', 'video', nested(7, { v: 'https://a.test/v.mp4' }), [], 'https://a.test/v.mp4'],
  ['not below it', 'video', nested(8, { v: 'https://a.test/v.mp4' }), [], null],
  ['the answer itself is no field', 'video', 'https://a.test/v.mp4', [], null],
  [
    'not among more values than an answer has',
    'video',
    [...Array.from({ length: 2000 }, () => 0), 'https://a.test/v.mp4'],
    [],
    null,
  ],
  [
    'not when it is longer than addresses are',
    'video',
    { v: `https://a.test/${'x'.repeat(9000)}.mp4` },
    [],
    null,
  ],
  [
    'not under a name longer than names are',
    'video',
    { ['x'.repeat(200)]: 'https://a.test/v.mp4' },
    [],
    null,
  ],
  [
    'from a field called like what every object has',
    'hls',
    JSON.parse('{"__proto__":{"hls":"https://a.test/s"}}'),
    ['hls'],
    'https://a.test/s',
  ],
  ['as the URL parser spells it', 'video', { v: ' HTTPS://A.test/a b.mp4' }, [], 'https://a.test/a%20b.mp4'],
];

for (const [sentence, kind, answer, known, found] of rows) {
  test(`${kind}: ${sentence}`, () => assert.equal(findUrl(answer, kind, known), found));
}

for (const hostile of [
  'javascript:alert(1)//.mp4',
  'data:video/mp4;base64,AAAA.mp4',
  'blob:https://a.test/v.mp4',
  'file:///etc/v.mp4',
  'ftp://a.test/v.mp4',
  '//a.test/v.mp4',
  '/v.mp4',
  'https://',
  'http:',
]) {
  test(`${hostile} is never returned`, () => {
    assert.equal(findUrl({ downloadUrl: hostile, type: 'video/mp4' }, 'video', ['downloadUrl']), null);
    assert.deepEqual(httpUrlsIn({ downloadUrl: hostile }), []);
  });
}

for (const nothing of [null, undefined, 7, true, '', [], {}, { a: null, b: [{}] }]) {
  test(`there is no address in ${JSON.stringify(nothing)}`, () =>
    assert.equal(findUrl(nothing, 'video', ['url', 'a.b']), null));
}

test('an object that contains itself is read once', () => {
  const answer: Record<string, unknown> = { v: 'https://a.test/v.mp4' };
  answer.self = answer;
  assert.equal(findUrl(answer, 'video', []), 'https://a.test/v.mp4');
});

test('all addresses come level by level, in the order of the answer', () => {
  const answer = {
    list: [{ u: 'https://a.test/2' }, { u: 'https://a.test/3' }],
    u: 'https://a.test/1',
    n: 1,
  };
  assert.deepEqual(httpUrlsIn(answer), ['https://a.test/1', 'https://a.test/2', 'https://a.test/3']);
});

test('of two addresses under one known name, the one of a video is taken and not its picture', () => {
  const answer = {
    thumbnail: { url: 'https://media.example/a.jpg' },
    video: { url: 'https://media.example/b.mp4' },
  };
  assert.equal(findUrl(answer, 'video', ['url']), 'https://media.example/b.mp4');
});
