// The controls of the package media-chrome around each of our elements that plays.
// - A real mouse clicks them, and they show what they read from our element.
import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import '../../src/define/sign-announcement.ts';
import '../../src/define/sign-silence-loop.ts';
import type { SignElement } from '../../src/elements/sign-element.ts';
import { proxyAddress } from '../backend/client.ts';
import { mount as mountPlayer, openStream } from './live/live-harness.ts';
import { around, clickAt } from './media-chrome-harness.ts';
import { heard, mount, until } from './harness.ts';
import { frames } from './on-page.ts';

async function press(element: HTMLElement, key: string): Promise<void> {
  element.focus();
  await sendKeys({ press: key });
}

/** A simple element that is put on the page at the real proxy. */
async function plain(
  tag: 'sign-silence-loop' | 'sign-announcement',
  attributes: Record<string, string>,
): Promise<SignElement> {
  const element = document.createElement(tag);
  element.setAttribute('proxy', await proxyAddress());
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

const rejections: unknown[] = [];
const onRejection = ({ reason }: PromiseRejectionEvent): void => void rejections.push(reason);

before(() => addEventListener('unhandledrejection', onRejection));
afterEach(async () => {
  if (document.fullscreenElement) await document.exitFullscreen();
  for (const controller of document.querySelectorAll('media-controller')) controller.remove();
  // media-chrome keeps a visitor's choices there.
  localStorage.clear();
  await frames(4);
  expect(rejections.splice(0)).to.deep.equal([]);
});
after(() => removeEventListener('unhandledrejection', onRejection));

it('media-chrome controls pause, play, go live, unmute and full screen of a live player', async () => {
  const stream = await openStream();
  const { player } = mountPlayer({ src: stream.hls });
  const { controller, click, shown } = await around(player);
  await until(() => player.currentTime >= player.liveEdgeStart);
  await until(() => shown('play', 'mediapaused') === null && shown('live', 'mediatimeislive') !== null);
  expect(shown('controller', 'mediastreamtype')).to.equal('live');

  await click('play');
  expect(player.paused).to.equal(true);
  await until(() => shown('play', 'mediapaused') !== null && shown('live', 'mediatimeislive') === null);
  await until(() => player.latency > 6);
  /** For each jump, how many seconds nearer to live it went than live playback should then be, as media may be late. */
  const jumps: number[] = [];
  player.addEventListener('seeking', () => jumps.push(player.currentTime - (player.liveEdgeStart + 1)));
  await click('live');
  await until(() => !player.paused && player.currentTime >= player.liveEdgeStart);
  await until(() => shown('live', 'mediatimeislive') !== null && shown('play', 'mediapaused') === null);
  // The player jumps to where live playback should be, not to the end of the buffer.
  expect(Math.max(...jumps), jumps.join(' ')).to.be.below(0.5);

  expect(shown('mute', 'mediavolumelevel')).to.equal('off');
  await click('mute');
  await until(() => shown('mute', 'mediavolumelevel') === 'high');
  expect([player.muted, player.media!.muted]).to.deep.equal([false, false]);

  await click('fullscreen');
  await until(() => shown('fullscreen', 'mediaisfullscreen') !== null);
  expect(document.fullscreenElement).to.equal(controller);
  expect(player.paused).to.equal(false);
  await click('fullscreen');
  await until(() => document.fullscreenElement === null);
  await stream.end();
});

it('media-chrome controls pause and play texts, show their time, and seek by a click on the time bar', async () => {
  const { element } = await mount();
  // A click may take as long as a text at full speed.
  element.playbackRate = 0.25;
  const { click, shown, time, range } = await around(element);
  const signed = element.sign('The train to Leeds is late');
  await until(() => element.currentTime > 0.3);
  await until(() => shown('play', 'mediapaused') === null);
  await click('play');
  await until(() => shown('play', 'mediapaused') !== null);
  expect(element.paused).to.equal(true);
  await until(() => range.getAttribute('mediaduration') === String(element.duration));
  await clickAt(range, 0.8);
  await until(() => Math.abs(element.currentTime - 0.8 * element.duration) < 0.2);
  await until(() => Math.abs(Number(time.getAttribute('mediacurrenttime')) - element.currentTime) < 0.01);
  await click('play');
  await signed;
  await until(() => shown('play', 'mediapaused') !== null);
  // A theme of media-chrome shows its button for captions when there is this list.
  expect(shown('controller', 'mediasubtitleslist')).to.equal(null);
});

it('the play button of media-chrome plays the ended texts again', async () => {
  const { element } = await mount();
  const { click, shown } = await around(element);
  await element.sign('Hello');
  await until(() => shown('play', 'mediapaused') !== null);
  const again = heard(element, 'sign-end');
  await click('play');
  expect((await again).text).to.equal('Hello');
});

for (const [tag, attributes] of [
  ['sign-silence-loop', {}],
  ['sign-announcement', { destination: 'EDB', timing: '0930' }],
] as const) {
  it(`a button, a key and a click of media-chrome each pause and play ${tag} once`, async () => {
    const element = await plain(tag, attributes);
    element.loop = true;
    const { click, shown, time } = await around(element);
    const isShownPaused = (): boolean => shown('play', 'mediapaused') !== null;
    await until(() => element.currentTime > 0 && !isShownPaused());
    await until(() => Number(time.getAttribute('mediaduration')) === element.duration);
    await click('play');
    await until(isShownPaused);
    expect(element.paused).to.equal(true);
    await click('play');
    await until(() => !isShownPaused());
    // Our element and media-chrome both handle the keys.
    for (const key of ['k', ' ']) {
      await press(element, key);
      await frames(2);
      expect(element.paused, key).to.equal(key === 'k');
      await until(() => isShownPaused() === element.paused);
    }
    // Only media-chrome handles a click on the picture.
    await clickAt(element, 0.5);
    await until(isShownPaused);
    expect(element.paused).to.equal(true);
  });
}
