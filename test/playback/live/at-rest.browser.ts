// What a live stream downloads while nobody sees it: on a hidden page, and in a long pause.
import { expect } from '@open-wc/testing';
import Hls from 'hls.js/light';
import '../../../src/dash.ts';
import { growingStream, hide, listened, playedAtLive, removeAllPlayers, until } from './harness.ts';

const { attachMedia, startLoad } = Hls.prototype;
const { fetch, setTimeout } = window;
const { open } = XMLHttpRequest.prototype;

afterEach(() => {
  hide(false);
  Object.assign(Hls.prototype, { attachMedia, startLoad });
  Object.assign(XMLHttpRequest.prototype, { open });
  Object.assign(window, { fetch, setTimeout });
  removeAllPlayers();
});

it('one that was about to try again loads nothing while the page is hidden, and tries again when it is visible', async () => {
  const engines: Hls[] = [];
  let starts = 0;
  Hls.prototype.attachMedia = function (video) {
    engines.push(this);
    attachMedia.call(this, video);
  };
  Hls.prototype.startLoad = function (...from) {
    starts += 1;
    startLoad.apply(this, from);
  };
  const source = listened(await growingStream());
  const player = await playedAtLive(source);
  starts = 0;
  engines[0]!.trigger(Hls.Events.ERROR, {
    type: Hls.ErrorTypes.NETWORK_ERROR,
    details: Hls.ErrorDetails.LEVEL_LOAD_ERROR,
    fatal: true,
    error: new Error('no network'),
  });
  hide(true);
  window.dispatchEvent(new Event('online'));
  expect(starts).to.equal(0);
  hide(false);
  expect(starts).to.equal(1);
  await until(() => !player.media!.paused && player.isAtLive && !player.seeking);
  expect(source.reports.failed).to.deep.equal([]);
});

for (const protocol of ['hls', 'dash'] as const)
  it(`${protocol} that has been paused for 30 s loads nothing, and then plays on where it was`, async () => {
    const due: (() => void)[] = [];
    window.setTimeout = ((run: () => void, ms = 0) => {
      if (ms !== 30_000) return setTimeout(run, ms);
      due.push(run);
      return 0;
    }) as typeof window.setTimeout;
    let requests = 0;
    XMLHttpRequest.prototype.open = function (this: XMLHttpRequest, ...args: unknown[]) {
      requests += 1;
      open.apply(this, args as Parameters<typeof open>);
    };
    window.fetch = (...args) => {
      requests += 1;
      return fetch(...args);
    };
    const source = listened(await growingStream(), { protocol });
    const player = await playedAtLive(source);
    player.pause();
    await until(() => player.media!.paused);
    const [at, latency] = [player.currentTime, player.latency!];
    for (const run of due) run();
    const before = requests;
    await until(() => player.latency! > latency + 3);
    expect(requests).to.equal(before);
    await player.play();
    await until(() => player.currentTime > at + 0.5);
    expect(player.currentTime).to.be.below(at + 3);
    await until(() => requests > before);
    expect([player.paused, player.isAtLive, source.reports.failed]).to.deep.equal([false, false, []]);
    player.goLive();
    await until(() => player.isAtLive && !player.seeking);
  });
