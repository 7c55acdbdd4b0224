// Where the button of a paragraph or a selection is while a visitor scrolls.
import { expect } from '@open-wc/testing';
import { sendMouse } from '@web/test-runner-commands';
import { mount, unmountAll, until } from './harness.ts';

let article: HTMLElement;
let pick: HTMLButtonElement;

beforeEach(async () => {
  const { element } = await mount({ for: 'long' });
  element.style.width = '100px';
  article = document.createElement('article');
  article.id = 'long';
  article.style.margin = '0 60px';
  // A paragraph stays under the pointer, and on screen, for more than one scroll.
  article.innerHTML = '<p style="block-size: 300px">First.</p><p style="block-size: 300vh">Second.</p>';
  document.body.append(article);
  element.focus();
  await until(() => element.shadowRoot!.querySelector('.pick'));
  pick = element.shadowRoot!.querySelector('.pick')!;
  element.blur();
});

afterEach(async () => {
  article.remove();
  document.getSelection()!.removeAllRanges();
  await sendMouse({ type: 'move', position: [0, 0] });
  await unmountAll();
  scrollTo(0, 0);
});

const isShown = (): boolean => pick.classList.contains('shown');

/** Scrolls the page and waits until its listeners have got the event. */
async function scroll(pixels: number): Promise<void> {
  const told = new Promise((resolve) => document.addEventListener('scroll', resolve, { once: true }));
  scrollBy({ top: pixels, behavior: 'instant' });
  await told;
}

it('the button of a paragraph moves with the paragraph when the page scrolls, and disappears with it', async () => {
  const paragraph = article.firstElementChild!;
  const { left, top } = paragraph.getBoundingClientRect();
  await sendMouse({ type: 'move', position: [Math.round(left + 20), Math.round(top + 200)] });
  await until(isShown);
  const from = pick.getBoundingClientRect().top;
  await scroll(30);
  expect(isShown()).to.equal(true);
  expect(pick.getBoundingClientRect().top).to.be.closeTo(from - 30, 1);
  await sendMouse({ type: 'move', position: [0, 0] });
  await scroll(paragraph.getBoundingClientRect().bottom + 1);
  expect(isShown()).to.equal(false);
});

it('a selection has its button again when a scroll of the page is over, also after a scroll off screen and back', async () => {
  document.getSelection()!.selectAllChildren(article.firstElementChild!);
  await until(isShown);
  const label = pick.ariaLabel;
  expect(label).to.equal('Sign what is selected: First.');
  await scroll(20);
  expect(isShown(), 'on the way').to.equal(false);
  await until(isShown);
  await scroll(article.lastElementChild!.getBoundingClientRect().top + 1);
  expect(isShown(), 'off screen').to.equal(false);
  await scroll(-scrollY);
  await until(isShown);
  expect(pick.ariaLabel).to.equal(label);
});

it('a tap shows the button, also in a browser whose click event does not say that it comes from a finger', async () => {
  const [first, second] = article.children as unknown as [Element, Element];
  const bubbling = { bubbles: true, composed: true };
  const tap = (paragraph: Element, click: Event): void => {
    for (const type of ['pointerover', 'pointerdown', 'pointerup'])
      paragraph.dispatchEvent(new PointerEvent(type, { ...bubbling, pointerType: 'touch' }));
    paragraph.dispatchEvent(click);
  };
  // Chromium, Safari before 18.2, Safari 18.2.
  for (const click of [
    new PointerEvent('click', { ...bubbling, pointerType: 'touch' }),
    new MouseEvent('click', bubbling),
    new PointerEvent('click', { ...bubbling, pointerType: 'mouse' }),
  ]) {
    tap(first, click);
    expect([isShown(), pick.ariaLabel]).to.deep.equal([true, 'Sign from here: First.']);
    tap(first, new PointerEvent('click', { ...bubbling, pointerType: 'touch' }));
    expect(isShown()).to.equal(false);
  }
  (second as HTMLElement).click();
  expect(isShown(), 'a click by a script').to.equal(false);
});

it('with the keyboard it is shown at the end of a long page without a look at each paragraph above', async () => {
  article.innerHTML = '<p>One.</p>'.repeat(3000);
  scrollTo(0, document.documentElement.scrollHeight);
  const { getComputedStyle } = window;
  const asked = new Set<Element>();
  window.getComputedStyle = (element, pseudo) => {
    asked.add(element);
    return getComputedStyle.call(window, element, pseudo);
  };
  pick.focus();
  Object.assign(window, { getComputedStyle });
  expect(isShown()).to.equal(true);
  expect(asked.size).to.be.lessThan(300);
});

it('the button of a paragraph of thousands of elements goes with it without a look at each of them', async () => {
  article.innerHTML = `<p>${'<span>word </span>'.repeat(3000)}</p>`;
  const over = (word: Element): boolean =>
    word.dispatchEvent(new PointerEvent('pointerover', { bubbles: true, pointerType: 'mouse' }));
  const [first, second] = article.querySelectorAll('span');
  over(first!);
  expect(isShown()).to.equal(true);
  const { getComputedStyle } = window;
  let looks = 0;
  window.getComputedStyle = (...asked) => {
    looks += 1;
    return getComputedStyle.apply(window, asked);
  };
  over(second!);
  await scroll(10);
  Object.assign(window, { getComputedStyle });
  expect(isShown()).to.equal(true);
  expect(looks).to.be.lessThan(1000);
});
