// MPEG-TS segments that become clips, checked by FFmpeg: it decodes the same pictures at the same times from the clip as from the
// segment. Broken segments are refused with a typed error.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { TransportStream } from '../../../demo/sandbox/streams/transport-stream.ts';
import { RemuxError } from '../../../src/playback/mp4/boxes.ts';
import { remux } from '../../../src/playback/mp4/remux.ts';
import { remuxSegment } from '../../../src/playback/silence/silence-segment.ts';
import { decodeClip } from '../../sandbox/media/decode-clip.ts';
import { readBoxes, theBox } from '../mp4/box-tree.ts';

const x264 = '-map 0:v -c:v libx264 -pix_fmt yuv420p';
const reordered = `${x264} -preset veryfast -bf 3 -g 12 -x264-params b-adapt=0`;

/** Options of FFmpeg by name. */
const recipes: Readonly<Record<string, string>> = {
  baseline: `${x264} -preset ultrafast -profile:v baseline`,
  'three B-frames': reordered,
  'several slices a frame': `${reordered} -slices 4`,
  'a size that needs cropping': `${x264} -preset ultrafast -vf scale=154:86`,
  interlaced: `${reordered} -vf scale=160:88 -flags +ildct+ilme -x264-params tff=1`,
  '29.97 frames a second': `${reordered} -vf fps=30000/1001`,
  'with sound': `${reordered} -map 1:a -c:a aac -shortest`,
  'with filler units': `${x264} -preset ultrafast -b:v 400k -maxrate 400k -bufsize 400k -x264-params nal-hrd=cbr`,
  'a clock that wraps': `${reordered} -output_ts_offset 95443`,
};
const unsupported: Readonly<Record<string, string>> = {
  'H.265': '-map 0:v -c:v libx265 -preset ultrafast -x265-params log-level=none:pools=1',
  'MPEG-2': '-map 0:v -c:v mpeg2video',
  'sound alone': '-map 1:a -c:a aac',
  'one frame': `${x264} -frames:v 1`,
  'a chroma format of 4:4:4': `${x264} -vf format=yuv444p -pix_fmt yuv444p`,
};

async function makeSegments(): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const folder = mkdtempSync(join(tmpdir(), 'segments-'));
  const all = Object.entries({ ...recipes, ...unsupported });
  try {
    const inputs = '-f lavfi -t 1 -i testsrc2=size=160x90:rate=25 -f lavfi -t 1 -i sine'.split(' ');
    const outputs = all.flatMap(([name, options]) => [
      ...options.split(' '),
      ...['-f', 'mpegts'],
      join(folder, name),
    ]);
    await promisify(execFile)('ffmpeg', ['-nostdin', '-v', 'error', ...inputs, ...outputs]);
    return new Map(all.map(([name]) => [name, new Uint8Array(readFileSync(join(folder, name)))]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const segments = await makeSegments();
const segmentOf = (name: string): Uint8Array<ArrayBuffer> => segments.get(name)!;

const clipOf = (segment: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => {
  const { init, media } = remuxSegment(segment);
  return new Uint8Array(Buffer.concat([init, media]));
};

/** Width and height in the header of the track, then in its sample description. */
function sizesIn({ init }: { init: Uint8Array }): number[] {
  const boxes = readBoxes(init);
  const header = Buffer.from(theBox(boxes, 'tkhd').content);
  const description = Buffer.from(theBox(boxes, 'stsd').content);
  return [
    header.readUInt16BE(header.length - 8),
    header.readUInt16BE(header.length - 4),
    description.readUInt16BE(40),
    description.readUInt16BE(42),
  ];
}

const fromZero = (times: readonly number[]): number[] =>
  times.map((time) => Math.round((time - Math.min(...times)) * 1e4));

for (const name of Object.keys(recipes)) {
  test(`${name}: the same pictures at the same times, from the first to the end of the last`, async () => {
    const segment = segmentOf(name);
    const [before, after] = [await decodeClip(segment), await decodeClip(clipOf(segment))];
    const md5 = ({ y }: { y: Uint8Array }): string => createHash('md5').update(y).digest('hex');
    assert.deepEqual(after.pictures.map(md5), before.pictures.map(md5));
    assert.deepEqual(fromZero(after.times), fromZero(before.times));
    assert.deepEqual(after.keys, before.keys);
    const about = remuxSegment(segment);
    assert.ok(Math.abs(Math.min(...after.times) - about.firstFrameAt) < 1e-4, 'it begins where it says');
    const { width, height } = before.pictures[0]!;
    assert.deepEqual(sizesIn(about), [width, height, width, height]);
    // The last frame lasts as long as the one before it.
    const frame = 1 / (name.startsWith('29') ? 30_000 / 1001 : 25);
    assert.ok(Math.abs(about.durationSeconds - before.pictures.length * frame) < 1e-3, 'all of its frames');
    assert.equal(remux(clipOf(segment)).mimeType, about.mimeType, 'the remuxer reads it, too');
  });
}

for (const name of Object.keys(unsupported)) {
  test(`${name} is unsupported`, () => {
    assert.throws(() => remuxSegment(segmentOf(name)), { name: 'RemuxError', kind: 'unsupported' });
  });
}

test('the segments that the sandbox writes join one by one', () => {
  // A sequence of 16 by 16 pixels and a picture set, as an encoder describes them.
  const description = Uint8Array.of(
    ...[1, 66, 192, 10, 255, 225, 0, 8, 0x67, 66, 192, 10, 0xdd, 0xec, 0x04, 0x40],
    ...[1, 0, 4, 0x68, 0xce, 0x0f, 0x2c],
  );
  const stream = new TransportStream({ codec: 'avc1.42c00a', description });
  const key = { data: Uint8Array.of(0, 0, 0, 3, 0x65, 0x88, 0x84), key: true, shown: 0 };
  const other = { data: Uint8Array.of(0, 0, 0, 3, 0x41, 0x9a, 0x02), key: false, shown: 1 };
  for (const from of [0, 3]) {
    const joined = remuxSegment(stream.write(from, [key, other, other]));
    assert.equal(joined.durationSeconds, 0.12);
    assert.equal(joined.mimeType, 'video/mp4; codecs="avc1.42c00a"');
    assert.deepEqual(sizesIn(joined), [16, 16, 16, 16]);
  }
});

test('a packet that is missing, cut off or without its sync byte is malformed', () => {
  const segment = segmentOf('three B-frames');
  const middle = 188 * Math.floor(segment.length / 188 / 2);
  const broken = {
    missing: Buffer.concat([segment.subarray(0, middle), segment.subarray(middle + 188)]),
    cut: segment.subarray(0, segment.length - 7),
    unmarked: Buffer.from(segment).fill(0, middle, middle + 1),
    empty: new Uint8Array(0),
  };
  for (const [name, bytes] of Object.entries(broken)) {
    assert.throws(() => remuxSegment(new Uint8Array(bytes)), { kind: 'malformed' }, name);
  }
});

test('packets that were sent twice are taken once', () => {
  const segment = segmentOf('with sound');
  const packets = Array.from({ length: segment.length / 188 }, (_, index) =>
    segment.subarray(188 * index, 188 * (index + 1)),
  );
  const twice = new Uint8Array(Buffer.concat(packets.flatMap((packet) => [packet, packet])));
  assert.deepEqual(remuxSegment(twice), remuxSegment(segment));
});

test('a segment broken at random is remuxed or refused with a typed error', () => {
  const bases = ['three B-frames', 'several slices a frame', 'with sound'].map(segmentOf);
  let seed = 7;
  const chance = (below: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const outcomes = { remuxed: 0, refused: 0 };
  for (let round = 0; round < 600; round += 1) {
    const bytes = new Uint8Array(bases[round % bases.length]!);
    // Most changes are in the tables and headers of the first packets.
    for (let changes = 1 + chance(4); changes > 0; changes -= 1) {
      bytes[chance(chance(3) === 0 ? bytes.length : 1200)] = chance(256);
    }
    try {
      const { durationSeconds, media } = remuxSegment(bytes);
      assert.ok(durationSeconds > 0 && Number.isFinite(durationSeconds), `it lasts ${durationSeconds} s`);
      assert.ok(media.length < 2 * bytes.length, `${media.length} bytes of ${bytes.length}`);
      outcomes.remuxed += 1;
    } catch (error) {
      if (!(error instanceof RemuxError)) throw error;
      outcomes.refused += 1;
    }
  }
  assert.ok(outcomes.remuxed > 50 && outcomes.refused > 50, JSON.stringify(outcomes));
});
