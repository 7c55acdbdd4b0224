// Picture-in-picture while texts follow one another: the window moves with the signer from video to video.
// - The gesture that opens a window is a real click.
// - A browser has one such window for all its pages, so every test that opens it is in this file.
import { expect } from '@open-wc/testing';
import { sendMouse } from '@web/test-runner-commands';
import type { SignTranslate } from '../../src/elements/sign-translate.ts';
import { setFaults } from '../backend/client.ts';
import { mount as mountPlayer, openStream } from './live/live-harness.ts';
import { around } from './media-chrome-harness.ts';
import { heard, inOrder, mount, until } from './harness.ts';
import { byGesture, closeSource, endWindows, pausedFor, texts, allEvents } from './window-harness.ts';

const { random } = Math;

afterEach(async () => {
  Math.random = random;
  await endWindows();
});

const inWindow = (element: SignTranslate): Element | null => element.shadowRoot!.pictureInPictureElement;

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
  expect(inOrder(said, 'sign-start', 'sign-end')).to.deep.equal(allEvents);
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
  // The listeners are added now, because the next text may have begun before the window has moved to the video of this one.
  const starts = texts.slice(1).map((text) => heard(element, 'sign-start', (detail) => detail.text === text));
  const rest = texts.slice(1).map((text) => element.sign(text));
  for (const start of starts) {
    await start;
    await until(() => inWindow(element) === element.media);
  }
  await Promise.all([first, ...rest]);
  // The joined video is removed from the page when its window has moved.
  await until(() => inWindow(element) === element.media && !joined!.isConnected);
  expect(shown.size).to.equal(3);
  expect(element.shadowRoot!.querySelectorAll('video')).to.have.length(2);
  expect(inOrder(said, 'sign-start', 'sign-end')).to.deep.equal(allEvents);
});

it('picture-in-picture ends on the visible video when clips change faster than its window moves', async () => {
  const { element } = await mount();
  const first = element.sign(texts[0]!);
  await heard(element, 'sign-start');
  await pausedFor(element, () => byGesture(() => element.requestPictureInPicture()));
  const video = HTMLVideoElement.prototype;
  const { requestPictureInPicture } = video;
  let goOn = (): void => {};
  const isLate = new Promise<void>((resolve) => (goOn = resolve));
  video.requestPictureInPicture = async function late() {
    await isLate;
    return requestPictureInPicture.call(this);
  };
  try {
    closeSource();
    await Promise.all([first, ...texts.slice(1, 3).map((text) => element.sign(text))]);
    goOn();
    await until(() => inWindow(element) === element.media);
  } finally {
    video.requestPictureInPicture = requestPictureInPicture;
  }
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

it('picture-in-picture has a button that asks for the window, and a refusal changes nothing', async () => {
  const { element } = await mount({ controls: 'play pip' });
  await element.sign('A text');
  const button = element.shadowRoot!.querySelector('[part~=pip]')!;
  const { left, top, width, height } = button.getBoundingClientRect();
  let asked = 0;
  element.requestPictureInPicture = () => {
    asked += 1;
    return Promise.reject(new DOMException('rejected by the test', 'NotAllowedError'));
  };
  await sendMouse({ type: 'click', position: [Math.round(left + width / 2), Math.round(top + height / 2)] });
  await element.updateComplete;
  expect([asked, button.ariaLabel]).to.deep.equal([1, 'Picture in picture']);
});

it('media-chrome opens the window of a live player, and closes it', async () => {
  const stream = await openStream();
  const { player } = mountPlayer({ src: stream.hls });
  const { controller, click, shown } = await around(player);
  await until(() => player.currentTime >= player.liveEdgeStart);
  await click('pip');
  await until(() => shown('pip', 'mediaispip') !== null);
  expect(document.pictureInPictureElement).to.equal(player);
  await click('pip');
  await until(() => shown('pip', 'mediaispip') === null);
  controller.remove();
  await stream.end();
});
