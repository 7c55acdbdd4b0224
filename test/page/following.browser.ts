// The page scrolls to the sentence that is signed, whatever scrolls in it.
import { expect } from '@open-wc/testing';
import { heard, mount, unmountAll, until } from '../elements/harness.ts';

const page = document.createElement('main');

beforeEach(() => {
  page.id = 'followed';
  document.body.append(page);
});

afterEach(async () => {
  await unmountAll();
  page.remove();
  for (const { style } of [document.documentElement, document.body]) style.cssText = '';
  scrollTo(0, 0);
});

const filler = '<div style="height: 2500px"></div>';
const target = '<p id="target">This sentence is signed.</p>';

/** Signs the target of this page, and waits until it can be seen. */
async function follow(markup: string): Promise<void> {
  page.innerHTML = markup;
  const { element } = await mount({ for: 'followed', placement: 'top-left' });
  const paragraph = document.getElementById('target')!;
  element.addEventListener('sign-start', () => element.pause());
  const begun = heard(element, 'sign-start');
  await element.read(paragraph);
  void element.play().catch(() => {});
  await begun;
  await until(() => {
    const { right, top, bottom } = paragraph.getBoundingClientRect();
    // Left of the scroll bar that WebKitGTK draws over the content.
    return document.elementFromPoint(right - 20, (top + bottom) / 2) === paragraph;
  });
  expect(CSS.highlights.get('sign-sentence')?.size).to.equal(1);
}

it('the page does not scroll back to the sentence when the reader scrolls away as soon as it is there', async () => {
  const away = (): void => {
    dispatchEvent(new WheelEvent('wheel'));
    scrollTo(0, 0);
  };
  page.innerHTML = `${filler}${target}${filler}`;
  const { element } = await mount({ for: 'followed', placement: 'top-left' });
  element.addEventListener('sign-start', () => element.pause());
  // Before the listener of the signer, which scrolls to the sentence again if it has moved. WebKitGTK 2.50 has no such event.
  addEventListener('onscrollend' in window ? 'scrollend' : 'scroll', away, { capture: true, once: true });
  await element.read(document.getElementById('target')!);
  void element.play().catch(() => {});
  await until(() => element.shadowRoot!.querySelector('.rejoin.shown') !== null);
  expect(scrollY).to.equal(0);
});

it('the page scrolls to a sentence in a scrolling box that is outside the window', () =>
  follow(`${filler}<div style="height: 300px; overflow: auto">${filler}${target}${filler}</div>${filler}`));

it('the page scrolls to a sentence where its body scrolls and its root does not', () => {
  document.documentElement.style.cssText = 'height: 100%; overflow: hidden';
  document.body.style.cssText = 'height: 100%; margin: 0; overflow: auto';
  return follow(`${filler}${target}${filler}`);
});

it('the page scrolls to a sentence below sections that get their height when they come into view', () => {
  const words = '<p>x</p>'.repeat(40);
  const section = (content: string): string =>
    `<section style="content-visibility: auto; contain-intrinsic-size: auto 300px">${content}</section>`;
  return follow(section(words).repeat(10) + section(`${words}${target}${words}`) + filler);
});
