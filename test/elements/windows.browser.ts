// The windows that a picture can be in while texts follow one another: picture-in-picture, full screen, and what the
// browser shows of playing media (the page's media session).
// - The gesture that opens a window is a real click.
// - Full screen comes first, because on a screen without a window manager Firefox's window has no focus after
//   picture-in-picture, and fills no screen then.
import { expect } from '@open-wc/testing';
import { sendMouse } from '@web/test-runner-commands';
import type { SignTranslate } from '../../src/elements/sign-translate.ts';
import { setFaults } from '../backend/client.ts';
import { frames, heard, inOrder, mount, unmountAll, until } from './stage.ts';

const { appendBuffer } = SourceBuffer.prototype;
const { random } = Math;

afterEach(async () => {
  SourceBuffer.prototype.appendBuffer = appendBuffer;
  Math.random = random;
  if (document.fullscreenElement) await document.exitFullscreen();
  await unmountAll();
  await setFaults([]);
});

/** Opens a window as a visitor would: by a click on a button of the page. */
async function byGesture(open: () => Promise<unknown>): Promise<void> {
  const button = document.createElement('button');
  button.style.cssText =
    'position: fixed; inset: 0 auto auto 0; inline-size: 40px; block-size: 40px; z-index: 1000';
  (document.fullscreenElement ?? document.body).append(button);
  const opened = new Promise((resolve, reject) => {
    button.addEventListener('click', () => void open().then(resolve, reject));
  });
  await sendMouse({ type: 'click', position: [20, 20] });
  await opened;
  button.remove();
}

/** Holds the text on screen while something is done that may take longer than the text. */
async function pausedFor(element: SignTranslate, work: () => Promise<void>): Promise<void> {
  element.pause();
  await work();
  await element.play();
}

const inWindow = (element: SignTranslate): Element | null => element.shadowRoot!.pictureInPictureElement;

/** From now on the buffer takes no more clips, so that all that come are shown on two videos. */
function closeSource(): void {
  SourceBuffer.prototype.appendBuffer = () => {
    throw new DOMException('told by the test', 'InvalidStateError');
  };
}

const texts = ['The first of them', 'Second', 'Third', 'Fourth'];
const wholeRow = texts.flatMap((text) => [`sign-start ${text}`, `sign-end ${text}`]);

it('full screen stays during joins, and when playback falls back to two videos', async () => {
  const { element, said } = await mount();
  const first = element.sign(texts[0]!);
  await heard(element, 'sign-start');
  await pausedFor(element, () => byGesture(() => element.requestFullscreen()));
  const second = element.sign(texts[1]!);
  await heard(element, 'sign-start', ({ text }) => text === texts[1]);
  closeSource();
  const rest = texts.slice(2).map((text) => element.sign(text));
  for (const text of texts.slice(2)) {
    await heard(element, 'sign-start', (detail) => detail.text === text);
    expect(document.fullscreenElement === element).to.equal(true);
  }
  await Promise.all([first, second, ...rest]);
  expect(element.shadowRoot!.querySelectorAll('video')).to.have.length(2);
  expect(document.fullscreenElement === element).to.equal(true);
  const { width } = element.media!.getBoundingClientRect();
  expect(width).to.be.closeTo(document.documentElement.clientWidth, 1);
  expect(inOrder(said, 'sign-start', 'sign-end')).to.deep.equal(wholeRow);
});

it('its button makes the signer full screen while another element of the page is full screen', async () => {
  const { element } = await mount({ controls: '' });
  const article = document.createElement('article');
  document.body.append(article);
  article.append(element);
  await byGesture(() => article.requestFullscreen());
  const toggle = element.shadowRoot!.querySelector<HTMLButtonElement>('[part~=fullscreen]')!;
  const changed = (): Promise<unknown> => {
    const change = new Promise((resolve) =>
      document.addEventListener('fullscreenchange', resolve, { once: true }),
    );
    toggle.click();
    return change;
  };
  await byGesture(changed);
  expect(document.fullscreenElement === element).to.equal(true);
  await changed();
  expect(document.fullscreenElement === article).to.equal(true);
  article.remove();
});

it('picture-in-picture continues over every join, with one video', async () => {
  const { element, said } = await mount();
  const outcomes = texts.map((text) => element.sign(text));
  await heard(element, 'sign-start');
  const video = element.media;
  let left = 0;
  element.addEventListener('leavepictureinpicture', () => (left += 1));
  const starts = texts.slice(1).map((text) => heard(element, 'sign-start', (detail) => detail.text === text));
  await pausedFor(element, () => byGesture(() => element.requestPictureInPicture()));
  for (const start of starts) {
    await start;
    expect(inWindow(element) === video).to.equal(true);
    expect(element.media === video).to.equal(true);
  }
  await Promise.all(outcomes);
  expect(inWindow(element) === video).to.equal(true);
  expect(left).to.equal(0);
  expect(inOrder(said, 'sign-start', 'sign-end')).to.deep.equal(wholeRow);
});

it('picture-in-picture moves to the visible video when clips fall back to two videos, and between the two', async () => {
  const { element, said } = await mount();
  const first = element.sign(texts[0]!);
  await heard(element, 'sign-start');
  const joined = element.media;
  await pausedFor(element, () => byGesture(() => element.requestPictureInPicture()));
  closeSource();
  const shown = new Set<Element | null>([joined]);
  element.addEventListener('sign-start', () => shown.add(element.media));
  // Asked for now: the window may come to one of them when the next has begun already.
  const starts = texts.slice(1).map((text) => heard(element, 'sign-start', (detail) => detail.text === text));
  const rest = texts.slice(1).map((text) => element.sign(text));
  for (const start of starts) {
    await start;
    await until(() => inWindow(element) === element.media);
  }
  await Promise.all([first, ...rest]);
  await frames(3);
  expect(shown.size).to.equal(3);
  expect(inWindow(element) === element.media).to.equal(true);
  expect(joined!.isConnected).to.equal(false);
  expect(element.shadowRoot!.querySelectorAll('video')).to.have.length(2);
  expect(inOrder(said, 'sign-start', 'sign-end')).to.deep.equal(wholeRow);
});

it('picture-in-picture moves to the stream that follows a lost one', async () => {
  Math.random = () => 0;
  const { element } = await mount({ mode: 'stream', transport: 'v3' });
  await element.connect();
  await until(() => element.media);
  const before = element.media;
  await byGesture(() => element.requestPictureInPicture());
  await setFaults([{ fault: 'drop_socket', after_frames: 1, count: 1 }]);
  await element.sign('Signed in the stream that follows');
  await until(() => element.media !== before && inWindow(element) === element.media);
}).timeout(90_000);

it('picture-in-picture moves to the new video when a page changes from clips to a stream', async () => {
  const { element } = await mount({ transport: 'v3' });
  const first = element.sign('As a clip');
  await heard(element, 'sign-start');
  const clip = element.media;
  await byGesture(() => element.requestPictureInPicture());
  element.mode = 'stream';
  await Promise.all([first, element.sign('In the stream')]);
  await until(() => element.media !== clip && inWindow(element) === element.media);
  await until(() => !clip!.isConnected);
}).timeout(90_000);

it('a picture-in-picture window that the visitor closes stays closed, and the element plays on', async () => {
  const { element, said } = await mount();
  const outcomes = texts.slice(0, 2).map((text) => element.sign(text));
  await heard(element, 'sign-start');
  await byGesture(() => element.requestPictureInPicture());
  const left = new Promise((resolve) => element.addEventListener('leavepictureinpicture', resolve));
  await document.exitPictureInPicture();
  await left;
  await Promise.all(outcomes);
  expect(document.pictureInPictureElement).to.equal(null);
  expect(inOrder(said, 'sign-end')).to.have.length(2);
});

it('the page’s media session keeps its handlers and title, which work over joins and after a fall back', async () => {
  const { mediaSession } = navigator;
  const { setActionHandler } = MediaSession.prototype;
  const handlers = new Map<string, MediaSessionActionHandler | null>();
  MediaSession.prototype.setActionHandler = function (this: MediaSession, action, handler) {
    handlers.set(action, handler);
    setActionHandler.call(this, action, handler);
  };
  const { element, said } = await mount();
  const [pause, play] = [() => element.pause(), () => void element.play()];
  const metadata = new MediaMetadata({ title: 'Of the page' });
  try {
    mediaSession.setActionHandler('pause', pause);
    mediaSession.setActionHandler('play', play);
    mediaSession.metadata = metadata;
    const outcomes = texts.slice(0, 2).map((text) => element.sign(text));
    await heard(element, 'sign-start', ({ text }) => text === texts[1]);
    closeSource();
    outcomes.push(...texts.slice(2).map((text) => element.sign(text)));
    await heard(element, 'sign-start', ({ text }) => text === texts[2]);
    handlers.get('pause')!({ action: 'pause' });
    await until(() => element.media!.paused);
    expect(element.paused).to.equal(true);
    handlers.get('play')!({ action: 'play' });
    await Promise.all(outcomes);
    expect([...handlers]).to.deep.equal([
      ['pause', pause],
      ['play', play],
    ]);
    expect(mediaSession.metadata === metadata).to.equal(true);
    expect(mediaSession.playbackState).to.equal('none');
  } finally {
    MediaSession.prototype.setActionHandler = setActionHandler;
    mediaSession.setActionHandler('pause', null);
    mediaSession.setActionHandler('play', null);
    mediaSession.metadata = null;
  }
  expect(inOrder(said, 'sign-end')).to.have.length(4);
});
