// A live player kept in step with a page's own video, which plays the same stream of the real sandbox by hls.js: the dates of the
// playlist show how far apart the two really are.
import { expect } from '@open-wc/testing';
import Hls from 'hls.js/light';
import type { SignLivePlayer } from '../../../src/elements/sign-live-player.ts';
import { mount, openStream, part, unmountAll, until, type EndlessStream } from './live-harness.ts';

let stream: EndlessStream;
let hls: Hls;
let video: HTMLVideoElement & { getStartDate?(): Date };

/** Milliseconds since 1970 that the page's video shows now. */
const theirs = (): number => hls.playingDate?.getTime() ?? NaN;

/** The reported lag behind the video in seconds, negative when ahead of it; NaN while the element reports none. */
const lag = (player: SignLivePlayer): number =>
  Number(/-?\d+\.\d/.exec(part(player, 'lag')?.textContent ?? '')?.[0] ?? NaN);

/** The times of seeks of this video by more than 0.9 s: hls.js skips less than that in a gap. */
function watchJumps(media: HTMLVideoElement): number[] {
  const real = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, 'currentTime')!;
  const jumps: number[] = [];
  Object.defineProperty(media, 'currentTime', {
    get: () => Number(real.get!.call(media)),
    set(to: number) {
      if (Math.abs(to - media.currentTime) > 0.9) jumps.push(performance.now());
      real.set!.call(media, to);
    },
  });
  return jumps;
}

before(async () => {
  stream = await openStream();
});
after(async () => {
  await stream.end();
});

beforeEach(async () => {
  video = document.createElement('video');
  video.id = 'event';
  video.muted = true;
  document.body.append(video);
  hls = new Hls({ enableWorker: false, maxLiveSyncPlaybackRate: 1 });
  hls.loadSource(stream.hls);
  hls.attachMedia(video);
  await until(() => hls.playingDate);
  await video.play();
});
afterEach(async () => {
  await unmountAll();
  hls.destroy();
  video.remove();
});

it('without dates the signer keeps the distance of the two live edges, adjusts its speed, and pauses and plays with the video', async () => {
  const { player } = mount({ src: stream.hls, 'sync-with': 'event', controls: '' });
  // Where one of the two waits for media meanwhile, the signer may not be ahead any more: the video then goes back once more.
  let wentBack = -Infinity;
  const goBack = (): number => {
    const apart = lag(player);
    const isAhead = apart >= 0.1 && steered() <= 1;
    if (performance.now() - wentBack > 1000 && apart < 1 && !isAhead) {
      video.currentTime -= 0.35 + apart;
      wentBack = performance.now();
    }
    return steered();
  };
  // Before the signer is in step, its rate depends on its own latency.
  const steered = (): number => (Number.isNaN(lag(player)) ? 1 : player.media!.playbackRate);
  const rates = new Set([await until(goBack, (rate) => rate < 1)]);
  await until(() => {
    rates.add(steered());
    return steered() === 1;
  });
  expect(Math.min(...rates)).to.be.within(0.9, 0.99);
  await until(() => Math.abs(lag(player)) < 0.2);
  expect(player.playbackRate).to.equal(1);

  video.pause();
  await until(() => player.paused);
  await video.play();
  await until(() => !player.paused);
  player.pause();
  video.pause();
  await until(() => video.paused);
  await video.play();
  await until(() => Math.abs(lag(player)) > 0.5);
  expect(player.paused).to.equal(true);
  expect(part(player, 'live'), 'where to be is the video’s to say').to.equal(null);
  await player.play();
  video.pause();
  await until(() => player.paused);
  // Another stream is paused with the video, too.
  player.src = `${stream.hls}&again`;
  await until(() => player.currentSrc === player.src && player.paused);
  player.syncWith = null;
  await until(() => !player.paused && part(player, 'lag') === null);
  player.pause();
  await until(() => part(player, 'live'));
});

it('finds the video in its own shadow root', async () => {
  const host = document.createElement('div');
  document.body.append(host);
  const root = host.attachShadow({ mode: 'closed' });
  root.append(video);
  await video.play();
  const { player } = mount({ src: stream.hls, 'sync-with': 'event', controls: '' });
  root.append(player);
  await until(() => Math.abs(lag(player)) < 0.5);
  player.remove();
  host.remove();
});

it('seeks once to the moment that a video with dates shows, and limits its seeks while the visitor drags', async () => {
  // Safari has this method, which returns the date of second 0.
  video.getStartDate = () => new Date(theirs() - video.currentTime * 1000);
  const { player } = mount({ src: stream.hls, 'sync-with': 'event', controls: '' });
  const jumps = watchJumps((await until(() => player.media))!);
  // Until then the player goes to its live position by itself.
  await until(() => !Number.isNaN(lag(player)));
  const began = performance.now();
  video.currentTime -= 3;
  const seeks = (): number => jumps.filter((at) => at >= began).length;
  await until(() => Math.abs(lag(player)) < 0.2 && seeks() > 0);
  const allowed = (): number => 1 + Math.ceil((performance.now() - began) / 5_000);
  expect(seeks()).to.be.at.most(allowed());
  for (let n = 0; n < 12; n++) {
    video.currentTime += n % 2 ? 2 : -2;
    await until(() => !video.seeking);
  }
  await until(() => Math.abs(lag(player)) < 0.2);
  expect(seeks()).to.be.at.most(allowed());
});
