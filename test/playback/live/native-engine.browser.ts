// Streams of the sandbox in a browser without MediaSource, which plays HLS by itself or not at all: WebKitGTK plays a stream
// that grows and one that has ended; Chromium plays the latter, and fails at the parts of the former; Firefox plays neither.
import { expect } from '@open-wc/testing';
import { playsNatively } from '../../../src/playback/live/native-engine.ts';
import { removeAllPlayers, growingStream, listened, livePlayer, until, watchFrames } from './harness.ts';

/** How often a video began to load something. */
let loads = 0;
const own = Object.getOwnPropertyDescriptors(globalThis) as Record<string, PropertyDescriptor | undefined>;
const sources = ['MediaSource', 'ManagedMediaSource'] as const;
const { createElement } = Document.prototype;

before(() => {
  for (const name of sources) delete (globalThis as Record<string, unknown>)[name];
  // Without CORS the page may not read what is painted.
  Document.prototype.createElement = function (this: Document, name: string): HTMLElement {
    const element = Reflect.apply(createElement, this, [name]);
    if (element instanceof HTMLVideoElement) {
      element.crossOrigin = 'anonymous';
      element.addEventListener('loadstart', () => (loads += 1));
    }
    return element;
  } as typeof createElement;
});
after(() => {
  Document.prototype.createElement = createElement;
  for (const name of sources) if (own[name]) Object.defineProperty(globalThis, name, own[name]);
});
afterEach(removeAllPlayers);

it('plays live streams and streams with an end where the browser can, and fails where it cannot; a failure is no pause', async () => {
  const stream = await growingStream();
  const live = listened({ hls: stream.hls });
  const player = livePlayer();
  player.show(live);
  const grown = watchFrames(player);
  await until(
    () => grown.seen.length > 20 || live.reports.recovering.length > 0 || live.reports.failed.length > 0,
  );
  grown.stop();
  if (!playsNatively()) {
    expect([live.reports.failed, live.reports.painted]).to.deep.equal([['media_error'], 0]);
    return;
  }
  const frames = grown.seen.map(({ frame }) => frame);
  // Chromium shows a part of 5 frames twice when it has waited for the next one, and begins again where it fails.
  if (loads === 1) expect(frames.at(-1)).to.be.above(frames[0]!);
  expect([player.paused, player.streamType, live.reports.failed]).to.deep.equal([false, 'live', []]);

  stream.end();
  await until(async () => (await (await fetch(stream.hls)).text()).includes('#EXT-X-ENDLIST'));
  const whole = listened({ hls: stream.hls });
  const other = livePlayer();
  const all = watchFrames(other);
  other.show(whole);
  await until(
    () => whole.reports.ended,
    Boolean,
    () => [whole.reports, other.currentTime, other.duration],
  );
  all.stop();
  expect([other.streamType, other.ended, whole.reports.failed]).to.deep.equal(['on-demand', true, []]);
  const shown = all.seen.map(({ frame }) => frame);
  expect(shown).to.deep.equal(shown.toSorted((a, b) => a - b));
  expect(shown[0], 'it began at its beginning').to.be.below(12);
  // A busy machine does not show every frame, nor the last.
  expect(shown.at(-1), 'it went on').to.be.above(other.duration * 12);
});
