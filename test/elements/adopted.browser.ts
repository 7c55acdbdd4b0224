// An element that is moved into another document of the same site, a frame or a picture-in-picture window of a page's
// own: it drops its texts, and nothing else is lost.
import { expect, fixture, html } from '@open-wc/testing';
import { heard, inOrder, mount, rejection, unmountAll, until } from './harness.ts';

afterEach(unmountAll);

it('drops its texts, is idle in the other document, and signs there and again in the first', async () => {
  const frame = await fixture<HTMLIFrameElement>(html`<iframe></iframe>`);
  const { element, said } = await mount();
  const { height } = element.getBoundingClientRect();
  const playing = rejection(element.sign('Here.'));
  await heard(element, 'sign-start');

  for (const [place, text] of [
    [frame.contentDocument!.body, 'There.'],
    [document.body, 'Back.'],
  ] as const) {
    place.append(element);
    expect(element.media).to.equal(null);
    expect(getComputedStyle(element).display).to.equal('flex');
    expect((await element.sign(text)).text).to.equal(text);
  }
  expect((await playing).name).to.equal('AbortError');
  expect(inOrder(said, 'sign-start', 'sign-end')).to.deep.equal([
    'sign-start Here.',
    'sign-start There.',
    'sign-end There.',
    'sign-start Back.',
    'sign-end Back.',
  ]);
  expect(element.getBoundingClientRect().height).to.equal(height);
});

it('a click on the picture pauses it once, also in another document', async () => {
  const frame = await fixture<HTMLIFrameElement>(html`<iframe></iframe>`);
  const { element } = await mount({ controls: '' });
  const bar = (): Promise<unknown> => until(() => element.shadowRoot!.querySelector('[part~=toggle]'));
  await bar();
  frame.contentDocument!.body.append(element);
  await element.updateComplete;
  await bar();
  element.playbackRate = 0.25;
  void element.sign('This one is paused by a click').catch(() => {});
  await heard(element, 'sign-start');
  element.shadowRoot!.querySelector<HTMLElement>('.box')!.click();
  expect(element.paused).to.equal(true);
  element.remove();
});
