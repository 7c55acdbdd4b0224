// What happens to a stream that delivers nothing, with a fake video and engine and mock timers.
import assert from 'node:assert/strict';
import test, { afterEach, beforeEach, mock } from 'node:test';
import { GapController, type WatchedVideo } from '../../../src/playback/live/stream-recovery.ts';

Object.assign(globalThis, { HTMLMediaElement: { HAVE_CURRENT_DATA: 2 } });

let ending = new AbortController();
let onLine = true;
Object.defineProperty(globalThis, 'navigator', {
  configurable: true,
  value: {
    get onLine() {
      return onLine;
    },
  },
});

beforeEach(() => {
  ending = new AbortController();
  mock.timers.enable({ apis: ['setInterval'] });
});
afterEach(() => {
  ending.abort();
  mock.timers.reset();
  onLine = true;
});

/** As `TimeRanges`. */
const ranges = (...spans: readonly (readonly [number, number])[]): TimeRanges => ({
  length: spans.length,
  start: (i) => spans[i]![0],
  end: (i) => spans[i]![1],
});

function harness() {
  const log: string[] = [];
  const events = new EventTarget();
  const engine = {
    isLive: null as boolean | null,
    isSoundAlone: false,
    edge: null as number | null,
    received: 0,
    start: () => log.push('start'),
    repair: () => log.push('repair'),
  };
  const video = {
    buffered: ranges(),
    currentTime: 0,
    ended: false,
    paused: true,
    readyState: 0,
    seeking: false,
    videoWidth: 640,
    addEventListener: events.addEventListener.bind(events),
  };
  const viewer = { waits: false };
  const options = {
    engine,
    video: video as WatchedVideo,
    isAwaited: () => viewer.waits,
    failed: () => log.push('failed'),
  };
  const controller = new GapController(options, ending.signal);
  const seconds = (count: number, each = (): void => {}): void => {
    for (let i = 0; i < count; i++) {
      each();
      mock.timers.tick(1000);
      // As its owner does; Node's mock of an interval cannot be cleared by its own callback.
      if (log.at(-1) === 'failed') ending.abort();
    }
  };
  const loaded = (): void => {
    events.dispatchEvent(new Event('loadeddata'));
    if (log.at(-1) === 'failed') ending.abort();
  };
  /** A picture is there and plays. */
  const play = (): void => {
    Object.assign(video, { readyState: 4, paused: false });
    engine.isLive = true;
    loaded();
    seconds(3, () => (video.currentTime += 1));
  };
  return { engine, video, viewer, log, seconds, loaded, play, controller };
}

for (const hasPicture of [false, true]) {
  test(`the media of a stream that has an end is requested for a minute ${hasPicture ? 'after' : 'before'} its first frame`, () => {
    const { engine, log, seconds, play } = harness();
    if (hasPicture) play();
    engine.isLive = false;
    seconds(2);
    log.length = 0;
    seconds(60);
    assert.deepEqual(log, ['start', hasPicture ? 'start' : 'repair', 'failed']);
    seconds(200);
    assert.equal(log.length, 3);
  });
}

test('a manifest that never arrives is requested for a minute', () => {
  const { log, seconds } = harness();
  seconds(20);
  assert.deepEqual(log, []);
  seconds(1);
  assert.deepEqual(log, ['start']);
  seconds(40);
  assert.deepEqual(log, ['start', 'start', 'failed']);
  seconds(200);
  assert.equal(log.length, 3, 'nothing more is tried');
});

test('a stream with a manifest and no first frame is loaded again and repaired alternately', () => {
  const { engine, log, seconds } = harness();
  engine.isLive = true;
  seconds(42);
  assert.deepEqual(log, ['start', 'repair']);
});

test('the controller waits for a slow download', () => {
  const { engine, log, seconds } = harness();
  seconds(200, () => (engine.received += 100));
  assert.deepEqual(log, []);
});

test('a stall with buffered media is repaired; a stall without media fails after 5 min', () => {
  const { video, log, seconds, play } = harness();
  play();
  video.buffered = ranges([0, video.currentTime + 2]);
  seconds(20);
  assert.deepEqual(log, ['repair']);
  seconds(3, () => (video.currentTime += 0.6));
  video.buffered = ranges([0, video.currentTime]);
  seconds(20 * 15);
  assert.deepEqual(log.slice(1), Array<string>(15).fill('start'));
  seconds(20);
  assert.equal(log.at(-1), 'failed');
});

for (const hasPicture of [false, true]) {
  test(`a seek that does not end although its media is there is repaired while more media comes, ${hasPicture ? 'after' : 'before'} the first frame`, () => {
    const { engine, video, log, seconds, play } = harness();
    if (hasPicture) play();
    engine.isLive = true;
    Object.assign(video, { readyState: 1, seeking: true, currentTime: 2.8 });
    seconds(30, () => (engine.received += 100));
    assert.deepEqual(log, [], 'it waits for its media');
    let end = 4.8;
    const arrive = (): void => {
      engine.received += 100;
      video.buffered = ranges([0.8, (end += 1)]);
    };
    seconds(19, arrive);
    assert.deepEqual(log, []);
    seconds(1, arrive);
    assert.deepEqual(log, ['repair']);
  });
}

test('a stream whose playlist is answered and does not grow is loaded again every 20 s, as long as that lasts', () => {
  const { engine, video, log, seconds, play, controller } = harness();
  play();
  engine.edge = 12;
  video.buffered = ranges([0, video.currentTime]);
  seconds(3600, () => controller.playlistRead());
  assert.deepEqual(log, Array<string>(180).fill('start'));
  // The server is gone.
  seconds(20 * 15 + 19);
  assert.equal(log.includes('failed'), false);
  seconds(20);
  assert.equal(log.at(-1), 'failed');
});

test('a stream whose playlist is answered and does not grow fails after the viewer has waited for a minute', () => {
  const { engine, video, viewer, log, seconds, play, controller } = harness();
  play();
  engine.edge = 12;
  video.buffered = ranges([0, video.currentTime]);
  seconds(3600, () => controller.playlistRead());
  viewer.waits = true;
  log.length = 0;
  seconds(59, () => controller.playlistRead());
  assert.deepEqual(log, ['start', 'start']);
  seconds(1, () => controller.playlistRead());
  assert.deepEqual(log, ['start', 'start', 'failed']);
});

test('a stream whose playlist grows and of which nothing is received fails after 5 min', () => {
  const { engine, video, log, seconds, play, controller } = harness();
  play();
  video.buffered = ranges([0, video.currentTime]);
  seconds(20 * 16, () => {
    engine.edge = (engine.edge ?? 0) + 1;
    controller.playlistRead();
  });
  assert.equal(log.at(-1), 'failed');
});

for (const [what, isLive, isSoundAlone, seconds] of [
  ['after 20 s if it is live', true, false, 20],
  ['at once if its manifest says so', true, true, 0],
  ['at once if it has an end', false, false, 0],
] as const) {
  test(`a stream with only sound fails ${what}`, () => {
    const { engine, video, log, loaded, seconds: pass } = harness();
    Object.assign(engine, { isLive, isSoundAlone });
    Object.assign(video, { videoWidth: 0, readyState: 4, paused: false });
    const passed = (count: number): void => pass(count, () => (video.currentTime += 1));
    loaded();
    passed(seconds - 1);
    assert.deepEqual(log, seconds > 0 ? [] : ['failed']);
    passed(1);
    assert.deepEqual(log, ['failed']);
  });
}

test('a live stream whose picture begins later than its sound, or is away for a moment, plays on', () => {
  const { engine, video, log, seconds, loaded } = harness();
  engine.isLive = true;
  Object.assign(video, { videoWidth: 0, readyState: 4, paused: false });
  const passed = (count: number): void => seconds(count, () => (video.currentTime += 1));
  loaded();
  passed(15);
  // The source is replaced, and loads.
  video.readyState = 0;
  passed(1);
  Object.assign(video, { videoWidth: 640, readyState: 4 });
  loaded();
  passed(60);
  video.videoWidth = 0;
  passed(15);
  assert.deepEqual(log, []);
});

test('nothing is done while paused, or after the end', () => {
  const { video, log, seconds, play } = harness();
  play();
  video.paused = true;
  seconds(300);
  Object.assign(video, { paused: false, ended: true });
  seconds(300);
  assert.deepEqual(log, []);
});

test('nothing is done while offline', () => {
  onLine = false;
  const { log, seconds } = harness();
  seconds(300);
  assert.deepEqual(log, []);
});

test('live playback jumps a gap in the buffer, before its first frame and later', () => {
  const { engine, video, seconds, play } = harness();
  engine.isLive = true;
  Object.assign(video, { readyState: 1, seeking: true, buffered: ranges([2, 4]) });
  seconds(3);
  assert.equal(video.currentTime, 2.05);

  Object.assign(video, { currentTime: 0, buffered: ranges() });
  seconds(10);
  video.buffered = ranges([2, 4]);
  seconds(1);
  assert.equal(video.currentTime, 2.05, 'the media came later than the stall');

  Object.assign(video, { seeking: false });
  play();
  const { currentTime } = video;
  video.buffered = ranges([0, currentTime + 0.08], [currentTime + 1, currentTime + 3]);
  seconds(2);
  assert.equal(video.currentTime, currentTime + 1.05);
});

test('after a seek into a gap, and in a stream with an end, it waits for the media', () => {
  const { engine, video, seconds, play } = harness();
  play();
  const { currentTime } = video;
  video.buffered = ranges([0, 1], [currentTime + 1, currentTime + 3]);
  video.seeking = true;
  seconds(5);
  assert.equal(video.currentTime, currentTime);
  video.seeking = false;
  engine.isLive = false;
  seconds(5);
  assert.equal(video.currentTime, currentTime);
});
