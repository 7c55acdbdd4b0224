// An encoded stream, read as a player reads it: the stamps of the decoded pictures show which frames of which text are in it. The
// clock is manual.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VideoEncoder } from '../../../demo/sandbox/media/video-encoder.ts';
import { ScenePainter } from '../../../demo/sandbox/painter/scene-painter.ts';
import { scriptOf } from '../../../demo/sandbox/painter/script.ts';
import { clipId } from '../../../demo/sandbox/stamp.ts';
import { StreamEncoder } from '../../../demo/sandbox/streams/stream-encoder.ts';
import { segmentFrames, type Part, type StreamSpec } from '../../../demo/sandbox/streams/stream-spec.ts';
import { decodeClip } from '../media/decode-clip.ts';
import { stampOf } from '../media/media-spec.ts';
import { ORIGIN, specOf } from './stream-parts.ts';

interface Encoded {
  readonly init: Uint8Array;
  readonly parts: readonly Part[];
}

/** Runs a stream for the time of this many frames. @param meanwhile called before each frame with its number from 0 */
function encode(
  spec: StreamSpec,
  frames: number,
  meanwhile: (frame: number, encoder: StreamEncoder) => void,
): Encoded {
  const painter = new ScenePainter(spec.style, { stamp: true });
  const { width, height } = spec.style;
  const format = { width, height, keyEvery: segmentFrames(spec), codec: spec.codec, bitsPerSecond: null };
  const parts: Part[] = [];
  let init = new Uint8Array();
  const tools = {
    openEncoder: () => new VideoEncoder(format),
    paint: painter.paint.bind(painter),
  };
  const encoder = new StreamEncoder(spec, ORIGIN, tools, (report) => {
    if (report.kind === 'opened') init = report.init;
    if (report.kind === 'part') parts.push(report.part);
  });
  try {
    for (let frame = 0; frame < frames; frame++) {
      meanwhile(frame, encoder);
      encoder.advance(ORIGIN + frame * 40);
    }
  } finally {
    encoder.close();
  }
  return { init, parts };
}

const concat = (...pieces: readonly Uint8Array[]): Uint8Array => Buffer.concat(pieces);

/** `count` stamps of one script, from its first frame. */
const stamps = (clip: number, count: number): { clip: number; frame: number }[] =>
  Array.from({ length: count }, (_, frame) => ({ clip, frame }));

test('every frame of two texts is in the stream once and in order, with rest before, and after until it ends', async () => {
  const [one, two] = ['One', 'Mind the gap'];
  const { init, parts } = encode(specOf({ segmentSeconds: 1 }), 125, (frame, encoder) => {
    if (frame === 7) {
      for (const text of [one, two]) encoder.sign(scriptOf(text, null), ORIGIN);
    }
    if (frame === 110) encoder.end();
  });
  const clip = await decodeClip(concat(init, ...parts.map(({ bytes }) => bytes)));
  const lengths = [one, two].map((text) => scriptOf(text, null).gloss.frames);
  const signed = lengths[0]! + lengths[1]!;
  assert.deepEqual(clip.pictures.map(stampOf), [
    ...stamps(0, 25),
    ...stamps(clipId(one), lengths[0]!),
    ...stamps(clipId(two), lengths[1]!),
    ...stamps(0, 131 - 25 - signed),
  ]);
  assert.match(clip.codec, /^avc1\.42c0/);
  assert.deepEqual([clip.width, clip.height], [320, 180]);
  assert.deepEqual(
    clip.times.map((time) => Math.round(time * 1000)),
    clip.times.map((_, frame) => frame * 40),
  );
  // One segment of 0.8 s, then segments of one second.
  assert.deepEqual(clip.keys, [0, 20, 45, 70, 95, 120]);
});

test('any segment can be decoded without the segments before it', async () => {
  const { init, parts } = encode(specOf({ segmentSeconds: 1 }), 60, () => {});
  const second = parts.filter(({ segment }) => segment === 2);
  const clip = await decodeClip(concat(init, ...second.map(({ bytes }) => bytes)));
  assert.deepEqual(
    clip.pictures.map(stampOf),
    Array.from({ length: 25 }, (_, frame) => ({ clip: 0, frame: 45 + frame })),
  );
  assert.equal(Math.round(clip.times[0]! * 1000), 1800);
});

test('after a jump the time is the current time, and the frame decodes', async () => {
  const spec = specOf({ segmentSeconds: 1, lowLatency: false });
  const { init, parts } = encode(spec, 160, (frame, encoder) => {
    if (frame === 25) encoder.advance(ORIGIN + 100 * 40);
  });
  const clip = await decodeClip(concat(init, ...parts.map(({ bytes }) => bytes)));
  const times = clip.times.map((time) => Math.round((time * 1000) / 40));
  const gap = times.findIndex((time, i) => i > 0 && time !== times[i - 1]! + 1);
  assert.deepEqual([times[gap - 1], times[gap]], [25, 100]);
  assert.ok(clip.keys.includes(gap));
  assert.deepEqual(
    clip.pictures.map((picture) => stampOf(picture)?.frame),
    times.map((_, i) => i),
  );
});

for (const codec of ['h264', 'h265'] as const) {
  test(`MPEG-TS segments with ${codec} join without a gap, at times one second later than in fragmented MP4`, async () => {
    const text = 'One';
    const { init, parts } = encode(
      specOf({ codec, segmentType: 'ts', segmentSeconds: 1, kind: 'job' }),
      60,
      (frame, encoder) => {
        if (frame === 0) encoder.sign(scriptOf(text, 1.4), ORIGIN);
      },
    );
    assert.deepEqual(
      parts.map(({ frames, endsSegment }) => [frames, endsSegment]),
      [
        [25, true],
        [10, true],
      ],
    );
    const transport = await decodeClip(concat(...parts.map(({ ts }) => ts!)));
    const fragmented = await decodeClip(concat(init, ...parts.map(({ bytes }) => bytes)));
    assert.deepEqual(transport.pictures.map(stampOf), stamps(clipId(text), 35));
    assert.deepEqual(fragmented.pictures.map(stampOf), stamps(clipId(text), 35));
    assert.deepEqual(
      transport.times.map((time) => Math.round(time * 1000)),
      fragmented.times.map((time) => Math.round(time * 1000) + 1000),
    );
    assert.deepEqual(transport.keys, [0, 25]);
  });
}

test('continuity counters of MPEG-TS run on from segment to segment', () => {
  const { parts } = encode(
    specOf({ segmentType: 'ts', segmentSeconds: 1, kind: 'job' }),
    60,
    (frame, encoder) => {
      if (frame === 0) encoder.sign(scriptOf('One', 2), ORIGIN);
    },
  );
  const bytes = concat(...parts.map(({ ts }) => ts!));
  assert.equal(bytes.length % 188, 0);
  const counters = new Map<number, number>();
  for (let at = 0; at < bytes.length; at += 188) {
    assert.equal(bytes[at], 0x47);
    const pid = ((bytes[at + 1]! & 0x1f) << 8) | bytes[at + 2]!;
    const counter = bytes[at + 3]! & 15;
    const before = counters.get(pid);
    if (before !== undefined) assert.equal(counter, (before + 1) & 15);
    counters.set(pid, counter);
  }
  assert.deepEqual([...counters.keys()].sort(), [0, 0x100, 0x1000]);
});
