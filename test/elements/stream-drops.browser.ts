// Stream mode when the socket breaks off: which frames of the old stream and of the next one are seen, in a real browser.
import { expect } from '@open-wc/testing';
import { setFaults, setLimits } from '../backend/client.ts';
import { changePlaylists, restorePlaylists } from './changed-playlists.ts';
import {
  heard,
  inOrder,
  mount,
  passedFrames,
  runs,
  startOf,
  unmountAll,
  until,
  watchPicture,
  watchStarts,
  watchVideos,
} from './harness.ts';
import { frames } from './on-page.ts';

const { random } = Math;
const { requestVideoFrameCallback, load } = HTMLVideoElement.prototype;
const { send } = XMLHttpRequest.prototype;
const { send: sendFrame } = WebSocket.prototype;

afterEach(async () => {
  Math.random = random;
  Object.assign(HTMLVideoElement.prototype, { requestVideoFrameCallback, load });
  XMLHttpRequest.prototype.send = send;
  restorePlaylists();
  WebSocket.prototype.send = sendFrame;
  await unmountAll();
  await setFaults([]);
  await setLimits({});
});

/**
 * Counts the calls of load() from now on: `all`, and those `amid` a callback for a video frame. In Firefox such a call stops
 * every animation frame of the page.
 */
function watchLoads(): { amid: number; all: number } {
  const loads = { amid: 0, all: 0 };
  let telling = false;
  HTMLVideoElement.prototype.requestVideoFrameCallback = function (callback) {
    return requestVideoFrameCallback.call(this, (now, frame) => {
      telling = true;
      callback(now, frame);
      telling = false;
    });
  };
  HTMLVideoElement.prototype.load = function () {
    loads.all += 1;
    if (telling) loads.amid += 1;
    load.call(this);
  };
  return loads;
}

/** Each of the next two playlists, with which a stream starts, waits for this many animation frames of the page. */
function delayPlaylists(frames: number): void {
  let playlists = 2;
  XMLHttpRequest.prototype.send = function (body) {
    let left = playlists-- > 0 ? frames : 0;
    const next = (): void => {
      if (left-- > 0) requestAnimationFrame(next);
      else send.call(this, body);
    };
    next();
  };
}

/** The playlists have no dates from now on. */
const leaveOutDates = (): void =>
  changePlaylists((text) => text.replaceAll(/#EXT-X-PROGRAM-DATE-TIME.*\n/g, ''));

/** The sockets of the page. Sessions from this number on are not requested before `release` is called. */
function watchSockets(firstHeld = Infinity): { sockets: WebSocket[]; release: () => void } {
  const sockets: WebSocket[] = [];
  const held: (() => void)[] = [];
  WebSocket.prototype.send = function (data) {
    if (!sockets.includes(this)) sockets.push(this);
    if (sockets.length >= firstHeld) held.push(() => sendFrame.call(this, data));
    else sendFrame.call(this, data);
  };
  const release = (): void => {
    WebSocket.prototype.send = sendFrame;
    for (const run of held) run();
  };
  return { sockets, release };
}

const stream = { mode: 'stream', transport: 'v3' };

// The frames are: ready, and the ack of the first text.
it('after a drop before texts start they are signed in the next stream, acknowledged or not, without a black frame', async () => {
  await setFaults([{ fault: 'drop_socket', after_frames: 2, count: 1 }]);
  Math.random = () => 0;
  const { element, said } = await mount(stream);
  const texts = ['Hello', 'Goodbye'];
  const picture = watchPicture(element, texts);
  let black = 0;
  element.addEventListener('timeupdate', () => (black += element.media?.videoWidth ? 0 : 1));
  await Promise.all(texts.map((text) => element.sign(text)));
  const painted = await picture();
  expect(runs(painted), JSON.stringify(painted)).to.deep.equal(texts);
  expect(inOrder(said, 'sign-start', 'sign-end')).to.deep.equal(
    texts.flatMap((text) => [`sign-start ${text}`, `sign-end ${text}`]),
  );
  expect(said.filter(({ name }) => name === 'sign-accepted')).to.have.length(2);
  expect(black).to.equal(0);
}).timeout(90_000);

it('a text that is signed in the next stream is not seen in the old one, however late the next one comes', async () => {
  await setFaults([{ fault: 'drop_socket', after_frames: 3, count: 1 }]);
  Math.random = () => 0;
  const { element, said } = await mount(stream);
  await element.connect();
  await until(() => element.media);
  const texts = ['Hello there', 'Goodbye'];
  const picture = watchPicture(element, texts);
  element.addEventListener('sign-ready', () => delayPlaylists(90), { once: true });
  const first = element.sign(texts[0]!);
  await heard(element, 'sign-accepted');
  // When the service breaks off, the old stream has its first frames and none is on screen, because its picture is a second
  // behind.
  const loaded = (): number => element.media!.buffered.end(element.media!.buffered.length - 1);
  const accepted = loaded();
  await until(() => loaded() > accepted + 0.2);
  await Promise.all([first, element.sign(texts[1]!)]);
  expect(inOrder(said, 'sign-start')).to.deep.equal(texts.map((text) => `sign-start ${text}`));
  expect(runs(await picture())).to.deep.equal(texts);
}).timeout(90_000);

// A busy machine looks at the picture every half second and less often, and a short text at double speed is over before.
for (const [how, rate, isDated, next] of [
  [', at double speed', 2, true, 'Goodbye to all of you until tomorrow morning'],
  [', without dates in the playlists', 1, false, 'Goodbye'],
] as const) {
  it(`after a drop during a text, the next texts are seen from their first frame, however late the next stream comes${how}`, async () => {
    await setFaults([{ fault: 'drop_socket', after_frames: 3, count: 1 }]);
    Math.random = () => 0;
    const { element, said } = await mount(stream);
    element.playbackRate = rate;
    if (!isDated) leaveOutDates();
    const texts = ['Hello', next, 'And again'];
    const picture = watchPicture(element, texts);
    const starts = watchStarts(element);
    const shownFrom = watchVideos(element);
    const first = element.sign(texts[0]!);
    await heard(element, 'sign-start');
    element.addEventListener('sign-ready', () => delayPlaylists(90), { once: true });
    await Promise.all([first, ...texts.slice(1).map((text) => element.sign(text))]);
    const painted = await picture();
    expect(runs(painted), JSON.stringify([shownFrom, painted])).to.deep.equal(texts);
    expect(shownFrom).to.have.length(2);
    const seen = JSON.stringify([shownFrom, painted]);
    expect(passedFrames(shownFrom[1]!, painted, next), seen).to.be.below(5);
    expect(startOf(painted, next)).to.be.within(starts[1]!.from - 1, starts[1]!.to + 1);
    expect(inOrder(said, 'sign-start', 'sign-end')).to.deep.equal(
      texts.flatMap((text) => [`sign-start ${text}`, `sign-end ${text}`]),
    );
  }).timeout(90_000);
}

for (const paused of [false, true]) {
  const how = paused ? 'while playback is paused' : 'before the service took the next text';
  it(`after a drop during a text, ${how}, the next text is seen from its first frame`, async () => {
    const { sockets } = watchSockets();
    Math.random = () => 0;
    const { element, said } = await mount(stream);
    const texts = ['This one is on screen for a while', 'After it'];
    const picture = watchPicture(element, texts);
    const shownFrom = watchVideos(element);
    const first = element.sign(texts[0]!);
    await heard(element, 'sign-start');
    await until(() => picture.painted.some(({ text }) => text === texts[0]));
    if (paused) element.pause();
    element.addEventListener('sign-ready', () => delayPlaylists(90), { once: true });
    const before = element.media;
    // The next text is lost with the socket: a service that gets it before the close signs it in the old stream too.
    sockets[0]!.send = () => {};
    const second = element.sign(texts[1]!);
    sockets[0]!.close();
    if (paused) {
      await until(() => element.media !== before);
      await frames(60);
      expect(inOrder(said, 'sign-start')).to.have.length(1);
      await element.play();
    }
    await Promise.all([first, second]);
    const painted = await picture();
    expect(runs(painted), JSON.stringify([shownFrom, painted])).to.deep.equal(texts);
    expect(shownFrom).to.have.length(2);
    expect(passedFrames(shownFrom[1]!, painted, texts[1]!)).to.be.below(5);
    expect(inOrder(said, 'sign-start', 'sign-end')).to.deep.equal(
      texts.flatMap((text) => [`sign-start ${text}`, `sign-end ${text}`]),
    );
  }).timeout(90_000);
}

it('a text in the next stream is seen once, in the third stream, when the next one breaks off too', async () => {
  const { sockets } = watchSockets();
  Math.random = () => 0;
  const { element, said } = await mount(stream);
  const texts = ['This one is on screen while two sessions break off', 'After it'];
  const picture = watchPicture(element, texts);
  const first = element.sign(texts[0]!);
  await heard(element, 'sign-start');
  // The moment of its start is estimated: its first picture comes later.
  await until(() => picture.painted.some(({ text }) => text));
  const before = element.media;
  sockets[0]!.close();
  await until(() => element.media !== before);
  const second = element.sign(texts[1]!);
  await heard(element, 'sign-accepted');
  const loaded = (): number => element.media!.buffered.end(element.media!.buffered.length - 1);
  const accepted = loaded();
  await until(() => loaded() > accepted + 0.2);
  element.addEventListener('sign-ready', () => delayPlaylists(90), { once: true });
  sockets[1]!.close();
  await Promise.all([first, second]);
  expect(runs(await picture())).to.deep.equal(texts);
  expect(inOrder(said, 'sign-start', 'sign-end')).to.deep.equal(
    texts.flatMap((text) => [`sign-start ${text}`, `sign-end ${text}`]),
  );
}).timeout(90_000);

it('a text is over when its stream ends and no other follows, because the session has expired', async () => {
  await setLimits({ session_idle_seconds: 2 });
  const { element, said } = await mount(stream);
  const text = 'The service ends the session before it has signed all of this';
  await element.sign(text);
  expect(inOrder(said, 'sign-start', 'sign-end')).to.deep.equal([`sign-start ${text}`, `sign-end ${text}`]);
}).timeout(90_000);

it('when REST takes over during a text, the next text is seen after it', async () => {
  const { sockets } = watchSockets(2);
  Math.random = () => 0;
  const { element, said } = await mount({ ...stream, transport: 'auto' });
  const texts = ['This one is on screen', 'After it'];
  const picture = watchPicture(element, texts);
  const first = element.sign(texts[0]!);
  await heard(element, 'sign-start');
  await until(() => picture.painted.some(({ text }) => text));
  sockets[0]!.close();
  await Promise.all([first, element.sign(texts[1]!)]);
  expect(runs(await picture())).to.deep.equal(texts);
  expect(inOrder(said, 'sign-start', 'sign-end')).to.deep.equal(
    texts.flatMap((text) => [`sign-start ${text}`, `sign-end ${text}`]),
  );
}).timeout(90_000);

it('a stream that had no frame when the session broke off is not shown any more', async () => {
  const { sockets, release } = watchSockets(2);
  delayPlaylists(60);
  Math.random = () => 0;
  const { element, said } = await mount(stream);
  const texts = ['Hello', 'Goodbye'];
  const signed = Promise.all(texts.map((text) => element.sign(text)));
  await until(() => said.filter(({ name }) => name === 'sign-accepted').length === 2);
  sockets[0]!.close();
  // By then the old stream would have been shown.
  await frames(300);
  expect(element.media).to.equal(null);
  release();
  await signed;
  expect(inOrder(said, 'sign-start')).to.deep.equal(texts.map((text) => `sign-start ${text}`));
}).timeout(90_000);

it('after a drop during a text, its last frame stays until the new stream has one, and the text is not signed again', async () => {
  await setFaults([{ fault: 'drop_socket', after_frames: 3, count: 1 }]);
  Math.random = () => 0;
  const loads = watchLoads();
  const { element, said } = await mount(stream);
  const first = element.sign('This one is on screen');
  await heard(element, 'sign-start');
  const before = element.media!;
  const picture = watchPicture(element, ['This one is on screen', 'After it']);
  await until(() => picture.painted.some(({ text }) => text));
  // The ack of this text is the third frame: the service breaks off after it.
  const second = element.sign('After it');
  await until(() => element.media !== before);
  // On a busy machine the new stream may have sought to live by then; the picture stays during that seek.
  const { readyState, seeking } = element.media!;
  expect(seeking || readyState >= HTMLMediaElement.HAVE_CURRENT_DATA, `${readyState}`).to.equal(true);
  await Promise.all([first, second]);
  expect(runs(await picture())).to.deep.equal(['This one is on screen', 'After it']);
  expect(said.filter(({ name }) => name === 'sign-ready')).to.have.length(2);
  expect(loads.all).to.be.greaterThan(0);
  expect(loads.amid).to.equal(0);
}).timeout(90_000);
