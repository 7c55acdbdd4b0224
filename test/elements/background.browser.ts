// The attribute `background` on `<sign-translate>`, through the real proxy and the real sandbox: whether the page or the service
// removes the signer's own backplate, and what is shown in its place.
import { expect } from '@open-wc/testing';
import type { SignTranslate } from '../../src/elements/sign-translate.ts';
import { setFaults } from '../backend/client.ts';
import { loseContext, openContexts } from '../playback/chroma-key/page-contexts.ts';
import { heard, inOrder, mount, runs, unmountAll, until, watchPicture } from './harness.ts';
import { frames } from './on-page.ts';

const TEXT = 'No plate';
/** A point between the badge and the signer's shoulder, which is backplate in every picture of the sandbox. */
const PLATE = { x: 0.05, y: 0.5 };
/** A point that is on the signer's chest at any time of the sandbox's clips. */
const CHEST = { x: 0.5, y: 0.5 };

const { fetch, console } = window;
const { warn } = console;
const { getVideoPlaybackQuality } = HTMLVideoElement.prototype;

beforeEach(() => {
  // FrameRateMonitor ends keying on a slow machine by this number; 0 hides how slow the machine of the test is.
  HTMLVideoElement.prototype.getVideoPlaybackQuality = () =>
    ({ totalVideoFrames: 0 }) as VideoPlaybackQuality;
});
afterEach(async () => {
  HTMLVideoElement.prototype.getVideoPlaybackQuality = getVideoPlaybackQuality;
  window.fetch = fetch;
  console.warn = warn;
  await unmountAll();
  await setFaults([]);
});

const part = <Found extends HTMLElement>(element: SignTranslate, selector: string): Found | null =>
  element.shadowRoot!.querySelector<Found>(selector);
const canvasOf = (element: SignTranslate): HTMLCanvasElement | null => part(element, 'canvas');
const behind = (element: SignTranslate): string =>
  getComputedStyle(part(element, '[part=box]')!).backgroundColor;
const isPlain = (element: SignTranslate): boolean => element.matches(':state(plain)');

/** What a visitor sees of the signer: the canvas, the video, or nothing yet. */
function shows(element: SignTranslate): 'canvas' | 'video' | 'nothing' {
  const canvas = canvasOf(element);
  if (canvas && getComputedStyle(canvas).visibility === 'visible') return 'canvas';
  const box = element.media?.parentElement;
  return box && getComputedStyle(box).opacity === '1' ? 'video' : 'nothing';
}

/**
 * Alpha of the backplate once the signer is drawn. A canvas of WebGL can be read only in the task that draws it, so it is made
 * to draw, as after a seek.
 */
async function alphaOfPlate(element: SignTranslate): Promise<number> {
  const look = (): { chest: number; plate: number } => {
    element.media!.dispatchEvent(new Event('seeked'));
    const drawn = canvasOf(element)!;
    const { width, height } = drawn;
    const context = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d')!;
    context.drawImage(drawn, 0, 0);
    const alphaAt = ({ x, y }: typeof PLATE): number =>
      context.getImageData(x * width, y * height, 1, 1).data[3]!;
    return { chest: alphaAt(CHEST), plate: alphaAt(PLATE) };
  };
  return (await until(look, ({ chest }) => chest === 255)).plate;
}

/**
 * Signs a text and pauses at its first frame, so that it is still shown when a slow machine checks it. `signed` is the promise of
 * `sign()`.
 */
async function held(element: SignTranslate, text: string): Promise<{ signed: Promise<unknown> }> {
  const signed = element.sign(text);
  await heard(element, 'sign-start');
  element.pause();
  return { signed };
}

/** The delivery configs of all translation requests from now on. */
function watchConfigs(): Record<string, unknown>[] {
  const configs: Record<string, unknown>[] = [];
  window.fetch = (input, init) => {
    if (String(input).endsWith('/v2/generate')) {
      const { output } = JSON.parse(init?.body as string) as {
        output: { delivery: { config: Record<string, unknown> } };
      };
      configs.push(output.delivery.config);
    }
    return fetch(input, init);
  };
  return configs;
}

it('background="transparent" over V3 is keyed in the page over a translucent backdrop, with every frame in order', async () => {
  const { element, said } = await mount({ transport: 'v3', background: 'Transparent' });
  expect(canvasOf(element)).to.equal(null);
  const picture = watchPicture(element, [TEXT]);
  const seen = new Set<string>();
  const look = (): boolean => seen.add(shows(element)).has('canvas');
  const looking = until(look);
  const { signed } = await held(element, TEXT);
  await looking;
  expect(await alphaOfPlate(element)).to.equal(0);
  expect(isPlain(element)).to.equal(false);
  expect(behind(element)).to.equal('rgba(219, 228, 236, 0.85)');
  element.style.setProperty('--sign-backdrop', 'rgb(1 2 3)');
  expect(behind(element)).to.equal('rgb(1, 2, 3)');
  await element.play();
  await signed;
  expect(runs(await picture())).to.deep.equal([TEXT]);
  expect(inOrder(said, 'sign-start', 'sign-end')).to.deep.equal([`sign-start ${TEXT}`, `sign-end ${TEXT}`]);
  // The backplate was not visible for a moment before it was removed.
  expect(seen.has('video')).to.equal(false);
  const canvas = canvasOf(element)!;
  expect([canvas.getAttribute('aria-hidden'), canvas.part.value]).to.deep.equal(['true', 'video']);
});

it('a change during playback takes effect at once; an invalid value shows the signer’s own background, with one warning', async () => {
  const warned: unknown[] = [];
  console.warn = (message: unknown) => void warned.push(message);
  const { element } = await mount({ background: 'mauve' });
  const other = await mount({ background: '#12' });
  expect(warned).to.have.length(1);
  expect([element.background, other.element.background]).to.deep.equal([null, null]);
  await held(element, TEXT);
  expect([shows(element), canvasOf(element)]).to.deep.equal(['video', null]);
  expect(behind(element)).to.equal('rgb(219, 228, 236)');
  element.background = '#10203F';
  await until(() => shows(element) === 'canvas');
  expect(behind(element)).to.equal('rgb(16, 32, 63)');
  element.setAttribute('background', 'transparent');
  await element.updateComplete;
  expect([shows(element), behind(element)]).to.deep.equal(['canvas', 'rgba(219, 228, 236, 0.85)']);
  element.removeAttribute('background');
  await element.updateComplete;
  expect([shows(element), canvasOf(element)]).to.deep.equal(['video', null]);
  expect(openContexts()).to.deep.equal([]);
});

it('over REST the service paints the colour and the page keys nothing, and with "transparent" the page keys the video', async () => {
  const configs = watchConfigs();
  const { element } = await mount({ transport: 'rest', background: '#20C0A0' });
  const signed = element.sign(TEXT);
  await until(() => shows(element) === 'video' && !isPlain(element));
  expect(behind(element)).to.equal('rgb(32, 192, 160)');
  await signed;
  element.background = 'transparent';
  await held(element, 'Now');
  await until(() => shows(element) === 'canvas');
  // The same video shows both clips: the colour of the first is keyed until the backplate of the second is found.
  await until(async () => (await alphaOfPlate(element)) === 0);
  expect(configs.map(({ backgroundColor }) => backgroundColor)).to.deep.equal(['#20c0a0', undefined]);
});

it('streams are keyed too', async () => {
  const { element, said } = await mount({ transport: 'v3', mode: 'stream', background: '#10203f' });
  void element.sign(TEXT);
  await until(
    () => said.some(({ name }) => name === 'sign-start'),
    Boolean,
    () => said,
  );
  await until(() => shows(element) === 'canvas');
  // FFmpeg decodes a stream that is joined in its middle to grey pictures at first (WebKitGTK).
  await until(
    () => alphaOfPlate(element),
    (alpha) => alpha === 0,
  );
});

it('while the WebGL context is lost, the plain video is visible and :state(plain) matches', async () => {
  const { element } = await mount({ background: 'transparent' });
  await held(element, TEXT);
  await until(() => shows(element) === 'canvas');
  const restore = await loseContext();
  await until(() => isPlain(element));
  expect(shows(element)).to.equal('video');
  restore();
  await until(() => shows(element) === 'canvas');
  expect(isPlain(element)).to.equal(false);
});

it('a moved element stays keyed; a removed element releases its WebGL context', async () => {
  const { element } = await mount({ background: 'transparent' });
  await held(element, TEXT);
  await until(() => shows(element) === 'canvas');
  const [context] = openContexts();
  const elsewhere = document.createElement('div');
  document.body.append(elsewhere);
  elsewhere.append(element);
  await frames(4);
  expect([shows(element), context!.isContextLost()]).to.deep.equal(['canvas', false]);
  elsewhere.remove();
  await until(() => openContexts().length === 0);
  await until(() => canvasOf(element) === null);
  await frames(3);
  expect(part(element, '[part=box]')!.hasAttribute('keyed')).to.equal(false);
  document.body.append(element);
  await until(() => behind(element) === 'rgba(219, 228, 236, 0.85)');
});
