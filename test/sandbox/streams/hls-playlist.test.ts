// RFC 8216bis, sentence by sentence, on playlists of segment windows that the test makes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mediaPlaylist, multivariantPlaylist } from '../../../demo/sandbox/streams/hls-playlist.ts';
import type { StreamSpec } from '../../../demo/sandbox/streams/stream-spec.ts';
import { partOf, windowOf, specOf, viewOf } from './stream-parts.ts';
import { eachCase } from '../each-case.ts';

const linesOf = (spec: StreamSpec, parts: number, delta = false, hasEnded = false): string[] =>
  mediaPlaylist(viewOf(spec, windowOf(spec, parts), hasEnded), delta).split('\n');

/** The lines of a playlist that begin with this text, without it. */
const valuesOf = (lines: readonly string[], tag: string): string[] =>
  lines.filter((line) => line.startsWith(tag)).map((line) => line.slice(tag.length));

const plain = specOf({ lowLatency: false });
const job = specOf({ kind: 'job' });
const transport = specOf({ segmentType: 'ts' });

const sentences: readonly (readonly [sentence: string, spec: StreamSpec, tag: string, values: string[]])[] = [
  ['EXT-X-SKIP needs version 9', specOf(), '#EXT-X-VERSION:', ['9']],
  ['EXT-X-MAP needs version 6', plain, '#EXT-X-VERSION:', ['6']],
  ['fractions of seconds need version 3', transport, '#EXT-X-VERSION:', ['3']],
  ['no segment is longer than the target duration', specOf(), '#EXT-X-TARGETDURATION:', ['2']],
  ['a part lasts 0.2 s', specOf(), '#EXT-X-PART-INF:', ['PART-TARGET=0.20']],
  [
    'hold back is three targets, of parts three parts, skip boundary six targets',
    specOf(),
    '#EXT-X-SERVER-CONTROL:',
    ['CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=12,HOLD-BACK=6,PART-HOLD-BACK=0.60'],
  ],
  ['a plain playlist offers no parts', plain, '#EXT-X-PART', []],
  ['a plain playlist hints at nothing', plain, '#EXT-X-PRELOAD-HINT', []],
  ['a plain playlist offers no blocking', plain, '#EXT-X-SERVER-CONTROL:', ['HOLD-BACK=6']],
  ['MPEG-TS has no parts even when low latency is asked for', transport, '#EXT-X-PART', []],
  ['MPEG-TS has no initialisation segment', transport, '#EXT-X-MAP', []],
  ['every address is signed', specOf(), '#EXT-X-MAP:', ['URI="init.mp4?key=1&x=2"']],
  ['an ongoing stream is no EVENT', specOf(), '#EXT-X-PLAYLIST-TYPE', []],
  ['a job is an EVENT', job, '#EXT-X-PLAYLIST-TYPE:', ['EVENT']],
  ['a job is played from its start', job, '#EXT-X-START:', ['TIME-OFFSET=0']],
  ['a stream that grows has no end', specOf(), '#EXT-X-ENDLIST', []],
];

test('a playlist has the tags that its kind of stream needs (RFC 8216bis)', () =>
  eachCase(sentences, ([, spec, tag, values]) => assert.deepEqual(valuesOf(linesOf(spec, 23), tag), values)));

test('the target duration is the length of a segment, rounded', () =>
  eachCase(
    [
      [1, '1'],
      [1.4, '1'],
      [2.5, '3'],
      [10, '10'],
    ] as const,
    ([seconds, target]) => {
      const spec = specOf({ lowLatency: false, segmentSeconds: seconds });
      const window = windowOf(spec, 0);
      const frames = Math.round(seconds * 25);
      window.add(partOf({ frames, endsSegment: true }));
      const lines = mediaPlaylist(viewOf(spec, window)).split('\n');
      assert.deepEqual(valuesOf(lines, '#EXT-X-TARGETDURATION:'), [target]);
      const [length = ''] = valuesOf(lines, '#EXTINF:');
      assert.ok(Math.round(parseFloat(length)) <= Number(target));
    },
  ));

test('the parts of a segment are listed before it, and the next part is announced', () => {
  const lines = linesOf(specOf(), 12);
  assert.deepEqual(lines.slice(-7), [
    '#EXTINF:2.00000,',
    '0.m4s?key=1&x=2',
    '#EXT-X-PROGRAM-DATE-TIME:2030-01-01T00:00:02.000Z',
    '#EXT-X-PART:DURATION=0.20000,URI="1.0.m4s?key=1&x=2",INDEPENDENT=YES',
    '#EXT-X-PART:DURATION=0.20000,URI="1.1.m4s?key=1&x=2"',
    '#EXT-X-PRELOAD-HINT:TYPE=PART,URI="1.2.m4s?key=1&x=2"',
    '',
  ]);
  assert.equal(valuesOf(lines, '#EXT-X-PART:').length, 12);
});

test('after a whole segment the first part of the next is announced', () => {
  assert.equal(linesOf(specOf(), 10).at(-2), '#EXT-X-PRELOAD-HINT:TYPE=PART,URI="1.0.m4s?key=1&x=2"');
});

test('parts are listed within three target durations of the end only', () => {
  const parts = valuesOf(linesOf(specOf(), 100), '#EXT-X-PART:');
  assert.equal(parts.length, 30);
  assert.match(parts[0]!, /URI="7\.0\.m4s/);
});

test('an open segment is not listed as a segment, and not at all where there are no parts', () => {
  const window = windowOf(plain, 0);
  window.add(partOf({ frames: 50, endsSegment: true }));
  window.add(partOf({ segment: 1, from: 50, frames: 5 }));
  const lines = mediaPlaylist(viewOf(plain, window)).split('\n');
  assert.deepEqual(lines.slice(-3), ['#EXTINF:2.00000,', '0.m4s?key=1&x=2', '']);
});

test('the media sequence is the number of the first segment that is listed', () => {
  const lines = linesOf(specOf(), 10 * 100);
  assert.deepEqual(valuesOf(lines, '#EXT-X-MEDIA-SEQUENCE:'), ['77']);
  assert.equal(
    lines.find((line) => line.endsWith('.m4s?key=1&x=2')),
    '77.m4s?key=1&x=2',
  );
});

test('the date of each segment is the origin and the frames before it', () => {
  const dates = valuesOf(linesOf(specOf(), 30), '#EXT-X-PROGRAM-DATE-TIME:');
  assert.deepEqual(dates, [
    '2030-01-01T00:00:00.000Z',
    '2030-01-01T00:00:02.000Z',
    '2030-01-01T00:00:04.000Z',
  ]);
});

test('a delta update skips the segments that end before the skip boundary, and leaves out nothing else', () => {
  const whole = linesOf(specOf(), 203);
  const delta = linesOf(specOf(), 203, true);
  const [skipped = ''] = valuesOf(delta, '#EXT-X-SKIP:');
  assert.equal(skipped, 'SKIPPED-SEGMENTS=14');
  const segments = (lines: string[]): string[] => lines.filter((line) => /^\d+\.m4s/.test(line));
  assert.deepEqual(segments(delta), segments(whole).slice(14));
  // The newest 12 s of whole segments and the open segment are left.
  assert.deepEqual(segments(delta).length, 6);
  assert.deepEqual(valuesOf(delta, '#EXT-X-MEDIA-SEQUENCE:'), valuesOf(whole, '#EXT-X-MEDIA-SEQUENCE:'));
});

test('a delta update of a short playlist, or of a plain one, is the playlist', () => {
  assert.deepEqual(linesOf(specOf(), 40, true), linesOf(specOf(), 40));
  assert.deepEqual(linesOf(plain, 203, true), linesOf(plain, 203));
});

test('the playlist of a stream that has ended has EXT-X-ENDLIST and announces no part', () => {
  const lines = linesOf(specOf(), 12, false, true);
  assert.equal(lines.at(-2), '#EXT-X-ENDLIST');
  assert.deepEqual(valuesOf(lines, '#EXT-X-PRELOAD-HINT'), []);
});

test('a segment after a jump is a discontinuity, and is counted when it is no longer listed', () => {
  const spec = specOf({ lowLatency: false });
  const window = windowOf(spec, 0);
  window.add(partOf({ frames: 50, endsSegment: true }));
  window.add(partOf({ segment: 1, from: 100, frames: 50, endsSegment: true, discontinuity: true }));
  const lines = mediaPlaylist(viewOf(spec, window)).split('\n');
  const at = lines.indexOf('#EXT-X-DISCONTINUITY');
  assert.equal(lines[at + 1], '#EXT-X-PROGRAM-DATE-TIME:2030-01-01T00:00:04.000Z');
  assert.deepEqual(valuesOf(lines, '#EXT-X-DISCONTINUITY-SEQUENCE:'), ['0']);
  for (let n = 2; n < 40; n++) {
    window.add(partOf({ segment: n, from: 100 + n * 50, frames: 50, endsSegment: true }));
  }
  const later = mediaPlaylist(viewOf(spec, window)).split('\n');
  assert.equal(later.indexOf('#EXT-X-DISCONTINUITY'), -1);
  assert.deepEqual(valuesOf(later, '#EXT-X-DISCONTINUITY-SEQUENCE:'), ['1']);
});

test('the multivariant playlist names codec, size, frame rate and a rate that no segment exceeds', () => {
  const spec = specOf();
  const window = windowOf(spec, 0);
  window.add(partOf({ bytes: new Uint8Array(100_000) }));
  const lines = multivariantPlaylist(viewOf(spec, window)).split('\n');
  assert.deepEqual(lines.slice(-3), [
    '#EXT-X-STREAM-INF:BANDWIDTH=4000000,CODECS="avc1.42c00d",RESOLUTION=320x180,FRAME-RATE=25.000',
    'stream.m3u8?key=1&x=2',
    '',
  ]);
});
