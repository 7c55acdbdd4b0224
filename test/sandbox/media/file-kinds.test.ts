// Every kind of file, made by the worker and checked by a decoder and by FFmpeg's demuxers, which have no part in making it.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { EncodePool } from '../../../demo/sandbox/media/encode-pool.ts';
import type { Codec, Container, MediaSpec } from '../../../demo/sandbox/media/media-spec.ts';
import { clipId } from '../../../demo/sandbox/stamp.ts';
import { probe, type ProbedStream } from '../../ffmpeg/probe.ts';
import { decodeClip } from './decode-clip.ts';
import { specOf, stampOf } from './media-spec.ts';
import { stamped } from '../stamped.ts';

const pool = new EncodePool(stamped);
after(() => pool.close());

const make = async (text: string | null, changes: Partial<MediaSpec>) =>
  (await pool.encode(specOf(text, changes), () => {})).files;

const plain = specOf('').style;
const size = { width: plain.width, height: plain.height };
const clear = { ...plain, backdrop: 'transparent' };

interface Kind {
  readonly container: Exclude<Container, 'ts'>;
  readonly codec: Codec;
  readonly transparent?: true;
  /** As ffprobe names them. */
  readonly probed: Partial<ProbedStream>;
  /**
   * The codec string (RFC 6381) that the reader of the file derives. The reader calls every H.265 `hev1`, whatever the sample
   * entry is.
   */
  readonly name: RegExp;
}

const h264 = { codec_name: 'h264', codec_tag_string: 'avc1', profile: 'High' };
const baseline = { ...h264, profile: 'Constrained Baseline' };
const h265 = { codec_name: 'hevc', codec_tag_string: 'hvc1', profile: 'Main' };
const vp9 = { codec_name: 'vp9', codec_tag_string: 'vp09', profile: 'Profile 0' };
const av1 = { codec_name: 'av1', codec_tag_string: 'av01', profile: 'Main' };
const prores = { codec_name: 'prores', codec_tag_string: 'ap4h', profile: '4444', pix_fmt: 'yuva444p12le' };
const inWebm = { codec_name: 'vp9', profile: 'Profile 0' };

const kinds: readonly Kind[] = [
  { container: 'mp4', codec: 'h264', probed: h264, name: /^avc1\.6400/ },
  { container: 'mp4', codec: 'h265', probed: h265, name: /^hev1\.1\.6\.L60\.90$/ },
  { container: 'mp4', codec: 'vp9', probed: vp9, name: /^vp09\.00\.20\.08/ },
  { container: 'mp4', codec: 'av1', probed: av1, name: /^av01\.0\.00M\.08/ },
  { container: 'mov', codec: 'h264', probed: h264, name: /^avc1\.6400/ },
  { container: 'mov', codec: 'h265', probed: h265, name: /^hev1\.1\.6\.L60\.90$/ },
  { container: 'mov', codec: 'prores', transparent: true, probed: prores, name: /^ap4h$/ },
  { container: 'webm', codec: 'vp9', probed: inWebm, name: /^vp09\.00/ },
  {
    container: 'webm',
    codec: 'vp9',
    transparent: true,
    probed: { ...inWebm, tags: { alpha_mode: '1' } },
    name: /^vp09\.00/,
  },
  { container: 'segment', codec: 'h264', probed: baseline, name: /^avc1\.42c0/ },
  { container: 'segment', codec: 'h265', probed: h265, name: /^hev1/ },
  { container: 'segment', codec: 'vp9', probed: vp9, name: /^vp09/ },
  { container: 'segment', codec: 'av1', probed: av1, name: /^av01/ },
];

const formats = { mp4: /mp4/, segment: /mp4/, mov: /mov/, webm: /webm/ } as const;

for (const { container, codec, transparent, probed, name } of kinds) {
  test(`${container} with ${codec}${transparent ? ' and transparency' : ''} has in every frame what its name says`, async () => {
    const [file, ...more] = await make('Hi', { container, codec, style: transparent ? clear : plain });
    assert.ok(file);
    assert.deepEqual(more, []);
    const frames = 26;

    const { streams, format } = probe(file);
    assert.equal(streams.length, 1);
    const { tags, ...rest } = probed;
    const expected = { pix_fmt: 'yuv420p', color_space: 'bt709', r_frame_rate: '25/1', ...size, ...rest };
    for (const [field, value] of Object.entries(expected)) {
      assert.equal(streams[0]![field as keyof ProbedStream], value, field);
    }
    assert.equal(streams[0]!.tags?.['alpha_mode'], tags?.['alpha_mode']);
    assert.equal(Number(streams[0]!.nb_read_frames), frames);
    assert.match(format.format_name, formats[container]);
    assert.equal(Number(format.duration), frames / 25);

    const clip = await decodeClip(file);
    assert.match(clip.codec, name);
    assert.deepEqual([clip.width, clip.height], [size.width, size.height]);
    const places = clip.times.map((time) => Math.round(time * 25));
    assert.deepEqual(places.sort((a, b) => a - b), [...Array(frames).keys()]); // oxfmt-ignore
    assert.deepEqual(
      clip.pictures.map(stampOf),
      Array.from({ length: frames }, (_, frame) => ({ clip: clipId('Hi'), frame })),
    );
    assert.equal(clip.alphas.length, transparent ? frames : 0);
    for (const { y } of clip.alphas) {
      const middle = (size.height / 2) * size.width;
      assert.ok(y[middle]! <= 2, 'clear at the edge');
      assert.ok(y[middle + size.width / 2]! >= 253, 'opaque where the signer is');
    }
  });
}

for (const [container, codec, first] of [
  ['mp4', 'h264', 'ftyp'],
  ['segment', 'h264', 'ftyp'],
] as const) {
  test(`the index of ${container} comes before the pictures, so that it plays while it loads`, async () => {
    const bytes = Buffer.from((await make('one', { container, codec }))[0]!);
    assert.equal(bytes.toString('latin1', 4, 8), first);
    assert.ok(bytes.indexOf('moov') < bytes.indexOf('mdat'));
    assert.equal(bytes.indexOf('moof') > 0, container === 'segment');
    assert.equal(bytes.indexOf('moof'), bytes.lastIndexOf('moof'));
  });
}

for (const [codec, codec_name] of [
  ['h264', 'h264'],
  ['h265', 'hevc'],
] as const) {
  test(`MPEG-TS segments with ${codec} are one timeline and play as one file`, async () => {
    const files = await make(null, { container: 'ts', codec, seconds: 2.48, segmentSeconds: 1 });
    const probed = files.map((file) => probe(file));
    assert.deepEqual(probed.map(({ streams }) => streams[0]!.nb_read_frames), ['25', '25', '12']); // oxfmt-ignore
    for (const { streams, format } of probed) {
      assert.equal(format.format_name, 'mpegts');
      assert.equal(streams[0]!.codec_name, codec_name);
      assert.deepEqual([streams[0]!.width, streams[0]!.height], [size.width, size.height]);
    }
    const [start, ...rest] = probed.map(({ format }) => Number(format.start_time));
    assert.deepEqual(rest.map((time) => Math.round((time - start!) * 1000)), [1000, 2000]); // oxfmt-ignore

    const whole = await decodeClip(Buffer.concat(files));
    assert.deepEqual(whole.keys, [0, 25, 50]);
    assert.deepEqual(whole.pictures.map(stampOf), Array.from({ length: 62 }, (_, frame) => ({ clip: 0, frame }))); // oxfmt-ignore
  });
}
