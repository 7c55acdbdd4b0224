// When the player seeks in a clip that was loaded in advance, and when a clip is over, on fake videos that only record their
// calls.
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { DoubleBufferPlayer } from '../../../src/playback/clips/double-buffer-player.ts';
import type { PlaylistItem, RendererEvents } from '../../../src/playback/clips/playlist.ts';

/** The video reports the time of its first frame, which is later than 0, as Chromium does. */
class LateVideo extends EventTarget {
  readonly sought: number[] = [];
  readonly readyState = 4;
  ended = true;
  seeking = false;
  duration = 1;
  readonly videoWidth = 427;
  readonly error = null;
  paused = true;
  playbackRate = 1;
  readonly ownerDocument = { defaultView: globalThis };
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
  playsTo(second: number): void {
    this.#time = second;
  }
  setAttribute(): void {}
  readonly #watching: ((now: number, frame: { mediaTime: number }) => void)[] = [];
  requestVideoFrameCallback(callback: (now: number, frame: { mediaTime: number }) => void): number {
    return this.#watching.push(callback);
  }
  cancelVideoFrameCallback(): void {}
  shows(mediaTime: number): void {
    for (const callback of this.#watching.splice(0)) callback(0, { mediaTime });
  }
  play(): Promise<void> {
    this.played += 1;
    this.paused = false;
    return Promise.resolve();
  }
  played = 0;
  pause(): void {
    this.paused = true;
  }
  getRootNode(): object {
    return {};
  }
}

function harness(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
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
    painted: () => {},
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

test('a clip that goes on after a seek is sought to the same second once more', (t) => {
  const { player, item, sought, videos } = harness(t);
  player.show(item, 0);
  Object.assign(videos[0]!, { paused: false });
  player.show(item, 0.5);
  videos[0]!.dispatchEvent(new Event('timeupdate'));
  videos[0]!.playsTo(0.7);
  player.show(item, 0.5);
  assert.deepEqual(sought(), [0.5, 0.5]);
});

test('a clip that the visitor seeks to its beginning while it plays goes on', (t) => {
  const { player, item, said, videos } = harness(t);
  Object.assign(videos[0]!, { paused: false, ended: false, buffered: { length: 1, end: () => 1 } });
  player.show(item, 0);
  for (const type of ['play', 'playing']) videos[0]!.dispatchEvent(new Event(type));
  player.show(item, 0);
  Object.assign(videos[0]!, { seeking: true });
  videos[0]!.playsTo(0);
  videos[0]!.dispatchEvent(new Event('seeking'));
  videos[0]!.dispatchEvent(new Event('emptied'));
  assert.deepEqual([videos[0]!.paused, said], [false, []]);
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

for (const [what, paints, found] of [
  ['is sought to its last frame', true, [0.996]],
  ['plays once more from the frame on screen where a seek does nothing', false, [0.996, 0.4]],
] as const)
  test(`a clip that rests without its last frames on screen ${what}, and reports nothing more`, (t) => {
    const { player, item, videos, said, paint, sought } = harness(t);
    const [video] = videos;
    player.show(item, 0);
    video!.playsTo(0.4);
    video!.shows(0.4);
    paint();
    video!.playsTo(1);
    video!.dispatchEvent(new Event('ended'));
    paint();
    paint();
    t.mock.timers.tick(200);
    if (paints) {
      video!.shows(0.96);
      paint();
    }
    t.mock.timers.tick(1000);
    video!.dispatchEvent(new Event('ended'));
    assert.deepEqual([sought(), video!.played, said, player.within], [found, paints ? 0 : 1, ['ended'], 1]);
    video!.playsTo(1);
    video!.shows(0.96);
    paint();
    t.mock.timers.tick(60_000);
    assert.deepEqual(sought(), found);
  });

test('a clip that rests with its last frame on screen is not sought', (t) => {
  const { player, item, videos, paint, sought } = harness(t);
  player.show(item, 0);
  videos[0]!.playsTo(1);
  videos[0]!.shows(0.96);
  videos[0]!.dispatchEvent(new Event('ended'));
  paint();
  paint();
  t.mock.timers.tick(60_000);
  assert.deepEqual(sought(), []);
});

test('a clip that turns out to be longer reports its new duration', (t) => {
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

test('a clip that is loaded at a later position is shown when it has reached that position, not with its first frame', (t) => {
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
