// The bounded store of finished clips.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClipSpec } from '../../../demo/sandbox/media/clip.ts';
import { ClipStore } from '../../../demo/sandbox/media/clip-store.ts';

const specOf = (text: string): ClipSpec => ({ text, signer: 'RAE', resolution: '720p' });

/** A store of `mostBytes` over an encoder whose clips have as many bytes as their text has letters. */
function storeOf(mostBytes: number) {
  const encoded: string[] = [];
  const store = new ClipStore(
    {
      encode: ({ text }, onStage) => {
        encoded.push(text);
        onStage('text_to_gloss', 5);
        return Promise.resolve({
          bytes: new Uint8Array(text.length),
          durationSeconds: 1,
          stages: { text_to_gloss: 5, gloss_translation: 6, stream_generator: 7 },
        });
      },
    },
    mostBytes,
  );
  return { encoded, store, clip: (text: string) => store.clipOf(specOf(text), () => {}) };
}

test('a clip is made once, and its second time takes no time in any stage', async () => {
  const { encoded, store } = storeOf(100);
  const heard: [string, number][] = [];
  const first = await store.clipOf(specOf('hello'), () => {});
  const second = await store.clipOf(specOf('hello'), (stage, ms) => heard.push([stage, ms]));
  assert.deepEqual(encoded, ['hello']);
  assert.equal(second.name, first.name);
  assert.equal(second.bytes, first.bytes);
  assert.equal(first.stages.gloss_translation, 6);
  assert.deepEqual(heard, [
    ['text_to_gloss', 0],
    ['gloss_translation', 0],
    ['stream_generator', 0],
  ]);
  assert.deepEqual(second.stages, { text_to_gloss: 0, gloss_translation: 0, stream_generator: 0 });
});

test('text, signer and resolution all make another clip', async () => {
  const { store } = storeOf(100);
  const names = new Set<string>();
  for (const change of [{}, { text: 'b' }, { signer: 'JAY' }, { resolution: '480p' }] as const) {
    names.add((await store.clipOf({ ...specOf('a'), ...change }, () => {})).name);
  }
  assert.equal(names.size, 4);
});

test('over its bytes it lets go of the clip that was used longest ago', async () => {
  const { store, clip } = storeOf(10);
  const [a, b] = [await clip('aaaa'), await clip('bbbb')];
  assert.ok(store.named(a.name));
  const c = await clip('cccc');
  assert.equal(store.named(b.name), null);
  assert.ok(store.named(a.name));
  assert.ok(store.named(c.name));
});

test('a clip larger than the store is handed out and not kept', async () => {
  const { store, clip } = storeOf(3);
  const large = await clip('large');
  assert.equal(large.bytes.length, 5);
  assert.equal(store.named(large.name), null);
});

test('two makings of one clip at the same time count once', async () => {
  const { store, clip } = storeOf(10);
  const [first, second] = await Promise.all([clip('aaaa'), clip('aaaa')]);
  const other = await clip('bbbb');
  assert.equal(first.name, second.name);
  assert.ok(store.named(first.name));
  assert.ok(store.named(other.name));
});
