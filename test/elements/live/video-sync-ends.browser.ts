// A signer beside a page's video at the beginning and end of each: the video begins later, is removed, or plays before or after
// the part that the signer still has.
import { expect } from '@open-wc/testing';
import Hls from 'hls.js/light';
import { VideoSync } from '../../../src/elements/video-sync.ts';
import type { LivePlayer } from '../../../src/playback/live/live-player.ts';
import { timeRanges } from '../../../src/playback/player.ts';
import { addressOf, bytesOf, endedStream } from '../../playback/live/ended-stream.ts';
import { listened, livePlayer, removeAllPlayers } from '../../playback/live/harness.ts';
import { mount, openStream, part, unmountAll, until } from './live-harness.ts';

let video: HTMLVideoElement;
let hls: Hls;
let sync: VideoSync | null = null;

const load = (url: string): void => {
  hls.loadSource(url);
  hls.attachMedia(video);
};

beforeEach(() => {
  video = Object.assign(document.createElement('video'), { id: 'event', muted: true });
  document.body.append(video);
  hls = new Hls({ enableWorker: false, maxLiveSyncPlaybackRate: 1 });
});
afterEach(async () => {
  sync?.end();
  sync = null;
  removeAllPlayers();
  await unmountAll();
  hls.destroy();
  video.remove();
});

it('goes live with a video that begins later, and again when the video that holds it is removed', async () => {
  const stream = await openStream();
  const { player } = mount({ src: stream.hls, 'sync-with': 'event', controls: '' });
  await until(() => player.media && player.paused);
  const first = player.latency!;
  await until(() => player.latency! > first + 3);
  load(stream.hls);
  await until(() => hls.latestLevelDetails);
  await video.play();
  await until(() => /\d/.test(part(player, 'lag')?.textContent ?? '') && player.latency! < first + 2);

  video.pause();
  await until(() => player.paused);
  await until(() => player.latency! > first + 4);
  video.remove();
  await until(() => !player.paused && player.latency! < first + 2);
  expect(part(player, 'live')).to.equal(null);
  await stream.end();
});

it('plays again after its end when the video goes back', async () => {
  const { init, segments } = await endedStream(8);
  const map = addressOf(await bytesOf(init), 'video/mp4');
  const media = await Promise.all(segments.map(async (one) => addressOf(await bytesOf(one), 'video/mp4')));
  const playlist = (count: number): string => {
    const listed = media.slice(0, count).map((address) => `#EXTINF:1,\n${address}`);
    const head = `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-MAP:URI="${map}"`;
    return addressOf([head, ...listed, '#EXT-X-ENDLIST'].join('\n'), 'application/vnd.apple.mpegurl');
  };
  const player = livePlayer();
  player.show(listened({ hls: playlist(3) }));
  sync = new VideoSync(player, () => video);
  load(playlist(media.length));
  await until(() => video.readyState > HTMLMediaElement.HAVE_CURRENT_DATA);
  await video.play();
  await until(() => player.ended && video.currentTime > 4);
  video.currentTime = 0.5;
  await until(() => !player.paused && player.currentTime < 2.5 && Math.abs(sync!.lag ?? NaN) < 0.5);
});

it('plays what it has buffered, as the video does, although the playlist has lost it', async () => {
  const media = { buffered: timeRanges([10, 40]) };
  const fields = { media, currentTime: 12, paused: false, ended: false, seeking: false, isAtLive: false };
  const player = Object.assign(new EventTarget(), fields, {
    seekable: timeRanges([30, 60]),
    streamType: 'live',
    steeringRate: null as number | null,
    timeOf: (moment: number) => moment / 1000,
  });
  const playing = {
    ...{ paused: false, ended: false, readyState: 4, currentTime: 12.2, playbackRate: 1 },
    ...{ currentSrc: 'event', seekable: timeRanges([0, 60]), getStartDate: () => new Date(0) },
  };
  sync = new VideoSync(player as unknown as LivePlayer, () => playing as unknown as HTMLVideoElement);
  await until(() => player.steeringRate);
  expect([player.currentTime, player.steeringRate]).to.deep.equal([12, 1.1]);
  playing.currentTime = 2;
  await until(() => player.currentTime === 30);
});
