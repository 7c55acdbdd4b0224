// A live player in a real browser, on streams of the real sandbox: what it reports is compared with what was painted.
import { expect } from '@open-wc/testing';
import '../../../src/dash.ts';
import { setFaults } from '../../backend/client.ts';
import {
  removeAllPlayers,
  growingStream,
  hide,
  listened,
  livePlayer,
  playedAtLive,
  stepsBack,
  until,
  watchFrames,
} from './harness.ts';

afterEach(async () => {
  await setFaults([]);
  removeAllPlayers();
});

it('plays a low-latency stream muted, without a gesture, at live', async () => {
  const stream = await growingStream();
  const player = livePlayer();
  expect([player.streamType, player.latency]).to.deep.equal(['unknown', null]);
  const source = listened(stream);
  player.show(source);
  await until(() => source.reports.painted);
  const { seen, stop } = watchFrames(player);
  await until(() => seen.length > 20);
  stop();
  expect(stepsBack(seen)).to.deep.equal([]);
  expect([player.muted, player.paused, player.blocked]).to.deep.equal([true, false, false]);
  expect(player.streamType).to.equal('live');
  await until(() => player.isAtLive);
  expect(player.latency).to.be.greaterThan(0);
  const { painted, ended, failed } = source.reports;
  expect([painted, ended, failed]).to.deep.equal([1, 0, []]);
});

it('shows another manifest at the same moment, and the one before until it has painted', async () => {
  const stream = await growingStream();
  const player = livePlayer();
  const [first, second] = [listened({ hls: stream.hls }), listened({ hls: stream.again })];
  player.show(first);
  await until(() => first.reports.painted && player.isAtLive);
  // Behind live, so that its moment differs from live.
  player.pause();
  await until(() => player.latency! > 5);
  await player.play();
  const { seen, stop } = watchFrames(player);
  await until(() => seen.length > 5);
  const [before, asked] = [player.media!, seen.at(-1)!.frame];
  player.show(second);
  expect(player.media).to.equal(before);
  await until(() => second.reports.painted && seen.at(-1)?.video !== before);
  stop();
  const at = seen.findIndex(({ video }) => video !== before);
  const [last, next] = [seen[at - 1]!, seen[at]!];
  expect(next.frame, 'nothing from before the change is seen again').to.be.at.least(asked - 3);
  // Live is at least 100 frames ahead; a busy machine may not have read the picture for a while.
  const passed = (next.at - last.at) / 40;
  expect(next.frame - last.frame - passed, 'it did not go on at live').to.be.below(60);
  expect(before.isConnected).to.equal(false);
  player.goLive();
  await until(() => player.isAtLive);
});

it('plays DASH when the page requests DASH, also after HLS', async () => {
  const stream = await growingStream();
  const player = livePlayer();
  const [hls, dash] = [listened(stream), listened(stream, { protocol: 'dash' })];
  player.show(hls);
  await until(() => hls.reports.painted);
  const before = player.media!;
  player.show(dash);
  await until(() => dash.reports.painted);
  expect(player.media).to.not.equal(before);
  expect(player.currentSrc).to.equal(stream.dash);
  const { seen, stop } = watchFrames(player);
  await until(() => seen.length > 10);
  stop();
  expect([player.streamType, dash.reports.failed]).to.deep.equal(['live', []]);
  expect('shaka' in globalThis).to.equal(false);
});

it('the player stays where a visitor has paused, and goes live on goLive()', async () => {
  const stream = await growingStream();
  const source = listened(stream);
  const player = await playedAtLive(source);
  player.pause();
  const at = player.currentTime;
  await until(() => player.latency! > 3.5);
  expect(player.isAtLive).to.equal(false);
  let seeks = 0;
  player.addEventListener('seeking', () => (seeks += 1));
  await player.play();
  await until(() => player.currentTime > at + 0.3);
  expect([seeks, player.paused, player.isAtLive]).to.deep.equal([0, false, false]);
  player.goLive();
  await until(() => player.isAtLive && !player.seeking);
});

it('after a stall the player counts as live, and ends its seekable range, at the distance from live that it then keeps', async () => {
  const source = listened(await growingStream());
  const player = await playedAtLive(source);
  player.targetLatency = 3;
  /** Seconds from live to where live playback begins. Time passes between the readings, so a late one is smaller, not larger. */
  const distance = (): number => player.currentTime + player.latency! - player.liveEdgeStart;
  // Each `waiting` counts as one more stall, once a new frame has ended the stall before. Within one second of live playback
  // counts as live; the fifth second is the most by which stalls increase the distance.
  let widest = 0;
  await until(() => {
    player.media!.dispatchEvent(new Event('waiting'));
    widest = Math.max(widest, distance());
    return widest > 4.9;
  });
  expect(widest).to.be.at.most(5.001);
  // Other controls go live by a seek to the end of that range.
  expect(player.seekable.end(0) - player.liveEdgeStart).to.be.closeTo(1, 0.5);
  player.currentTime = player.seekable.end(0);
  expect(player.currentTime - player.liveEdgeStart).to.be.closeTo(1, 0.5);
  // A page that sets the distance of the video may set it as near to live as the manifest advises.
  player.steeringRate = 1;
  expect(distance()).to.be.closeTo(4, 0.5);
});

it('the player is held while the page is hidden, without a pause, and is at live afterwards', async () => {
  const stream = await growingStream();
  const source = listened(stream);
  const player = await playedAtLive(source);
  let pauses = 0;
  player.addEventListener('pause', () => (pauses += 1));
  hide(true);
  try {
    await until(() => player.media!.paused);
    // Only a paused video falls behind live, so a video that is two seconds further behind has been paused by the browser.
    await until(() => player.latency! > 4);
    const at = player.currentTime;
    await until(() => player.latency! > 5);
    expect(player.currentTime).to.equal(at);
  } finally {
    hide(false);
  }
  await until(() => !player.media!.paused && player.isAtLive && !player.seeking);
  expect([player.paused, pauses, source.reports.failed]).to.deep.equal([false, 0, []]);

  // A stream that is shown while the page is hidden is held too, and the one before it is not held back by it.
  const next = listened({ hls: stream.again });
  const before = player.media;
  player.show(next);
  hide(true);
  try {
    await until(() => player.media !== before);
    expect([player.media!.paused, player.paused]).to.deep.equal([true, false]);
  } finally {
    hide(false);
  }
  await until(() => next.reports.painted && !player.media!.paused && player.isAtLive);
  player.pause();
  await player.play();
  expect([player.paused, player.media!.paused]).to.deep.equal([false, false]);
});

it('plays on after it was moved, reports the end of a stream, and plays it again', async () => {
  const stream = await growingStream();
  const player = livePlayer();
  const source = listened(stream);
  player.show(source);
  // Long enough to be read in time when it is played once more.
  await until(() => source.reports.painted && player.currentTime > 5);
  const elsewhere = document.createElement('section');
  document.body.append(elsewhere);
  elsewhere.append(player.box);
  player.resume();
  const at = player.currentTime;
  await until(() => player.currentTime > at + 0.3);
  expect([player.paused, player.media!.paused]).to.deep.equal([false, false]);
  stream.end();
  await until(() => source.reports.ended);
  expect([player.ended, player.paused, source.reports.failed]).to.deep.equal([true, true, []]);
  const end = player.currentTime;
  await player.play();
  await until(() => !player.ended && !player.seeking && !player.media!.paused && player.readyState > 2);
  expect(player.currentTime).to.be.below(end);
  expect([player.paused, source.reports.ended]).to.deep.equal([false, 1]);
  // When it is visible again it needs no manifest to go on.
  hide(true);
  try {
    await until(() => player.media!.paused);
  } finally {
    hide(false);
  }
  expect([player.media!.paused, player.paused]).to.deep.equal([false, false]);
  elsewhere.remove();
});

it('a change of speed neither unmutes a player, as some browsers would, nor mutes it', async () => {
  const player = livePlayer();
  const source = listened(await growingStream());
  player.show(source);
  await until(() => source.reports.painted && player.currentTime > 0);
  const video = player.media!;
  /** Changes the speed, which WebKitGTK 2.50 answers with sound. Here every browser does. */
  const changeTo = async (rate: number): Promise<void> => {
    video.addEventListener('ratechange', () => (video.muted = false), { once: true });
    player.playbackRate = rate;
    const at = player.currentTime;
    await until(() => video.playbackRate === rate && player.currentTime > at + 0.5);
  };
  await changeTo(0.75);
  expect([player.muted, video.muted]).to.deep.equal([true, true]);
  player.muted = false;
  await changeTo(0.5);
  expect([player.muted, video.muted]).to.deep.equal([false, false]);
});

it('a refused autoplay makes the player blocked, until play() from a gesture', async () => {
  const { play } = HTMLMediaElement.prototype;
  HTMLMediaElement.prototype.play = () => Promise.reject(new DOMException('no gesture', 'NotAllowedError'));
  const player = livePlayer();
  const source = listened(await growingStream());
  player.show(source);
  try {
    await until(() => player.blocked);
    expect(player.paused).to.equal(true);
    // The player was not paused, so it plays at live, also when play() comes late.
    await until(() => player.latency! > 5);
  } finally {
    HTMLMediaElement.prototype.play = play;
  }
  await player.play();
  expect([player.blocked, player.paused]).to.deep.equal([false, false]);
  await until(() => player.currentTime > 0 && player.isAtLive);
});
