// The encoders by themselves: key frames where segments begin, and the requested rate.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Codec } from '../../../demo/sandbox/media/media-spec.ts';
import { VideoEncoder, type Sample, type VideoFormat } from '../../../demo/sandbox/media/video-encoder.ts';
import { eachCase } from '../each-case.ts';

// Otherwise SVT-AV1 prints its configuration.
process.env['SVT_LOG'] = '0';

const size = { width: 320, height: 240 };

/** 3 s with noise in the upper quarter, which can be coded at any rate. */
function encodeNoise(format: Partial<VideoFormat>): Sample[] {
  const encoder = new VideoEncoder({ ...size, ...format });
  let seed = 1;
  const samples: Sample[] = [];
  try {
    for (let frame = 0; frame < 75; frame++) {
      const coded = encoder.encode(({ y, u, v }) => {
        for (const plane of [y, u, v]) plane.fill(128);
        for (let i = 0; i < y.length / 4; i++) {
          seed = (seed * 1103515245 + 12345) & 0x7fffffff;
          y[i] = 64 + ((seed >> 16) & 127);
        }
      });
      samples.push(...coded);
    }
    return [...samples, ...encoder.flush()];
  } finally {
    encoder.close();
  }
}

const keysOf = (samples: readonly Sample[]): number[] =>
  samples.flatMap(({ key }, frame) => (key ? frame : []));

for (const codec of ['h264', 'h265', 'vp9', 'av1'] satisfies Codec[]) {
  test(`${codec} has a key frame at each requested number of frames, and none between`, () => {
    assert.deepEqual(keysOf(encodeNoise({ codec, keyEvery: 30 })), [0, 30, 60]);
  });

  test(`${codec} keeps to the rate it is given`, () => {
    for (const bitsPerSecond of [500_000, 2_000_000]) {
      const samples = encodeNoise({ codec, bitsPerSecond });
      const rate = (samples.reduce((sum, { data }) => sum + data.length, 0) * 8) / 3;
      assert.ok(
        rate > bitsPerSecond * 0.7 && rate < bitsPerSecond * 1.3,
        `${Math.round(rate)} bits a second`,
      );
    }
  });
}

test('h264 has the rate it is given also where a picture needs less', () => {
  for (const order of ['as_shown', 'b_frames'] as const) {
    const encoder = new VideoEncoder({ ...size, order, bitsPerSecond: 5_000_000 });
    const samples = Array.from({ length: 75 }, () => encoder.encode(({ y, u, v }) => [y, u, v].forEach((plane) => plane.fill(128)))); // oxfmt-ignore
    const bytes = [...samples.flat(), ...encoder.flush()].reduce((sum, { data }) => sum + data.length, 0);
    encoder.close();
    const rate = (bytes * 8) / 3;
    assert.ok(rate > 4_500_000 && rate < 5_500_000, `${Math.round(rate)} bits a second`);
  }
});

const names: readonly (readonly [codec: Codec, name: string])[] = [
  ['h264', 'avc1.42c00d'],
  ['h265', 'hvc1.1.6.L60.90'],
  ['vp9', 'vp09.00.20.08'],
  ['av1', 'av01.0.00M.08.0.111.01.01.01.0'],
];

test('a manifest can name each codec by its profile and level', () =>
  eachCase(names, ([codec, name]) => {
    const encoder = new VideoEncoder({ ...size, codec });
    encoder.close();
    assert.equal(encoder.description.codec, name);
  }));

test('h264 with transparency is refused, and ProRes without it', () =>
  eachCase(
    [
      ['h264', true, /h264 is made without transparency only/],
      ['prores', false, /prores is made with transparency only/],
    ] as const,
    ([codec, alpha, words]) => {
      assert.throws(() => new VideoEncoder({ ...size, codec, alpha }), words);
    },
  ));
