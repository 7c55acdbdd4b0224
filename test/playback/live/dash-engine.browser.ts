// DASH by Shaka in a real browser.
import { expect } from '@open-wc/testing';
import '../../../src/dash.ts';
import 'shaka-player/dist/shaka-player.dash-es2021.js';
import { addressOf } from './ended-stream.ts';
import { growingStream, removeAllPlayers, removePlayer, listened, livePlayer, until } from './harness.ts';

/** The global name in which Shaka is found without a bundler. */
declare const shaka: { Player: { prototype: { destroy(): unknown } } };

const { prototype } = shaka.Player;
const { destroy } = prototype;

afterEach(() => {
  Object.assign(prototype, { destroy });
  Reflect.deleteProperty(MediaSource.prototype, 'addEventListener');
  removeAllPlayers();
});

/** Calls back while the next source opens. A source that is removed by then fires no further event, as on a busy machine. */
function whileOpening(then: () => void): void {
  MediaSource.prototype.addEventListener = function (
    this: MediaSource,
    type: string,
    listener: EventListener,
    options?: AddEventListenerOptions,
  ): void {
    const late = (event: Event): void => {
      then();
      setTimeout(() => this.readyState === 'open' && listener.call(this, event));
    };
    EventTarget.prototype.addEventListener.call(this, type, type === 'sourceopen' ? late : listener, options);
  };
}

it('leaves no player in memory when a stream is removed while its source opens', async () => {
  let destroyed = 0;
  prototype.destroy = function () {
    destroyed += 1;
    return destroy.call(this);
  };
  const player = livePlayer();
  const video = new Promise<HTMLVideoElement>((resolve) =>
    whileOpening(() => {
      resolve(player.box.querySelector('video')!);
      removePlayer(player);
    }),
  );
  player.show(listened({ dash: `${location.origin}/none.mpd` }));
  const { isConnected, paused } = await video;
  expect([isConnected, paused]).to.deep.equal([false, true]);
  await until(() => destroyed > 0);
});

it('knows where live is when the manifest writes its delay with years, months and days', async () => {
  const { dash, end } = await growingStream();
  const written = await until(
    async () => (await fetch(dash)).text(),
    (text) => text.includes('<MPD'),
  );
  const manifest = written
    .replaceAll(/(suggestedPresentationDelay|minBufferTime)="PT([\d.]+S)"/g, '$1="P0Y0M0DT0H0M$2"')
    .replace(/<MPD[^>]*>/, `$&<BaseURL>${dash.replaceAll('&', '&amp;')}</BaseURL>`);
  expect(manifest).to.match(/"P0Y0M0DT0H0M[\d.]+S"/);
  const player = livePlayer();
  const source = listened({ dash: addressOf(manifest, 'application/dash+xml') });
  player.show(source);
  await until(() => source.reports.painted);
  expect(player.livePosition).to.be.at.least(0);
  end();
});
