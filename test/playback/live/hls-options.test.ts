// Options of hls.js that a page sets with configure().
import assert from 'node:assert/strict';
import test, { afterEach } from 'node:test';
import type { HlsConfig, Loader, LoaderContext, LoaderStats } from 'hls.js';
import { configure } from '../../../src/elements/configure.ts';
import { loadHls } from '../../../src/playback/live/hls-engine.ts';

/** The features of a browser that hls.js checks before it plays. */
class MediaSourceStub extends EventTarget {
  readonly readyState = 'closed';
  static isTypeSupported = (): boolean => true;
}
class BufferStub {
  appendBuffer(): void {}
  remove(): void {}
}

const asked: string[] = [];
const configs: HlsConfig[] = [];

/** A page's own loader, which never answers. */
class OwnLoader {
  readonly context = null;
  readonly stats = {} as LoaderStats;
  constructor(config: HlsConfig) {
    configs.push(config);
  }
  load({ url }: LoaderContext): void {
    asked.push(url);
  }
  abort(): void {}
  destroy(): void {}
}
const loader = OwnLoader as unknown as new (config: HlsConfig) => Loader<LoaderContext>;

const address = 'https://media.example/live.m3u8';

/** Plays the address with the options in force. */
async function play(): Promise<void> {
  const open = await loadHls();
  assert.ok(open);
  const video = Object.assign(new EventTarget(), {
    textTracks: [],
    buffered: [],
    querySelectorAll: () => [],
  });
  const events = { onPlaylist() {}, onBuffered() {}, onError() {} };
  const engine = open({
    video: video as unknown as HTMLVideoElement,
    events,
    fromStart: false,
    targetLatency: null,
    hasEnd: () => false,
  });
  engine.load(address);
  await engine.destroy();
}

Object.assign(globalThis, {
  self: Object.assign(globalThis, { location: new URL('https://page.example/') }),
  MediaSource: MediaSourceStub,
  SourceBuffer: BufferStub,
});
URL.createObjectURL = () => 'blob:page';

afterEach(() => {
  configure({ hls: undefined, log: undefined });
  asked.length = configs.length = 0;
});

test('the loader of a page makes the requests of a stream, and its other options count', async () => {
  configure({ hls: { loader, backBufferLength: 7, startPosition: 99 } });
  await play();
  assert.deepEqual(asked, [address]);
  assert.equal(configs[0]?.backBufferLength, 7);
  assert.equal(configs[0]?.startPosition, -1, 'where it starts is ours');
});

test('with the option cmcd each request has the session id for a CDN', async () => {
  configure({ hls: { loader, cmcd: { sessionId: 'one', useHeaders: false } } });
  await play();
  const sent = new URL(asked[0]!).searchParams.get('CMCD') ?? '';
  assert.match(sent, /\bsid="one"/);
});
