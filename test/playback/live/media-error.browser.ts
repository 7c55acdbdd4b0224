// A live player whose engine stops with a media error, as where the first segment that it loads has sound and no key frame.
import { expect } from '@open-wc/testing';
import Hls from 'hls.js/light';
import { growingStream, listened, livePlayer, removeAllPlayers, until } from './harness.ts';

const { attachMedia } = Hls.prototype;
const { setInterval } = window;

afterEach(() => {
  Hls.prototype.attachMedia = attachMedia;
  window.setInterval = setInterval;
  removeAllPlayers();
});

it('loading goes on at once after a media error, before the check for missing media runs', async () => {
  const engines = new Set<Hls>();
  Hls.prototype.attachMedia = function (video) {
    engines.add(this);
    attachMedia.call(this, video);
  };
  // The check that runs each second loads again after 20 s without media. Here it never runs.
  window.setInterval = ((run: () => void, ms = 0) =>
    setInterval(ms === 1000 ? () => {} : run, ms)) as typeof setInterval;
  const player = livePlayer();
  const source = listened(await growingStream());
  player.show(source);
  await until(() => source.reports.painted && player.isAtLive);
  const before = player.currentTime;
  const { ErrorDetails, ErrorTypes, Events } = Hls;
  for (const engine of engines) {
    engine.trigger(Events.ERROR, {
      type: ErrorTypes.MEDIA_ERROR,
      details: ErrorDetails.BUFFER_APPEND_ERROR,
      fatal: true,
      error: new Error('not appended'),
    });
  }
  await until(() => player.currentTime > before + 3 && player.isAtLive && !player.seeking);
  expect(source.reports.failed).to.deep.equal([]);
});
