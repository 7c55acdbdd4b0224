// What a visitor sees and presses while a page is read.
import { expect } from '@open-wc/testing';
import { sendKeys, sendMouse } from '@web/test-runner-commands';
import type { SignTranslate } from '../../src/elements/sign-translate.ts';
import { setFaults } from '../backend/client.ts';
import { heard, mount, stoppedAt, unmountAll, until } from './harness.ts';
import { frames, middleOf } from './on-page.ts';

const parts: Element[] = [];

afterEach(async () => {
  for (const part of parts.splice(0)) part.remove();
  document.getSelection()?.removeAllRanges();
  await sendMouse({ type: 'move', position: [0, 0] });
  await unmountAll();
  await setFaults([]);
  scrollTo(0, 0);
});

/** A signer above the part that it reads, which has a margin of 60 px. */
async function reading(
  markup: string,
  attributes: Record<string, string> = {},
): Promise<[SignTranslate, HTMLElement]> {
  const { element } = await mount({ for: 'part', controls: '', ...attributes });
  element.style.width = '300px';
  element.playbackRate = 2;
  const article = document.createElement('article');
  article.id = 'part';
  article.style.margin = '0 60px';
  article.innerHTML = markup;
  parts.push(article);
  document.body.append(article);
  return [element, article];
}

const part = (element: SignTranslate, name: string): HTMLButtonElement =>
  element.shadowRoot!.querySelector<HTMLButtonElement>(`button[part~=${name}]`)!;
const rows = (element: SignTranslate): HTMLElement[] => [
  ...element.shadowRoot!.querySelectorAll<HTMLElement>('ul[part~=queue] > li'),
];
/** Whether a part is shown: as a popover where the browser has popovers (`npm run test:older` has none), else by its class. */
const shown = (element: SignTranslate, name: string): boolean =>
  part(element, name)?.matches('showPopover' in HTMLElement.prototype ? ':popover-open' : '.shown') ?? false;

/** Plays without waiting. The promise of play() rejects when a pause comes before playback has begun. */
const go = (element: SignTranslate): void => void element.play().catch(() => {});

it('the bar goes to the next sentence and to the one before, shows its position, sends a report, and stops', async () => {
  const [element] = await reading('<p>One. Two. Three.</p>');
  const one = stoppedAt(element, 'One.');
  go(element);
  await one;
  await until(() => part(element, 'queue').textContent?.trim() === '1 of 3');
  const two = stoppedAt(element, 'Two.');
  part(element, 'next').click();
  go(element);
  await two;
  const again = stoppedAt(element, 'One.');
  part(element, 'previous').click();
  go(element);
  await again;
  await until(() => !part(element, 'report').disabled);
  const report = heard(element, 'sign-report');
  part(element, 'report').click();
  const { ref, text, sessionId } = await report;
  expect(text).to.equal('One.');
  expect(ref).to.equal(element.queue[0]!.ref);
  expect(sessionId).to.be.a('string');
  part(element, 'stop').click();
  expect(element.queue).to.deep.equal([]);
  expect(document.activeElement === element).to.equal(true);
});

it('the list of sentences shows the state of each, and a visitor can skip, retry and go to a sentence', async () => {
  const [element] = await reading('<p>One. Two. Three. Four. Five. Six.</p>');
  const one = stoppedAt(element, 'One.');
  await element.read();
  await one;
  await until(() => part(element, 'queue') !== null);
  part(element, 'queue').click();
  await until(() => rows(element).length === 6);
  expect(part(element, 'queue').getAttribute('aria-expanded')).to.equal('true');
  await until(() => rows(element)[3]!.querySelector('small')!.textContent === 'ready');
  expect(rows(element)[5]!.querySelector('small')!.textContent).to.equal('waiting');
  await expect(element).to.be.accessible();
  rows(element)[1]!.querySelector<HTMLButtonElement>('[aria-label="Skip: Two."]')!.click();
  await until(() => rows(element).length === 5);
  const five = stoppedAt(element, 'Five.');
  rows(element)[3]!.querySelector<HTMLButtonElement>('.jump')!.click();
  go(element);
  await five;
  await until(() =>
    rows(element).some((row) => row.ariaCurrent === 'true' && row.textContent!.includes('Five.')),
  );
});

it('the focus stays in the signer when its sentence is skipped, and when the page shows another text while the list is open', async () => {
  const [element, article] = await reading('<p>One. Two.</p>');
  const start = stoppedAt(element, 'One.');
  void element.read();
  await start;
  part(element, 'queue').click();
  await until(() => rows(element).length === 2);
  (rows(element)[1]!.lastElementChild as HTMLElement).focus();
  await sendKeys({ press: 'Enter' });
  await until(() => rows(element).length === 1);
  expect(document.activeElement === element, 'skipped').to.equal(true);
  rows(element)[0]!.querySelector('button')!.focus();
  article.outerHTML = '<article id="part"><h1>Another.</h1></article>';
  parts.push(document.getElementById('part')!);
  await until(() => rows(element).length === 0);
  expect(document.activeElement === element, 'another page').to.equal(true);
});

it('`controls` with words chooses buttons, and its word `caption` gives the sentence as text', async () => {
  const [element] = await reading('<p>One.</p>', { controls: 'stop caption' });
  const one = stoppedAt(element, 'One.');
  go(element);
  await one;
  await until(() => part(element, 'caption') !== null);
  for (const name of ['previous', 'next', 'queue']) expect(part(element, name)).to.equal(null);
  part(element, 'caption').click();
  await until(() => element.shadowRoot!.querySelector('p[part=caption]')?.textContent === 'One.');
  expect(element.getAttribute('controls')).to.equal('stop caption');
});

it('a button at the margin of the paragraph under the pointer signs from there, and a link still gets its clicks', async () => {
  const [element, article] = await reading('<p>First.</p><p>Second with <a href="#x">a link</a>. More.</p>');
  const paragraph = article.children[1]!;
  // The first paragraph under the pointer loads the code.
  await sendMouse({ type: 'move', position: middleOf(article.children[0]!) });
  await until(() => part(element, 'pick')?.ariaLabel === 'Sign from here: First.');
  await sendMouse({ type: 'move', position: middleOf(paragraph) });
  await until(() => shown(element, 'pick'));
  const pick = part(element, 'pick');
  await until(() => pick.getBoundingClientRect().right <= paragraph.getBoundingClientRect().left);
  const link = paragraph.querySelector('a')!;
  expect(document.elementFromPoint(...middleOf(link)) === link).to.equal(true);
  const second = stoppedAt(element, 'Second with a link.');
  await sendMouse({ type: 'click', position: middleOf(pick) });
  await second;
});

it('a paragraph is chosen with the keyboard as well, and a selection has a button beside it', async () => {
  const head = '<h2>Head of the <del>old </del>public services and hospitals</h2>';
  const [element, article] = await reading(`${head}<div><p>First. Two.</p></div><p>Second.</p>`);
  element.focus();
  await until(() => part(element, 'pick') !== null);
  part(element, 'pick').focus();
  expect(part(element, 'pick').ariaLabel).to.equal('Sign from here: Head of the public services and');
  await sendKeys({ press: 'ArrowDown' });
  await sendKeys({ press: 'ArrowDown' });
  await sendKeys({ press: 'ArrowUp' });
  expect(part(element, 'pick').ariaLabel).to.equal('Sign from here: First. Two.');
  const first = stoppedAt(element, 'First.');
  await sendKeys({ press: 'Enter' });
  await first;
  await sendKeys({ press: 'Escape' });
  expect(shown(element, 'pick')).to.equal(false);
  const words = article.querySelector('p')!.firstChild!;
  document.getSelection()!.setBaseAndExtent(words, 7, words, 10);
  await until(() => part(element, 'pick').ariaLabel === 'Sign what is selected: Two');
  const two = stoppedAt(element, 'Two.');
  await sendMouse({ type: 'click', position: middleOf(part(element, 'pick')) });
  await two;
  expect(String(document.getSelection())).to.equal('Two');
  expect(element.queue.map(({ text }) => text)).to.deep.equal(['Two.']);
  element.pick = 'none';
  await element.updateComplete;
  expect(shown(element, 'pick')).to.equal(false);
});

it('a click on the marked sentence goes to its beginning, a click on a link in it follows the link, and selecting words does nothing', async () => {
  const [element, article] = await reading('<p>One. Two with <a href="#there">a link</a> in it.</p>');
  const sentence = heard(element, 'sign-sentence', ({ text }) => text !== 'One.');
  const two = stoppedAt(element, 'Two with a link in it.');
  element.playbackRate = 0.5;
  void element.read();
  await two;
  const began = element.currentTime;
  go(element);
  await until(() => element.currentTime > began + 0.3);
  element.pause();
  const { range } = await sentence;
  // A message of the bar may move the text.
  const corner = (): DOMRect => range.getBoundingClientRect();
  await sendMouse({ type: 'click', position: middleOf(article.querySelector('a')!) });
  expect([location.hash, element.paused]).to.deep.equal(['#there', true]);
  const words = article.querySelector('p')!.firstChild!;
  document.getSelection()!.setBaseAndExtent(words, 6, words, 8);
  article
    .querySelector('p')!
    .dispatchEvent(
      new MouseEvent('click', { clientX: corner().left + 3, clientY: corner().top + 3, bubbles: true }),
    );
  expect(element.paused).to.equal(true);
  document.getSelection()!.removeAllRanges();
  const goes = new Promise((resolve) => element.addEventListener('play', resolve, { once: true }));
  const lands = new Promise<number>((resolve) => {
    element.addEventListener('seeking', () => resolve(element.currentTime), { once: true });
  });
  await sendMouse({ type: 'click', position: [Math.round(corner().left + 5), Math.round(corner().top + 8)] });
  await goes;
  expect(await lands).to.be.closeTo(began, 0.25);
  expect(element.queue.map(({ state }) => state)).to.deep.equal(['signed', 'signing']);
  history.replaceState(null, '', location.pathname + location.search);
});

it('the button at a paragraph that is in the queue goes there, and the queue stays whole', async () => {
  const [element, article] = await reading('<p>One.</p><p>Two.</p><p>Three.</p>');
  const one = stoppedAt(element, 'One.');
  void element.read();
  await one;
  const { queue } = element;
  await sendMouse({ type: 'move', position: middleOf(article.children[2]!) });
  await until(() => shown(element, 'pick') && part(element, 'pick').ariaLabel!.includes('Three.'));
  const three = stoppedAt(element, 'Three.');
  await sendMouse({ type: 'click', position: middleOf(part(element, 'pick')) });
  await three;
  expect(element.queue.map(({ text }) => text)).to.deep.equal(queue.map(({ text }) => text));
});

const isOnScreen = (place: Element, { top, bottom } = place.getBoundingClientRect()): boolean =>
  top >= 0 && bottom <= innerHeight;

it('the page scrolls to a sentence that is off screen, no longer when the reader has scrolled, and again when the reader asks for it', async () => {
  const far = '<p style="margin-block: 2000px">';
  const [element, article] = await reading(`<p>Here.</p>${far}Far.</p>${far}Further. And.</p>`, {
    placement: 'bottom-right',
  });
  const second = stoppedAt(element, 'Far.');
  go(element);
  await second;
  // Waits until the page no longer scrolls: a smooth scroll would go on after the scrollTo() below.
  await until(async () => {
    const before = scrollY;
    await frames(2);
    return scrollY === before && isOnScreen(article.children[1]!);
  });
  dispatchEvent(new WheelEvent('wheel'));
  scrollTo(0, 0);
  await until(() => shown(element, 'rejoin'));
  const third = stoppedAt(element, 'Further.');
  go(element);
  await third;
  expect(isOnScreen(article.children[0]!)).to.equal(true);
  part(element, 'rejoin').click();
  await until(() => isOnScreen(article.children[2]!));
  expect(shown(element, 'rejoin')).to.equal(false);
});

it('the page does not scroll the signer out of sight until the reader asks for the sentence', async () => {
  const [element, article] = await reading(
    '<p>Here.</p><p style="margin-block: 2000px">Far.</p><p style="margin-bottom: 2000px">And.</p>',
  );
  const second = stoppedAt(element, 'Far.');
  go(element);
  await second;
  const third = stoppedAt(element, 'And.');
  go(element);
  await third;
  expect(isOnScreen(element)).to.equal(true);
  dispatchEvent(new WheelEvent('wheel'));
  scrollBy(0, 1);
  await until(() => shown(element, 'rejoin'));
  part(element, 'rejoin').click();
  await until(() => isOnScreen(article.children[2]!));
});

it('a sentence behind the panel or under a sticky header is scrolled into view', async () => {
  const text = '<p style="margin-block: 70vh 2000px">Behind it.</p><p>Under a header.</p>';
  const [element, article] = await reading(text, { placement: 'bottom-right', remember: 'none' });
  await until(() => part(element, 'close') !== null);
  const behind = stoppedAt(element, 'Behind it.');
  article.style.marginInlineStart = '60vw';
  await element.read();
  await behind;
  const edges = (one: Element): DOMRect => one.getBoundingClientRect();
  await until(() => edges(article.children[0]!).bottom <= edges(element).top);
  document.documentElement.style.scrollPaddingTop = '150px';
  try {
    const last = article.children[1]!;
    last.append(Object.assign(document.createElement('div'), { style: 'height: 2000px' }));
    scrollBy(0, edges(last).top - 20);
    const under = stoppedAt(element, 'Under a header.');
    await element.read(last);
    go(element);
    await under;
    await until(() => edges(last).top >= 150);
  } finally {
    document.documentElement.style.scrollPaddingTop = '';
  }
});
