// Lets hls.js run in Node: the features of a browser that it checks before it plays, and an engine on a video without media.
import assert from 'node:assert/strict';
import type { Engine, EngineEvents } from '../../../src/playback/live/engine.ts';
import { loadHls } from '../../../src/playback/live/hls-engine.ts';

class MediaSourceStub extends EventTarget {
  readonly readyState = 'closed';
  static isTypeSupported = (): boolean => true;
}
class BufferStub {
  appendBuffer(): void {}
  remove(): void {}
}

Object.assign(globalThis, {
  self: Object.assign(globalThis, { location: new URL('https://page.example/') }),
  MediaSource: MediaSourceStub,
  SourceBuffer: BufferStub,
});
URL.createObjectURL = () => 'blob:page';

/** An engine with the options of configure(). */
export async function hlsEngine(onError: EngineEvents['onError'] = () => {}): Promise<Engine> {
  const open = await loadHls();
  assert.ok(open);
  const video = Object.assign(new EventTarget(), {
    textTracks: [],
    buffered: [],
    querySelectorAll: () => [],
  });
  return open({
    video: video as unknown as HTMLVideoElement,
    events: { onPlaylist() {}, onBuffered() {}, onError },
    fromStart: false,
    targetLatency: null,
    hasEnd: () => false,
  });
}
