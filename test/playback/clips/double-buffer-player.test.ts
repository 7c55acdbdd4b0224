// When a clip that was loaded in advance is sought, and when a clip is over, on fake videos that only record their calls.
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { DoubleBufferPlayer } from '../../../src/playback/clips/double-buffer-player.ts';
import type { PlaylistItem, RendererEvents } from '../../../src/playback/clips/playlist.ts';

/** Reports, as Chromium does, the time of its first frame, which is later than 0. */
class LateVideo extends EventTarget {
  readonly sought: number[] = [];
  readonly readyState = 4;
  ended = true;
  seeking = false;
  duration = 1;
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

function harness(t: TestContext) {
  const videos: LateVideo[] = [];
  const createElement = (): LateVideo => {
    const video = new LateVideo();
    videos.push(video);
    return video;
  };
  const frames: (() => void)[] = [];
  Object.assign(globalThis, {
    document: { hidden: false, createElement },
    requestAnimationFrame: (callback: () => void) => frames.push(callback),
    HTMLMediaElement: { HAVE_CURRENT_DATA: 2 },
  });
  t.after(() =>
    ['document', 'HTMLMediaElement', 'requestAnimationFrame'].forEach((name) =>
      Reflect.deleteProperty(globalThis, name),
    ),
  );
  const said: string[] = [];
  const shown: PlaylistItem[] = [];
  const events = {
    onScreen: (item: PlaylistItem) => void shown.push(item),
    event: () => {},
    duration: (_: PlaylistItem, seconds: number) => void said.push(`lasts ${seconds}`),
    ended: () => void said.push('ended'),
  } as unknown as RendererEvents;
  const settings = { playbackRate: 1, muted: true, volume: 1 };
  const player = new DoubleBufferPlayer({ append: () => {} } as unknown as Element, settings, events);
  const item = { playable: 'https://media.example/clip.mp4' } as unknown as PlaylistItem;
  const paint = (): void => frames.splice(0).forEach((callback) => callback());
  return { player, item, sought: () => videos.flatMap((video) => video.sought), videos, said, shown, paint };
}

test('a clip that was loaded in advance is shown without a seek, also where its first frame is later than 0', (t) => {
  const { player, item, sought } = harness(t);
  player.prepare(item);
  player.show(item, 0);
  assert.deepEqual(sought(), []);
});

test('a clip that has played is sought to its beginning', (t) => {
  const { player, item, sought, videos } = harness(t);
  player.prepare(item);
  player.show(item, 0);
  videos[0]!.dispatchEvent(new Event('play'));
  player.show(item, 0);
  assert.deepEqual(sought(), [0]);
});

test('a clip that was sought and has not played is sought back', (t) => {
  const { player, item, sought } = harness(t);
  player.prepare(item);
  player.show(item, 0);
  player.show(item, 0.5);
  player.show(item, 0);
  assert.deepEqual(sought(), [0.5, 0]);
});

test('a clip is over when the frame that is painted after its `ended` is on screen', (t) => {
  const { player, item, videos, said, paint } = harness(t);
  player.show(item, 0);
  videos[0]!.dispatchEvent(new Event('ended'));
  paint();
  assert.deepEqual(said, []);
  paint();
  assert.deepEqual(said, ['ended']);
});

test('a clip whose page is hidden is over with its `ended`, because nothing is painted', (t) => {
  const { player, item, videos, said } = harness(t);
  player.show(item, 0);
  Object.assign(document, { hidden: true });
  videos[0]!.dispatchEvent(new Event('ended'));
  assert.deepEqual(said, ['ended']);
});

test('a clip that does not go on to its end is over with the `ended` of the watchdog', (t) => {
  const { player, item, videos, said } = harness(t);
  player.show(item, 0);
  videos[0]!.ended = false;
  videos[0]!.dispatchEvent(new Event('ended'));
  assert.deepEqual(said, ['ended']);
});

test('a clip that turns out to be longer says so', (t) => {
  const { player, item, videos, said } = harness(t);
  player.show(item, 0);
  videos[0]!.duration = 1.04;
  videos[0]!.dispatchEvent(new Event('durationchange'));
  assert.deepEqual(said, ['lasts 1.04']);
});

test('a clip that is sought before its last frame was painted is not over', (t) => {
  const { player, item, videos, said, paint } = harness(t);
  player.show(item, 0);
  videos[0]!.dispatchEvent(new Event('ended'));
  player.show(item, 0.5);
  paint();
  paint();
  assert.deepEqual(said, []);
});

test('a clip that is loaded at a later position is shown once it is there, not with its first frame', (t) => {
  const { player, item, videos, shown } = harness(t);
  // WebKit reports its data while it still seeks.
  videos[0]!.seeking = true;
  player.show(item, 0.5);
  videos[0]!.dispatchEvent(new Event('loadeddata'));
  assert.deepEqual(shown, []);
  videos[0]!.seeking = false;
  videos[0]!.dispatchEvent(new Event('seeked'));
  assert.deepEqual(shown, [item]);
});
