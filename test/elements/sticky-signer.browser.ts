// A signer in the page that stays on the screen of an upright phone while the page is read.
import { expect } from '@open-wc/testing';
import { sendKeys, setViewport } from '@web/test-runner-commands';
import type { SignTranslate } from '../../src/elements/sign-translate.ts';
import { mount, stoppedAt, unmountAll, until } from './harness.ts';
import { frames } from './on-page.ts';

let article: HTMLElement;

beforeEach(() => setViewport({ width: 390, height: 844 }));
afterEach(async () => {
  article.remove();
  await unmountAll();
  scrollTo(0, 0);
  await setViewport({ width: 800, height: 600 });
});

/** A signer above the part that it reads. */
async function reading(markup: string): Promise<[SignTranslate, HTMLElement]> {
  const { element } = await mount({ for: 'part', controls: '' });
  article = document.createElement('article');
  article.id = 'part';
  article.innerHTML = markup;
  document.body.append(article);
  return [element, article];
}

it('on an upright phone the signer stays on screen while the page scrolls, until the reading is stopped', async () => {
  const [element, text] = await reading('<p>One.</p><p style="margin-block: 4000px">Two.</p>');
  const top = (): number => Math.round(element.getBoundingClientRect().top);
  const start = stoppedAt(element, 'One.');
  void element.read();
  await start;
  const before = text.getBoundingClientRect().top;
  scrollTo(0, 2000);
  await until(() => top() === 0);
  expect(text.getBoundingClientRect().top).to.be.closeTo(before - scrollY, 0.1);
  element.stop();
  await until(() => top() < -1000);
});

it('on an upright phone a link that gets the keyboard focus behind the signer is scrolled into view', async () => {
  const links = Array.from({ length: 30 }, (_, n) => `<p><a href="#${n}">Link ${n}</a></p>`).join('');
  const [element, text] = await reading(links);
  const start = stoppedAt(element, 'Link 0');
  void element.read();
  await start;
  scrollTo(0, 0);
  const covered: string[] = [];
  const all = [...text.querySelectorAll('a')];
  const look = async (): Promise<void> => {
    await frames(3);
    const { left, right, top, bottom } = document.activeElement!.getBoundingClientRect();
    const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    if (at !== document.activeElement) covered.push(document.activeElement!.textContent);
  };
  all[0]!.focus();
  for (const back of [false, true]) {
    if (back) await sendKeys({ down: 'Shift' });
    for (let presses = 1; presses < all.length; presses++) {
      await sendKeys({ press: 'Tab' });
      await look();
    }
  }
  await sendKeys({ up: 'Shift' });
  expect(document.activeElement === all[0]).to.equal(true);
  expect(covered).to.deep.equal([]);
});

it('on a phone the buttons of a reading are in one line, and each has 44 px', async () => {
  const [element] = await reading('<p>One.</p><p>Two.</p>');
  element.style.inlineSize = '376px';
  const start = stoppedAt(element, 'One.');
  void element.read();
  await start;
  const bar = element.shadowRoot!.querySelector('.controls')!;
  const all = [...bar.querySelectorAll('button, select')].map((one) => one.getBoundingClientRect());
  expect(all.length).to.equal(8);
  expect(new Set(all.map(({ top }) => top)).size).to.equal(1);
  expect(all.filter(({ width, height }) => width < 44 || height < 44)).to.deep.equal([]);
});
