// A live player in a real browser, on streams of the real sandbox: what it reports is compared with what was painted.
import { expect } from '@open-wc/testing';
import '../../../src/dash.ts';
import { setFaults } from '../../backend/client.ts';
import { removeAllPlayers, growingStream, listened, livePicture, until, watchFrames } from './harness.ts';

/** Hides the page, or shows it again. */
function hide(hidden: boolean): void {
  if (hidden) Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
  else delete (document as { hidden?: boolean }).hidden;
  document.dispatchEvent(new Event('visibilitychange'));
}

afterEach(async () => {
  await setFaults([]);
  removeAllPlayers();
});

it('plays a low-latency stream muted, without a gesture, at live', async () => {
  const stream = await growingStream();
  const picture = livePicture();
  expect([picture.streamType, picture.latency]).to.deep.equal(['unknown', null]);
  const source = listened(stream);
  picture.show(source);
  await until(() => source.reports.painted);
  const { seen, stop } = watchFrames(picture);
  await until(() => seen.length > 20);
  stop();
  expect(seen.map(({ frame }) => frame)).to.deep.equal(seen.map(({ frame }) => frame).sort((a, b) => a - b));
  expect([picture.muted, picture.paused, picture.blocked]).to.deep.equal([true, false, false]);
  expect(picture.streamType).to.equal('live');
  await until(() => picture.isAtLive);
  expect(picture.latency).to.be.greaterThan(0);
  const { painted, ended, failed } = source.reports;
  expect([painted, ended, failed]).to.deep.equal([1, 0, []]);
});

it('shows another manifest at the same moment, and the one before until it has painted', async () => {
  const stream = await growingStream();
  const picture = livePicture();
  const [first, second] = [listened({ hls: stream.hls }), listened({ hls: stream.again })];
  picture.show(first);
  await until(() => first.reports.painted && picture.isAtLive);
  // Behind live, so that its moment differs from live.
  picture.pause();
  await until(() => picture.latency! > 5);
  await picture.play();
  const { seen, stop } = watchFrames(picture);
  await until(() => seen.length > 5);
  const [before, asked] = [picture.media!, seen.at(-1)!.frame];
  picture.show(second);
  expect(picture.media).to.equal(before);
  await until(() => second.reports.painted && seen.at(-1)?.video !== before);
  stop();
  const at = seen.findIndex(({ video }) => video !== before);
  const [last, next] = [seen[at - 1]!, seen[at]!];
  expect(next.frame, 'nothing from before the change is seen again').to.be.at.least(asked - 3);
  // Live is 100 frames ahead at least; a busy machine may not have looked for a while.
  const passed = (next.at - last.at) / 40;
  expect(next.frame - last.frame - passed, 'it did not go on at live').to.be.below(60);
  expect(before.isConnected).to.equal(false);
  picture.goLive();
  await until(() => picture.isAtLive);
});

it('plays DASH when that is asked for, also after HLS', async () => {
  const stream = await growingStream();
  const picture = livePicture();
  const [hls, dash] = [listened(stream), listened(stream, { protocol: 'dash' })];
  picture.show(hls);
  await until(() => hls.reports.painted);
  const before = picture.media!;
  picture.show(dash);
  await until(() => dash.reports.painted);
  expect(picture.media).to.not.equal(before);
  expect(picture.currentSrc).to.equal(stream.dash);
  const { seen, stop } = watchFrames(picture);
  await until(() => seen.length > 10);
  stop();
  expect([picture.streamType, dash.reports.failed]).to.deep.equal(['live', []]);
  expect('shaka' in globalThis).to.equal(false);
});

it('stays where a visitor has paused, and goes live on goLive()', async () => {
  const stream = await growingStream();
  const picture = livePicture();
  const source = listened(stream);
  picture.show(source);
  await until(() => source.reports.painted && picture.isAtLive);
  picture.pause();
  const at = picture.currentTime;
  await until(() => picture.latency! > 3.5);
  expect(picture.isAtLive).to.equal(false);
  let seeks = 0;
  picture.addEventListener('seeking', () => (seeks += 1));
  await picture.play();
  await until(() => picture.currentTime > at + 0.3);
  expect([seeks, picture.paused, picture.isAtLive]).to.deep.equal([0, false, false]);
  picture.goLive();
  await until(() => picture.isAtLive && !picture.seeking);
});

it('counts as live at the distance that it keeps after a stall', async () => {
  const source = listened(await growingStream());
  const picture = livePicture();
  picture.show(source);
  await until(() => source.reports.painted && picture.isAtLive);
  // Each `waiting` counts as one more stall, once a new frame has ended the stall before. Within one second of the edge live counts
  // as reached; the second one is the most by which stalls increase the distance.
  let widest = 0;
  await until(() => {
    picture.media!.dispatchEvent(new Event('waiting'));
    // The live position advances between the two readings, so a late reading is smaller and not larger.
    widest = Math.max(widest, picture.livePosition - picture.liveEdgeStart);
    return widest > 1.9;
  });
  expect(widest).to.be.at.most(2.001);
});

it('is held while the page is hidden, without a pause, and is at live afterwards', async () => {
  const stream = await growingStream();
  const picture = livePicture();
  const source = listened(stream);
  picture.show(source);
  await until(() => source.reports.painted && picture.isAtLive);
  let pauses = 0;
  picture.addEventListener('pause', () => (pauses += 1));
  hide(true);
  try {
    await until(() => picture.media!.paused);
    // Only a paused video falls behind: when it is two seconds further behind, the browser has paused it.
    await until(() => picture.latency! > 4);
    const at = picture.currentTime;
    await until(() => picture.latency! > 5);
    expect(picture.currentTime).to.equal(at);
  } finally {
    hide(false);
  }
  await until(() => !picture.media!.paused && picture.isAtLive && !picture.seeking);
  expect([picture.paused, pauses, source.reports.failed]).to.deep.equal([false, 0, []]);

  // A stream that is shown while the page is hidden is held too, and the one before it is not held back by it.
  const next = listened({ hls: stream.again });
  const before = picture.media;
  picture.show(next);
  hide(true);
  try {
    await until(() => picture.media !== before);
    expect([picture.media!.paused, picture.paused]).to.deep.equal([true, false]);
  } finally {
    hide(false);
  }
  await until(() => next.reports.painted && !picture.media!.paused && picture.isAtLive);
  picture.pause();
  await picture.play();
  expect([picture.paused, picture.media!.paused]).to.deep.equal([false, false]);
});

it('plays on after it was moved, reports the end of a stream, and plays it again', async () => {
  const stream = await growingStream();
  const picture = livePicture();
  const source = listened(stream);
  picture.show(source);
  // Long enough to be read in time when it is played once more.
  await until(() => source.reports.painted && picture.currentTime > 5);
  const elsewhere = document.createElement('section');
  document.body.append(elsewhere);
  elsewhere.append(picture.box);
  picture.resume();
  const at = picture.currentTime;
  await until(() => picture.currentTime > at + 0.3);
  expect([picture.paused, picture.media!.paused]).to.deep.equal([false, false]);
  stream.end();
  await until(() => source.reports.ended);
  expect([picture.ended, picture.paused, source.reports.failed]).to.deep.equal([true, true, []]);
  const end = picture.currentTime;
  await picture.play();
  await until(() => !picture.ended && !picture.seeking && !picture.media!.paused && picture.readyState > 2);
  expect(picture.currentTime).to.be.below(end);
  expect([picture.paused, source.reports.ended]).to.deep.equal([false, 1]);
  // Back in sight it needs no manifest to go on.
  hide(true);
  try {
    await until(() => picture.media!.paused);
  } finally {
    hide(false);
  }
  expect([picture.media!.paused, picture.paused]).to.deep.equal([false, false]);
  elsewhere.remove();
});

it('a refused autoplay makes it blocked, until play() from a gesture', async () => {
  const { play } = HTMLMediaElement.prototype;
  HTMLMediaElement.prototype.play = () => Promise.reject(new DOMException('no gesture', 'NotAllowedError'));
  const picture = livePicture();
  const source = listened(await growingStream());
  picture.show(source);
  try {
    await until(() => picture.blocked);
    expect(picture.paused).to.equal(true);
    // It was not paused, so it plays at live, also when that is late.
    await until(() => picture.latency! > 5);
  } finally {
    HTMLMediaElement.prototype.play = play;
  }
  await picture.play();
  expect([picture.blocked, picture.paused]).to.deep.equal([false, false]);
  await until(() => picture.currentTime > 0 && picture.isAtLive);
});
