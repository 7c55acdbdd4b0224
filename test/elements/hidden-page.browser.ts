// A signer on a page that is hidden: nobody sees its pictures, so no text is signed meanwhile.
// - Chromium pauses a hidden video by itself and Firefox does not; `document.hidden` is replaced, so neither browser knows that
//   the page counts as hidden.
import { expect } from '@open-wc/testing';
import { frames } from './on-page.ts';
import { mount, unmountAll, until } from './harness.ts';

/** Hides the page, or shows it again. */
function hide(hidden: boolean): void {
  if (hidden) Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
  else delete (document as { hidden?: boolean }).hidden;
  document.dispatchEvent(new Event('visibilitychange'));
}

afterEach(async () => {
  hide(false);
  await unmountAll();
});

it('texts pause while the page is hidden, and play on from there when it is visible again', async () => {
  const { element, said } = await mount();
  const texts = ['First', 'Second'].map((text) => element.sign(text));
  await until(() => said.some(({ name }) => name === 'sign-start') && element.currentTime > 0.1);
  hide(true);
  expect([element.media!.paused, element.paused]).to.deep.equal([true, false]);
  const at = element.currentTime;
  await frames(20);
  expect(element.currentTime).to.equal(at);
  hide(false);
  await Promise.all(texts);
  expect(said.filter(({ name }) => name === 'sign-start')).to.have.length(2);
});

it('a text whose video comes while the page is hidden waits for the visitor', async () => {
  const { element, said } = await mount();
  await element.sign('Before');
  hide(true);
  const text = element.sign('Meanwhile');
  await until(() => said.filter(({ name }) => name === 'sign-result').length === 2);
  const { media } = element;
  let plays = 0;
  media!.addEventListener('play', () => (plays += 1));
  await until(() => element.duration > 0 && element.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA);
  await frames(20);
  expect([media!.paused, plays, element.paused]).to.deep.equal([true, 0, false]);
  hide(false);
  await text;
});

it('an ongoing stream pauses while the page is hidden', async () => {
  const { element, said } = await mount({ mode: 'stream' });
  const text = element.sign('In a stream');
  await until(() => said.some(({ name }) => name === 'sign-start'));
  hide(true);
  expect([element.media!.paused, element.paused]).to.deep.equal([true, false]);
  hide(false);
  await text;
});

it('a signer in picture-in-picture plays on while the page is hidden', async () => {
  const { element, said } = await mount();
  const text = element.sign('In a window of its own');
  await until(() => said.some(({ name }) => name === 'sign-start'));
  const { media } = element;
  const root = media!.getRootNode();
  Object.defineProperty(root, 'pictureInPictureElement', { configurable: true, value: media });
  hide(true);
  expect(media!.paused).to.equal(false);
  await text;
});
