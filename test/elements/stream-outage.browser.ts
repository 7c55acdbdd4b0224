// Stream mode after the network was away for longer than the playlist lists the parts of a segment, in a real browser.
import { expect } from '@open-wc/testing';
import { configure } from '../../src/elements/configure.ts';
import { letMediaGo, secondsOf, watchMedia } from './held-media.ts';
import { heard, mount, unmountAll, until } from './harness.ts';

afterEach(async () => {
  configure({ hls: {} });
  letMediaGo();
  await unmountAll();
});

/** Seconds from the end of the playlist in which it lists parts (demo/sandbox/streams/hls-playlist.ts). */
const LISTED_SECONDS = 6;

it('the rest of a segment that has begun is loaded before the next one', async () => {
  // Then no part is fetched early, and the requests for parts are seen here.
  configure({ hls: { xhrSetup: () => {} } });
  const media = watchMedia();
  const { element } = await mount({ mode: 'stream', transport: 'v3' });
  const signed = element.sign('Hello');
  await heard(element, 'sign-start');
  // A segment has ten parts.
  const part = /\/(\d+)\.[2-5]\.m4s/;
  const begun = Number(part.exec(await media.hold(part))![1]);
  const playlist = media.urls.findLast((url) => url.includes('.m3u8'))!.replace(/&?_HLS_\w+=\w+/g, '');
  const before = await secondsOf(playlist);
  await until(
    () => secondsOf(playlist),
    (listed) => listed > before + LISTED_SECONDS + 4,
  );
  // Without a seek Chromium shows nothing of what is loaded again up to its next key frame.
  const sought = new Promise((resolve) => element.addEventListener('seeked', resolve, { once: true }));
  media.release();
  const whole = (): number[] =>
    media.urls.flatMap((url) => /\/(\d+)\.m4s/.exec(url)?.slice(1) ?? []).map(Number);
  await until(() => whole().filter((number) => number >= begun).length > 2);
  const loaded = whole().filter((number) => number >= begun);
  expect(loaded.slice(0, 3)).to.deep.equal([begun, begun + 1, begun + 2]);
  await sought;
  await signed;
}).timeout(90_000);
