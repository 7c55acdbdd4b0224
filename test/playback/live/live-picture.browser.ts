// A live picture in a real browser, on streams of the real sandbox: what it says is held against what was painted.
import { expect } from '@open-wc/testing';
import { setFaults } from '../../backend/client.ts';
import { clearStage, growingStream, listened, livePicture, until, watchFrames } from './stage.ts';

afterEach(async () => {
  await setFaults([]);
  clearStage();
});

it('plays a low-latency stream muted and by itself, at live, and says so', async () => {
  const stream = await growingStream();
  const picture = livePicture();
  expect([picture.streamType, picture.latency, picture.targetLiveWindow]).to.deep.equal([
    'unknown',
    null,
    NaN,
  ]);
  const source = listened(stream);
  picture.show(source);
  await until(() => source.told.painted);
  const { seen, stop } = watchFrames(picture);
  await until(() => seen.length > 20);
  stop();
  expect(seen.map(({ frame }) => frame)).to.deep.equal(seen.map(({ frame }) => frame).sort((a, b) => a - b));
  expect([picture.muted, picture.paused, picture.blocked]).to.deep.equal([true, false, false]);
  expect([picture.streamType, picture.targetLiveWindow]).to.deep.equal(['live', 0]);
  await until(() => picture.isAtLive);
  expect(picture.latency).to.be.greaterThan(0);
  expect(source.told).to.deep.equal({ painted: 1, ended: 0, recovering: [], failed: [] });
});

it('shows another manifest at the same moment, with the picture before until that has painted', async () => {
  const stream = await growingStream();
  const picture = livePicture();
  const [first, second] = [listened({ hls: stream.hls }), listened({ hls: stream.again })];
  picture.show(first);
  await until(() => first.told.painted && picture.isAtLive);
  // Behind live, so that its moment can be told from live.
  picture.pause();
  await until(() => picture.latency! > 5);
  await picture.play();
  const { seen, stop } = watchFrames(picture);
  await until(() => seen.length > 5);
  const [before, asked] = [picture.media!, seen.at(-1)!.frame];
  picture.show(second);
  expect(picture.media).to.equal(before);
  await until(() => second.told.painted && seen.at(-1)?.video !== before);
  stop();
  const at = seen.findIndex(({ video }) => video !== before);
  const [last, next] = [seen[at - 1]!.frame, seen[at]!.frame];
  expect(next, 'nothing from before the change is seen again').to.be.at.least(asked - 3);
  // Live is 100 frames ahead at least.
  expect(next - last, 'it did not go on at live').to.be.below(60);
  expect(before.isConnected).to.equal(false);
  picture.goLive();
  await until(() => picture.isAtLive);
});

it('plays DASH where that is asked for, and goes over to it from HLS', async () => {
  const stream = await growingStream();
  const picture = livePicture();
  const [hls, dash] = [listened(stream), listened(stream, { protocol: 'dash' })];
  picture.show(hls);
  await until(() => hls.told.painted);
  const before = picture.media!;
  picture.show(dash);
  await until(() => dash.told.painted);
  expect(picture.media).to.not.equal(before);
  expect(picture.currentSrc).to.equal(stream.dash);
  const { seen, stop } = watchFrames(picture);
  await until(() => seen.length > 10);
  stop();
  expect([picture.streamType, dash.told.failed]).to.deep.equal(['live', []]);
  expect('shaka' in globalThis).to.equal(false);
});

it('stays where a visitor has paused, and goes live when asked to', async () => {
  const stream = await growingStream();
  const picture = livePicture();
  const source = listened(stream);
  picture.show(source);
  await until(() => source.told.painted && picture.isAtLive);
  picture.pause();
  const at = picture.currentTime;
  await until(() => picture.latency! > 3.5);
  expect(picture.isAtLive).to.equal(false);
  await picture.play();
  await until(() => picture.currentTime > at + 0.3);
  expect(picture.currentTime - at).to.be.lessThan(2);
  expect([picture.paused, picture.isAtLive]).to.deep.equal([false, false]);
  picture.goLive();
  await until(() => picture.isAtLive && !picture.seeking);
});

it('is paused and downloads nothing while the page is hidden, and is at live when it is back', async () => {
  const stream = await growingStream();
  const picture = livePicture();
  const source = listened(stream);
  picture.show(source);
  await until(() => source.told.painted && picture.isAtLive);
  const hide = (hidden: boolean): void => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event('visibilitychange'));
  };
  let pauses = 0;
  picture.addEventListener('pause', () => (pauses += 1));
  hide(true);
  try {
    await until(() => picture.media!.paused);
    const at = picture.currentTime;
    await until(() => picture.latency! > 5);
    expect(picture.currentTime).to.equal(at);
  } finally {
    hide(false);
    delete (document as { hidden?: boolean }).hidden;
  }
  await until(() => !picture.media!.paused && picture.isAtLive && !picture.seeking);
  expect([picture.paused, pauses, source.told.failed]).to.deep.equal([false, 0, []]);
});

it('goes on after its stage was moved, and tells the end of a stream that ends', async () => {
  const stream = await growingStream();
  const picture = livePicture();
  const source = listened(stream);
  picture.show(source);
  await until(() => source.told.painted);
  const elsewhere = document.createElement('section');
  document.body.append(elsewhere);
  elsewhere.append(picture.stage);
  picture.resume();
  const at = picture.currentTime;
  await until(() => picture.currentTime > at + 0.3);
  expect([picture.paused, picture.media!.paused]).to.deep.equal([false, false]);
  stream.end();
  await until(() => source.told.ended);
  expect([picture.ended, picture.paused, source.told.failed]).to.deep.equal([true, true, []]);
  elsewhere.remove();
});

it('a browser that refuses to start it makes it blocked, until a gesture plays it', async () => {
  const { play } = HTMLMediaElement.prototype;
  HTMLMediaElement.prototype.play = () => Promise.reject(new DOMException('no gesture', 'NotAllowedError'));
  const picture = livePicture();
  const source = listened(await growingStream());
  picture.show(source);
  try {
    await until(() => picture.blocked);
    expect(picture.paused).to.equal(true);
  } finally {
    HTMLMediaElement.prototype.play = play;
  }
  await picture.play();
  expect([picture.blocked, picture.paused]).to.deep.equal([false, false]);
  await until(() => picture.currentTime > 0 && picture.isAtLive);
});
