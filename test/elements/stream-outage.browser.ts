// Stream mode after the network was away for longer than the playlist lists the parts of a segment, in a real browser.
import { expect } from '@open-wc/testing';
import { configure } from '../../src/elements/configure.ts';
import { letMediaGo, secondsOf, watchMedia } from './held-media.ts';
import {
  heard,
  mount,
  startOf,
  unmountAll,
  until,
  watchPicture,
  watchStarts,
  type ReportedStart,
} from './harness.ts';

afterEach(async () => {
  configure({ hls: {} });
  letMediaGo();
  await unmountAll();
});

/** Seconds from the end of the playlist in which it lists parts (demo/sandbox/streams/hls-playlist.ts). */
const LISTED_SECONDS = 6;
const FIRST_PART = /\/(\d+)\.0\.m4s/;
/** A segment has ten parts. */
const PART_INSIDE = /\/(\d+)\.[2-5]\.m4s/;
const numberIn = (pattern: RegExp, url: string): number => Number(pattern.exec(url)![1]);

for (const how of ['one by one', 'in a row'])
  it(`the rest of a segment whose parts were loaded ${how} is loaded before the next segment`, async () => {
    // Then no part is fetched early, and the requests for parts are seen here.
    configure({ hls: { xhrSetup: () => {} } });
    const media = watchMedia();
    const { element } = await mount({ mode: 'stream', transport: 'v3' });
    const signed = element.sign('Hello');
    await heard(element, 'sign-start');
    const address = (): string =>
      media.urls.findLast((url) => url.includes('.m3u8'))!.replace(/&?_HLS_\w+=\w+/g, '');
    if (how === 'in a row') {
      const number = numberIn(FIRST_PART, await media.hold(FIRST_PART));
      await until(
        async () => (await fetch(address())).text(),
        (playlist) => playlist.includes(`"${number}.6.m4s`),
      );
    }
    const held = media.hold(PART_INSIDE);
    // The playlist is read before the first part comes, so the others follow it at once.
    if (how === 'in a row') await media.release(FIRST_PART);
    const begun = numberIn(PART_INSIDE, await held);
    const before = await secondsOf(address());
    await until(
      () => secondsOf(address()),
      (listed) => listed > before + LISTED_SECONDS + 4,
    );
    // Without a seek Chromium shows nothing of what is loaded again up to its next key frame.
    const sought = new Promise((resolve) => element.addEventListener('seeked', resolve, { once: true }));
    await media.release();
    const whole = (): number[] =>
      media.urls.flatMap((url) => /\/(\d+)\.m4s/.exec(url)?.slice(1) ?? []).map(Number);
    await until(() => whole().filter((number) => number >= begun).length > 2);
    const loaded = whole().filter((number) => number >= begun);
    expect(loaded.slice(0, 3)).to.deep.equal([begun, begun + 1, begun + 2]);
    await sought;
    await signed;
  }).timeout(90_000);

it('a text that is accepted while the media host is away is reported with its picture, not from the last playlist on', async () => {
  const media = watchMedia();
  const { element } = await mount({ mode: 'stream', transport: 'v3' });
  await element.connect();
  await until(() => element.media);
  void media.hold();
  await until(() => media.underWay() === 0);
  const playlist = media.urls.find((url) => url.includes('.m3u8'))!;
  const before = await secondsOf(playlist);
  await until(
    () => secondsOf(playlist),
    (listed) => listed > before + 7,
  );
  const text = 'See you tomorrow';
  const picture = watchPicture(element, [text]);
  const starts = watchStarts(element);
  const outcome = element.sign(text);
  await heard(element, 'sign-accepted');
  await media.release();
  await outcome;
  const [{ from, to }] = starts as [ReportedStart];
  await until(() => picture.painted.some((seen) => seen.text === text && seen.frame > 5));
  expect(startOf(await picture(), text)).to.be.within(from - 1, to + 1);
}).timeout(90_000);
