// The bounded store of finished media.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClipStore } from '../../../demo/sandbox/media/clip-store.ts';
import {
  EncodeError,
  type EncodedMedia,
  type MediaSpec,
  type OnStage,
} from '../../../demo/sandbox/media/media-spec.ts';
import { specOf } from './media-spec.ts';
import { eachCase } from '../each-case.ts';

/** A store of `mostBytes` over an encoder whose files have as many bytes as their text has letters. */
function storeOf(mostBytes: number) {
  const encoded: (string | null)[] = [];
  const store = new ClipStore(
    {
      encode: ({ text, container }, onStage) => {
        encoded.push(text);
        onStage('text_to_gloss', 5);
        const bytes = new Uint8Array(text?.length ?? 0);
        return Promise.resolve({
          files: container === 'ts' ? [bytes, bytes, bytes] : [bytes],
          durationSeconds: 1,
          stages: { text_to_gloss: 5, gloss_translation: 6, stream_generator: 7 },
        });
      },
    },
    () => mostBytes,
  );
  return { encoded, store, clip: (text: string) => store.mediaOf(specOf(text), () => {}) };
}

test('a clip is rendered once, and the second request takes no time in any stage', async () => {
  const { encoded, store } = storeOf(100);
  const heard: [string, number][] = [];
  const first = await store.mediaOf(specOf('hello'), () => {});
  const second = await store.mediaOf(specOf('hello'), (stage, ms) => heard.push([stage, ms]));
  assert.deepEqual(encoded, ['hello']);
  assert.equal(second.name, first.name);
  assert.equal(second.files, first.files);
  assert.equal(first.stages.gloss_translation, 6);
  assert.deepEqual(heard, [
    ['text_to_gloss', 0],
    ['gloss_translation', 0],
    ['stream_generator', 0],
  ]);
  assert.deepEqual(second.stages, { text_to_gloss: 0, gloss_translation: 0, stream_generator: 0 });
});

const { style } = specOf('a');
const logo = { file: Uint8Array.of(1, 2, 3), position: 'top-left', size: 'small' } as const;
const changes: readonly Partial<MediaSpec>[] = [
  {},
  { text: 'b' },
  { text: null },
  { seconds: 3 },
  { codec: 'h265' },
  { container: 'mov' },
  { bitsPerSecond: 1_500_000 },
  { container: 'ts', segmentSeconds: 2 },
  { container: 'ts', segmentSeconds: 3 },
  { style: { ...style, signer: 'JAY' } },
  { style: { ...style, width: 640, height: 360 } },
  { style: { ...style, backdrop: '#ff0000' } },
  { style: { ...style, signerSize: 'small' } },
  { style: { ...style, wordPanel: false } },
  { style: { ...style, subtitles: true } },
  { style: { ...style, fit: 'pad' } },
  { style: { ...style, logo } },
  { style: { ...style, logo: { ...logo, file: Uint8Array.of(1, 2, 4) } } },
  { style: { ...style, logo: { ...logo, position: 'top-right' } } },
];

test('any field that changes the bytes makes another clip, down to the bytes of a logo', async () => {
  const { store } = storeOf(100);
  const names = new Set<string>();
  for (const change of changes) names.add((await store.mediaOf(specOf('a', change), () => {})).name);
  assert.equal(names.size, changes.length);
});

test('equal specs share one clip, in any order of their fields', async () => {
  const { encoded, store } = storeOf(100);
  const spec = specOf('a', { style: { ...style, logo } });
  const backward = (fields: object): object => Object.fromEntries(Object.entries(fields).reverse());
  const turned = { ...spec.style, logo: backward({ ...logo, file: Buffer.from(logo.file) }) };
  await store.mediaOf(spec, () => {});
  await store.mediaOf(backward({ ...spec, style: backward(turned) }) as MediaSpec, () => {});
  assert.deepEqual(encoded, ['a']);
});

test('above its limit of bytes the store drops the clip that was used longest ago', async () => {
  const { store, clip } = storeOf(10);
  const [a, b] = [await clip('aaaa'), await clip('bbbb')];
  assert.ok(store.named(a.name));
  const c = await clip('cccc');
  assert.equal(store.named(b.name), null);
  assert.ok(store.named(a.name));
  assert.ok(store.named(c.name));
});

test('segments count with all their bytes', async () => {
  const { store, clip } = storeOf(10);
  const a = await clip('aaaa');
  const row = await store.mediaOf(specOf('bbb', { container: 'ts', segmentSeconds: 1 }), () => {});
  assert.equal(store.named(a.name), null);
  assert.equal(store.named(row.name)?.files.length, 3);
});

test('a clip that is larger than the store is delivered and not kept', async () => {
  const { store, clip } = storeOf(3);
  const large = await clip('large');
  assert.equal(large.files[0]!.bytes.length, 5);
  assert.equal(store.named(large.name), null);
});

const kinds: readonly (readonly [change: Partial<MediaSpec>, type: string, endings: readonly string[]])[] = [
  [{ container: 'mp4' }, 'video/mp4', ['.mp4']],
  [{ container: 'mov' }, 'video/quicktime', ['.mov']],
  [{ container: 'webm', codec: 'vp9' }, 'video/webm', ['.webm']],
  [{ container: 'segment' }, 'video/mp4', ['.m4s']],
  [{ container: 'ts', segmentSeconds: 1 }, 'video/mp2t', ['-0.ts', '-1.ts', '-2.ts']],
];

test('each container has its address and its type', () =>
  eachCase(kinds, async ([change, type, endings]) => {
    const { store } = storeOf(100);
    const media = await store.mediaOf(specOf('a', change), () => {});
    assert.match(media.name, /^[0-9a-f]{32}$/);
    assert.equal(media.type, type);
    assert.deepEqual(media.files.map(({ path }) => path), endings.map((end) => `/clips/${media.name}${end}`)); // oxfmt-ignore
  }));

/** A store with an encoder whose results the test gives. */
function slowStore() {
  const jobs: { onStage: OnStage; resolve: (media: EncodedMedia) => void; reject: (error: Error) => void }[] =
    [];
  const store = new ClipStore(
    {
      encode: (_spec, onStage) => new Promise((resolve, reject) => jobs.push({ onStage, resolve, reject })),
    },
    () => Infinity,
  );
  return { store, jobs };
}

const made: EncodedMedia = {
  files: [new Uint8Array(1)],
  durationSeconds: 1,
  stages: { text_to_gloss: 5, gloss_translation: 6, stream_generator: 7 },
};

test('two requests at the same time share one rendering, and every stage is reported to both', async () => {
  const { store, jobs } = slowStore();
  const heard: string[][] = [[], []];
  const first = store.mediaOf(specOf('a'), (stage, ms) => heard[0]!.push(`${stage} ${ms}`));
  jobs[0]!.onStage('text_to_gloss', 5);
  const second = store.mediaOf(specOf('a'), (stage, ms) => heard[1]!.push(`${stage} ${ms}`));
  jobs[0]!.onStage('gloss_translation', 6);
  jobs[0]!.resolve(made);
  assert.equal(await first, await second);
  assert.equal(jobs.length, 1);
  assert.deepEqual(heard, [['text_to_gloss 5', 'gloss_translation 6'], ['text_to_gloss 5', 'gloss_translation 6']]); // oxfmt-ignore
});

test('a clip that failed is rendered again at the next request', async () => {
  const { store, jobs } = slowStore();
  const both = [store.mediaOf(specOf('a'), () => {}), store.mediaOf(specOf('a'), () => {})];
  jobs[0]!.reject(new EncodeError('refused'));
  for (const media of both) await assert.rejects(media, EncodeError);
  const again = store.mediaOf(specOf('a'), () => {});
  jobs[1]!.resolve(made);
  assert.equal((await again).durationSeconds, 1);
});
