// What happens at each check to a video that does not move although all of it is loaded, on a manual clock.
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { restartWhenStalled } from '../../../src/playback/clips/video-slot.ts';

/** A file of 2 s that plays and does not move; `done` records the calls on it. */
class StandingVideo extends EventTarget {
  readonly done: string[] = [];
  readonly duration: number = 2;
  paused = false;
  ended = false;
  seeking = false;
  loop = false;
  loaded = 2;
  isAsked = false;
  #time = 1;

  get buffered() {
    return { length: 1, end: () => this.loaded };
  }
  get currentTime(): number {
    return this.#time;
  }
  set currentTime(time: number) {
    this.done.push(`seek ${time}`);
    this.#time = time;
  }
  standsAt(time: number): void {
    this.#time = time;
  }
  load(): void {
    this.done.push('load');
    this.#time = 0;
  }
  pause(): void {
    this.done.push('pause');
  }
  play(): Promise<void> {
    this.done.push('play');
    return Promise.reject(new Error('refused'));
  }
}

function played(t: TestContext, video = new StandingVideo()) {
  t.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
  Object.assign(globalThis, { document: { hidden: false } });
  t.after(() => Reflect.deleteProperty(globalThis, 'document'));
  restartWhenStalled(video as unknown as HTMLVideoElement, () => video.isAsked);
  video.addEventListener('ended', () => video.done.push('ended'));
  video.dispatchEvent(new Event('playing'));
  t.after(() => video.dispatchEvent(new Event('emptied')));
  /** The calls during this number of checks. */
  const look = (times: number): string[] => {
    for (let n = 0; n < times; n++) t.mock.timers.tick(500);
    return video.done.splice(0);
  };
  return { video, look };
}

test('a video that has not moved for 1.5 s is paused and played once more', (t) => {
  const { look } = played(t);
  assert.deepEqual(look(3), []);
  assert.deepEqual(look(1), ['pause', 'play']);
});

test('a video that then stops at the same position is loaded again, and goes on from there', (t) => {
  const { video, look } = played(t);
  assert.deepEqual(look(4), ['pause', 'play']);
  video.dispatchEvent(new Event('playing'));
  assert.deepEqual(look(4), ['load', 'seek 1', 'play']);
});

test('a video that has moved since then is only paused and played when it stops again', (t) => {
  const { video, look } = played(t);
  assert.deepEqual(look(4), ['pause', 'play']);
  video.dispatchEvent(new Event('playing'));
  video.standsAt(1.4);
  assert.deepEqual(look(4), ['pause', 'play']);
});

test('a video that moves is not touched', (t) => {
  const { video, look } = played(t);
  for (const time of [1.1, 1.2, 1.3, 1.4]) {
    video.standsAt(time);
    assert.deepEqual(look(1), []);
  }
});

test('a video at its end has ended', (t) => {
  const { video, look } = played(t);
  video.standsAt(1.96);
  assert.deepEqual(look(4), ['ended']);
});

test('a video that is at its end and does not pause is paused, and has ended', (t) => {
  for (const type of ['timeupdate', 'play']) {
    const { video, look } = played(t);
    video.ended = true;
    video.dispatchEvent(new Event(type));
    assert.deepEqual(look(1), ['pause', 'ended']);
    t.mock.timers.reset();
  }
});

test('a video that pauses at its end is not touched', (t) => {
  const { video, look } = played(t);
  video.ended = true;
  video.dispatchEvent(new Event('timeupdate'));
  video.paused = true;
  assert.deepEqual(look(1), []);
});

test('a video that goes to its beginning by itself while it plays is sent back to its end, and has ended', (t) => {
  const { video, look } = played(t);
  Object.assign(video, { seeking: true });
  video.standsAt(0);
  video.dispatchEvent(new Event('seeking'));
  assert.deepEqual(look(1), ['seek 1.996', 'ended']);
});

for (const [what, how, paused] of [
  ['in a loop', { loop: true }, false],
  ['because it is played once more after its end', {}, true],
  ['because it was sent there', { isAsked: true }, false],
  ['while it is still loading', { loaded: 1.2 }, false],
] as const) {
  test(`a video that goes to its beginning ${what} is not touched`, (t) => {
    const { video, look } = played(t);
    if (paused) video.dispatchEvent(new Event('pause'));
    Object.assign(video, how, { seeking: true });
    video.standsAt(0);
    video.dispatchEvent(new Event('seeking'));
    assert.deepEqual(look(1), []);
  });
}

test('a looping video at its end begins again, whether the browser says that all is loaded or not', (t) => {
  const { video, look } = played(t);
  Object.assign(video, { loop: true, loaded: 0 });
  video.standsAt(1.96);
  assert.deepEqual(look(4), ['seek 0']);
});

for (const [what, how] of [
  ['waits for more', { loaded: 1.2 }],
  ['is paused', { paused: true }],
  ['seeks', { seeking: true }],
  ['has no end', { duration: Infinity }],
] as const) {
  test(`a video that ${what} is not touched`, (t) => {
    const { video, look } = played(t);
    Object.assign(video, how);
    assert.deepEqual(look(10), []);
  });
}

test('a pause, an end and another file end the checks', (t) => {
  for (const type of ['pause', 'ended', 'emptied']) {
    const { video, look } = played(t);
    video.dispatchEvent(new Event(type));
    assert.deepEqual(
      look(10).filter((done) => done !== 'ended'),
      [],
    );
    t.mock.timers.reset();
  }
});
