// Whether a stream that the browser plays by itself is live, on a fake video that only has times.
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { openNative } from '../../../src/playback/live/native-engine.ts';
import type { EngineOptions } from '../../../src/playback/live/engine.ts';

class TellingVideo extends EventTarget {
  duration = NaN;
  currentTime = 0;
  readonly ended = false;
  /** Plays second by second: sets both times, and fires the event for them. */
  tells(type: string, currentTime: number, duration: number): void {
    Object.assign(this, { currentTime, duration });
    this.dispatchEvent(new Event(type));
  }
}

function opened(t: TestContext) {
  const video = new TellingVideo();
  const events = { onPlaylist() {}, onBuffered() {}, onError() {} };
  const engine = openNative({ video, events } as unknown as EngineOptions);
  t.after(() => engine.destroy());
  return { video, engine };
}

test('a stream whose duration grows as it plays is live, also when the page gets the event late', (t) => {
  for (const late of [0, 3]) {
    const { video, engine } = opened(t);
    video.tells('loadedmetadata', late, late + 0.1);
    for (let at = 1; at <= 20; at += 1) video.tells('durationchange', late + at / 40, late + 0.1 + at / 40);
    assert.equal(engine.isLive, true);
  }
});

test('a stream with an end that becomes a little longer at its end is not live', (t) => {
  const { video, engine } = opened(t);
  video.tells('durationchange', 0, 8);
  video.tells('loadedmetadata', 0, 8);
  for (const duration of [8.1, 8.2]) video.tells('durationchange', 8, duration);
  assert.equal(engine.isLive, false);
});
