// Real clips, encoded and decoded again: a player gets the promised pictures.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { EncodePool } from '../../../demo/sandbox/media/encode-pool.ts';
import { frameSizes, type Encoding, type FrameSize } from '../../../demo/sandbox/media/media-spec.ts';
import { glossOf } from '../../../demo/sandbox/painter/script.ts';
import { ownBackplate } from '../../../demo/sandbox/painter/render-style.ts';
import type { SignerName } from '../../../demo/sandbox/painter/figure.ts';
import { clipId } from '../../../demo/sandbox/stamp.ts';
import { probe } from '../../ffmpeg/probe.ts';
import { decodeClip, type Luma } from './decode-clip.ts';
import { specOf, stampOf } from './media-spec.ts';
import { stamped } from '../stamped.ts';

const pool = new EncodePool(stamped);
after(() => pool.close());

async function clipOf(text: string, size: FrameSize = specOf('').style, signer: SignerName = 'RAE') {
  const style = ownBackplate(signer, size);
  const { files } = await pool.encode(specOf(text, { style }), () => {});
  return files[0]!;
}

/** The times of the pictures in 25ths of a second, in the order of coding. */
const placesOf = ({ times }: { readonly times: readonly number[] }): number[] =>
  times.map((time) => Math.round(time * 25));

for (const [resolution, size] of Object.entries(frameSizes)) {
  test(`a clip at ${resolution} is H.264 High of that size, 25 frames a second, every frame stamped in order`, async () => {
    const text = 'One';
    const clip = await decodeClip(await clipOf(text, size));
    const { frames } = glossOf(text);
    assert.match(clip.codec, /^avc1\.64/);
    assert.deepEqual([clip.width, clip.height], [size.width, size.height]);
    assert.deepEqual(placesOf(clip).sort((a, b) => a - b), [...Array(frames).keys()]); // oxfmt-ignore
    assert.ok(Math.abs(clip.duration - frames / 25) < 1e-6);
    assert.deepEqual(
      clip.pictures.map(stampOf),
      Array.from({ length: frames }, (_, frame) => ({ clip: clipId(text), frame })),
    );
  });
}

test('a clip begins with a key frame and has one every 10 seconds', async () => {
  const { keys, pictures } = await decodeClip(await clipOf('one two three four '.repeat(6)));
  assert.ok(pictures.length > 260);
  assert.deepEqual(keys, [0, 250]);
});

/** Mean difference of the signer's part of two pictures, which is between stamp and caption, 0 to 219. */
function difference(a: Luma, b: Luma): number {
  const [from, to] = [Math.round(a.height * 0.14) * a.width, Math.round(a.height * 0.78) * a.width];
  let sum = 0;
  for (let i = from; i < to; i++) sum += Math.abs(a.y[i]! - b.y[i]!);
  return sum / (to - from);
}

test('any two clips join, because the last picture of one is the first of the other', async () => {
  const [one, two] = await Promise.all(['One thing', 'Quite another'].map(async (text) => decodeClip(await clipOf(text)))); // oxfmt-ignore
  const [first, last] = [one!.pictures[0]!, one!.pictures.at(-1)!];
  assert.ok(difference(last, two!.pictures[0]!) < 0.5);
  assert.ok(difference(first, last) < 0.5);
  assert.ok(difference(first, one!.pictures[12]!) > 1, 'and in between it moves');
});

test('the three signers look different', async () => {
  const [rae, jay, max] = await Promise.all(
    (['RAE', 'JAY', 'MAX'] as const).map(async (signer) => (await decodeClip(await clipOf('one', undefined, signer))).pictures[0]!), // oxfmt-ignore
  );
  assert.ok(difference(rae!, jay!) > 2);
  assert.ok(difference(rae!, max!) > 2);
  assert.ok(difference(jay!, max!) > 2);
});

const texts: readonly (readonly [why: string, text: string])[] = [
  ['nothing', ''],
  ['a word wider than the picture', 'w'.repeat(400)],
  ['letters of other scripts', 'Привет 你好 مرحبا 👩🏽‍🚀 e\u0301'],
  ['control characters and half surrogates', 'a\u0000b\u202e\ud800c'],
];

for (const [why, text] of texts) {
  test(`${why} can be signed`, async () => {
    const { pictures } = await decodeClip(await clipOf(text));
    assert.deepEqual(stampOf(pictures[0]!), { clip: clipId(text), frame: 0 });
  });
}

for (const container of ['mp4', 'mov'] as const) {
  test(`a clip in ${container} has B-frames unless the sandbox is set to make none, and every frame is shown in order from 0`, async (t) => {
    const { files } = await pool.encode(specOf('One two three', { container }), () => {});
    const { frames } = glossOf('One two three');
    const { profile, has_b_frames: delay } = probe(files[0]!).streams[0]!;
    assert.deepEqual([profile, delay! > 0], ['High', true]);
    const coded = await decodeClip(files[0]!);
    assert.notDeepEqual(placesOf(coded), [...Array(frames).keys()], 'coded in another order');
    assert.deepEqual(coded.pictures.map((each) => stampOf(each)?.frame), [...Array(frames).keys()]); // oxfmt-ignore
    const plain = new EncodePool({ ...stamped, bFrames: false });
    t.after(() => plain.close());
    const shown = await plain.encode(specOf('One two three', { container }), () => {});
    assert.equal(probe(shown.files[0]!).streams[0]!.profile, 'Constrained Baseline');
    assert.deepEqual(placesOf(await decodeClip(shown.files[0]!)), [...Array(frames).keys()]); // oxfmt-ignore
  });
}

const encodings: readonly (readonly [what: string, encoding: Encoding, seconds: number, frames: number])[] = [
  ['no B-frames', { order: 'as_shown' }, 1.04, 26],
  ['6 frames at 5 a second', { order: 'b_frames', frames: 6, frames_per_second: 5 }, 1.2, 6],
  ['a last frame held 1.2 s', { order: 'b_frames', hold: { frame: 25, seconds: 1.2 } }, 2.24, 26],
  [
    'a last frame held 1.2 s that would be coded before others',
    { order: 'b_frames', frames: 24, hold: { frame: 23, seconds: 1.2 } },
    2.16,
    24,
  ],
  ['B-frames that others need', { order: 'b_pyramid' }, 1.04, 26],
  ['open groups', { order: 'open_groups', key_every: 10 }, 1.04, 26],
  ['the index behind', { index: 'behind' }, 1.04, 26],
  ['fragments', { index: 'fragments', key_every: 10 }, 1.04, 26],
  ['a picture to be turned', { rotation: 90 }, 1.04, 26],
  ['an odd timescale', { ticks: 40_009 }, 1.04, 26],
  ['a delay that an edit takes back', { edit: 'delay' }, 1.04, 26],
  ['places of 64 bits', { offsets: 'co64', sound: { track: 'second' } }, 1.04, 26],
  ['parameter sets where the samples may have them', { entry: 'avc3' }, 1.04, 26],
  ['wide pixels', { pixels: 'wide' }, 1.04, 26],
];

for (const [what, encoding, seconds, frames] of encodings) {
  test(`a clip can be requested with ${what}`, async () => {
    const { files, durationSeconds } = await pool.encode(specOf('One', { encoding }), () => {});
    const [stream] = probe(files[0]!).streams;
    const { duration, pictures } = await decodeClip(files[0]!);
    assert.ok(Math.abs(durationSeconds - seconds) < 1e-6);
    assert.ok(Math.abs(duration - seconds) < 0.001, `${duration} s`);
    assert.equal(pictures.length, frames);
    assert.equal(stream!.profile, encoding.order === 'as_shown' ? 'Constrained Baseline' : 'High');
  });
}

test('a clip can be requested with edits, 64-bit offsets, other sample entries and wide pixels, as FFmpeg reads them', async () => {
  const seen = async (encoding: Encoding, changes = {}) => {
    const { files } = await pool.encode(specOf('One', { encoding, ...changes }), () => {});
    return { file: Buffer.from(files[0]!), ...probe(files[0]!).streams[0]! };
  };
  const cut = await seen({ edit: 'trimmed' });
  assert.equal(Number(cut.duration), 0.84);
  assert.equal(Number((await seen({ edit: 'empty' })).start_time), 0.4);
  assert.ok((await seen({ offsets: 'co64' })).file.includes('co64'));
  assert.equal((await seen({ entry: 'avc3' })).codec_tag_string, 'avc3');
  assert.equal((await seen({ entry: 'hev1' }, { codec: 'h265' })).codec_tag_string, 'hev1');
  assert.equal((await seen({ pixels: 'wide' })).sample_aspect_ratio, '4:3');
});

test('a clip can be requested with a silent sound track, first or second, longer or shorter than the picture', async () => {
  const sounds = [
    ['first', undefined, ['audio', 'video'], 1.04],
    ['second', 0.5, ['video', 'audio'], 1.54],
    ['second', -0.5, ['video', 'audio'], 0.54],
  ] as const;
  for (const [track, longer, order, seconds] of sounds) {
    const encoding = { order: 'b_frames', sound: { track, longer_seconds: longer } } as const;
    const { files } = await pool.encode(specOf('One', { encoding }), () => {});
    const { streams } = probe(files[0]!);
    assert.deepEqual(streams.map(({ codec_type }) => codec_type), order); // oxfmt-ignore
    const sound = streams.find(({ codec_type }) => codec_type === 'audio')!;
    assert.ok(Math.abs(Number(sound.duration) - seconds) < 0.022, `${sound.duration} s of ${seconds}`);
    // Every packet decodes.
    assert.equal(Number(sound.nb_read_frames), Math.floor((seconds * 48_000) / 1024));
    assert.equal((await decodeClip(files[0]!)).pictures.length, 26);
  }
});
