// A live player that is interrupted, with streams of the real sandbox: DASH media that fails in the middle, a browser that refuses
// sound, a player that is moved in the page, and a stream that ends and restarts.
import { expect } from '@open-wc/testing';
import '../../../src/dash.ts';
import { setFaults } from '../../backend/client.ts';
import { stampOf } from '../../page/read-stamp.ts';
import { calmStates, mount, openStream, unmountAll, until, type EndlessStream } from './live-harness.ts';
import { frames } from '../on-page.ts';

let stream: EndlessStream;
/** While true, requests for segments fail. */
let isCut = false;
/** Requests for segments. */
let asked = 0;
/** Requests for manifests wait for this promise. */
let manifests: Promise<unknown> | null = null;
const { play } = HTMLMediaElement.prototype;
const { random } = Math;
const { fetch, setTimeout } = window;
const rejections: unknown[] = [];
const onRejection = ({ reason }: PromiseRejectionEvent): void => void rejections.push(reason);

before(async () => {
  addEventListener('unhandledrejection', onRejection);
  // Shaka keeps the fetch that it finds when it is loaded.
  window.fetch = (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const isSegment = url.includes('.m4s');
    if (isSegment) asked += 1;
    if (isSegment && isCut) return Promise.reject(new TypeError('cut'));
    const first = url.includes('.mpd') ? manifests : null;
    return first ? first.then(() => fetch.call(window, input, init)) : fetch.call(window, input, init);
  };
  stream = await openStream();
});
after(() => removeEventListener('unhandledrejection', onRejection));
afterEach(async () => {
  HTMLMediaElement.prototype.play = play;
  Math.random = random;
  window.setTimeout = setTimeout;
  isCut = false;
  await setFaults([]);
  await unmountAll();
  expect(rejections.splice(0)).to.deep.equal([]);
});

it('when the connection of a DASH stream breaks, the last frame stays; when it is back, playback is at live', async () => {
  const { player, heard } = mount({ src: stream.dash });
  await until(() => heard.states.includes('signing') && player.currentTime >= player.liveEdgeStart);
  const { media } = player;
  await setFaults([{ fault: 'media_cut', after_bytes: 0 }]);
  window.dispatchEvent(new Event('offline'));
  await until(() => heard.states.at(-1) === 'reconnecting');
  expect([player.paused, player.media === media, player.videoWidth > 0]).to.deep.equal([false, true, true]);
  await setFaults([]);
  window.dispatchEvent(new Event('online'));
  await until(() => heard.states.at(-1) === 'signing' && player.currentTime >= player.liveEdgeStart);
  expect([player.media === media, heard.errors]).to.deep.equal([true, []]);
  await until(() => stampOf(player.media!));
});

it('a DASH stream that has stopped loading is requested again at the event online', async () => {
  // The waits before the next tries, known because the jitter is set. These timers never fire.
  const waits = new Set([950, 1900, 3800, 7600]);
  let waiting = 0;
  Math.random = () => 0.4;
  window.setTimeout = ((run: () => void, ms = 0) =>
    waits.has(ms) ? -(waiting += 1) : setTimeout(run, ms)) as typeof window.setTimeout;
  const { player, heard } = mount({ src: stream.dash });
  await until(() => heard.states.includes('signing') && player.currentTime >= player.liveEdgeStart);
  isCut = true;
  window.dispatchEvent(new Event('offline'));
  await until(
    () => heard.states.at(-1) === 'reconnecting' && waiting > 0,
    Boolean,
    () => [heard, waiting, asked, player.currentTime, player.media?.readyState, player.media?.seeking],
  );
  // A manifest that comes makes Shaka request segments as well.
  let release = (): void => {};
  manifests = new Promise<void>((resolve) => (release = resolve));
  isCut = false;
  const before = asked;
  window.dispatchEvent(new Event('online'));
  // Shaka alone would request after more than half a minute; a player that retries at once does so after a tenth of a second.
  let isLate = false;
  const timer = setTimeout(() => (isLate = true), 20_000);
  await until(() => asked > before);
  expect(isLate).to.equal(false);
  clearTimeout(timer);
  manifests = null;
  release();
  await until(() => heard.states.at(-1) === 'signing' && player.currentTime >= player.liveEdgeStart);
  expect(heard.errors).to.deep.equal([]);
});

it('a live player plays with sound where the browser allows it, else muted', async () => {
  const loud = mount({ src: stream.hls });
  loud.player.muted = false;
  // A first picture may be painted before the browser has said that it plays.
  await until(
    () => loud.heard.states.includes('signing') && loud.player.currentTime >= loud.player.liveEdgeStart,
  );
  expect([loud.player.muted, loud.player.media!.muted, loud.player.media!.paused]).to.deep.equal([
    false,
    false,
    false,
  ]);

  HTMLMediaElement.prototype.play = function () {
    return this.muted
      ? play.call(this)
      : Promise.reject(new DOMException('no sound without a gesture', 'NotAllowedError'));
  };
  const { player, heard } = mount({ src: stream.hls });
  player.muted = false;
  let changes = 0;
  player.addEventListener('volumechange', () => (changes += 1));
  await until(
    () => heard.states.includes('signing') && player.muted && player.currentTime >= player.liveEdgeStart,
  );
  expect([player.muted, player.media!.muted, player.media!.paused, changes]).to.deep.equal([
    true,
    true,
    false,
    1,
  ]);
});

it('a live player keeps playing when it is moved; at the end of the stream it restarts with loop, and stops without loop', async () => {
  const { player, heard } = mount({ src: stream.hls });
  await until(() => heard.states.includes('signing'));
  const { media } = player;
  let emptied = 0;
  player.addEventListener('emptied', () => (emptied += 1));
  const elsewhere = document.createElement('section');
  document.body.append(elsewhere);
  elsewhere.append(player);
  await frames(4);
  const at = player.currentTime;
  await until(() => player.currentTime > at + 0.3 && player.currentTime >= player.liveEdgeStart);
  expect([player.media === media, emptied, calmStates(heard)]).to.deep.equal([
    true,
    0,
    ['connecting', 'signing'],
  ]);

  player.loop = true;
  // While a browser seeks, no stamp can be read, so it is read before the end.
  const { frame: last } = (await until(() => stampOf(media!)))!;
  await stream.end();
  await until(async () => {
    const stamp = player.currentTime < at && (await stampOf(media!));
    return stamp && stamp.frame < last;
  });
  await until(() => !media!.paused && player.streamType === 'on-demand');
  expect([player.ended, calmStates(heard)]).to.deep.equal([false, ['connecting', 'signing']]);
  player.loop = false;
  player.currentTime = player.duration - 0.5;
  await until(() => heard.states.at(-1) === 'ended');
  expect([player.ended, player.paused, heard.errors]).to.deep.equal([true, true, []]);
  elsewhere.remove();
});
