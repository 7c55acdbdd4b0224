// When a clip that was loaded in advance is sought, on videos that only remember what they are told.
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { DoubleBufferPlayer } from '../../../src/playback/clips/double-buffer-player.ts';
import type { PlaylistItem, RendererEvents } from '../../../src/playback/clips/playlist.ts';

/** Says, as Chromium does, that it is at its first frame, which is later than 0. */
class LateVideo extends EventTarget {
  readonly sought: number[] = [];
  readonly readyState = 4;
  readonly duration = 1;
  readonly videoWidth = 427;
  readonly error = null;
  readonly paused = true;
  readonly classList = { add: () => {}, remove: () => {} };
  src = '';
  #time = 0.08;
  get currentTime(): number {
    return this.#time;
  }
  set currentTime(second: number) {
    this.sought.push(second);
    this.#time = Math.max(second, 0.08);
  }
  setAttribute(): void {}
  pause(): void {}
  getRootNode(): object {
    return {};
  }
}

function stage(t: TestContext) {
  const videos: LateVideo[] = [];
  const createElement = (): LateVideo => {
    const video = new LateVideo();
    videos.push(video);
    return video;
  };
  Object.assign(globalThis, {
    document: { hidden: false, createElement },
    HTMLMediaElement: { HAVE_CURRENT_DATA: 2 },
  });
  t.after(() => ['document', 'HTMLMediaElement'].forEach((name) => Reflect.deleteProperty(globalThis, name)));
  const events = { onScreen: () => {}, event: () => {} } as unknown as RendererEvents;
  const settings = { playbackRate: 1, muted: true, volume: 1 };
  const player = new DoubleBufferPlayer({ append: () => {} } as unknown as Element, settings, events);
  const item = { playable: 'https://media.example/clip.mp4' } as unknown as PlaylistItem;
  return { player, item, sought: () => videos.flatMap((video) => video.sought), videos };
}

test('a clip that was loaded in advance is shown without a seek, also where its first frame is later than 0', (t) => {
  const { player, item, sought } = stage(t);
  player.prepare(item);
  player.show(item, 0);
  assert.deepEqual(sought(), []);
});

test('a clip that has played is sought to its beginning', (t) => {
  const { player, item, sought, videos } = stage(t);
  player.prepare(item);
  player.show(item, 0);
  videos[0]!.dispatchEvent(new Event('play'));
  player.show(item, 0);
  assert.deepEqual(sought(), [0]);
});

test('a clip that was sought and has not played is sought back', (t) => {
  const { player, item, sought } = stage(t);
  player.prepare(item);
  player.show(item, 0);
  player.show(item, 0.5);
  player.show(item, 0);
  assert.deepEqual(sought(), [0.5, 0]);
});
