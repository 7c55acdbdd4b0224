// A DASH stream that gets the page of a gateway or of a network's login in place of its files.
import { expect } from '@open-wc/testing';
import '../../../src/dash.ts';
import { growingStream, listened, livePlayer, removeAllPlayers, until } from './harness.ts';

const { fetch } = window;

afterEach(() => {
  removeAllPlayers();
  window.fetch = fetch;
});

it('plays on after such a page came for its manifest, for its initialisation segment and for a segment', async () => {
  let pages = ['mpd', 'm4s'];
  // Shaka keeps the `fetch` of the time when it is loaded.
  window.fetch = async (input, init) => {
    const [, type] = /\.(\w+)(\?|$)/.exec(String(input)) ?? [];
    const ending = type === 'mp4' ? 'm4s' : type;
    if (!pages.includes(ending ?? '')) return fetch(input, init);
    pages = pages.filter((other) => other !== ending);
    return new Response('<!DOCTYPE html><title>Log in</title>'.padEnd(2000), {
      headers: { 'content-type': 'text/html' },
    });
  };
  const { dash } = await growingStream();
  const player = livePlayer();
  const source = listened({ dash });
  player.show(source);
  await until(() => source.reports.painted && player.isAtLive);
  expect(pages).to.deep.equal([]);
  pages = ['m4s'];
  await until(() => pages.length === 0);
  const frames = player.media!.getVideoPlaybackQuality().totalVideoFrames;
  await until(
    () => player.isAtLive && player.media!.getVideoPlaybackQuality().totalVideoFrames > frames + 75,
  );
  expect(source.reports.failed).to.deep.equal([]);
});
