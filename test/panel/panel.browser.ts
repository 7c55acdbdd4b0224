// The panel of an element with a `placement`, as a visitor uses it by mouse and keyboard.
import { expect } from '@open-wc/testing';
import { sendKeys, sendMouse, setViewport } from '@web/test-runner-commands';
import type { SignTranslate } from '../../src/elements/sign-translate.ts';
import { heard, unmountAll, until } from '../elements/harness.ts';
import { edges, inside, panel, testPage } from './panel-harness.ts';
import { frames } from '../elements/on-page.ts';

const page = testPage();

const press = async (element: SignTranslate, selector: string): Promise<void> => {
  inside(element, selector).click();
  await element.updateComplete;
};

/**
 * Tries clicks on a grid of points over the window. Returns how many reach the element, and how many of these are outside its box.
 */
function hits(element: Element): { all: number; beside: number } {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const found = { all: 0, beside: 0 };
  for (let y = 2; y < innerHeight; y += 12) {
    for (let x = 2; x < innerWidth; x += 12) {
      if (document.elementFromPoint(x, y) !== element) continue;
      found.all++;
      if (x < left - 1 || x > right + 1 || y < top - 1 || y > bottom + 1) found.beside++;
    }
  }
  return found;
}

it('the panel closes and opens by its button and by methods, fires an event, and takes no click while it is closed', async () => {
  const element = await panel();
  const fired: string[] = [];
  for (const type of ['sign-open', 'sign-close']) {
    document.body.addEventListener(type, () => fired.push(`${type} ${element.open}`), { once: true });
  }
  // The panel is open by default without the attribute, because an attribute that the page has not written would be an error of
  // hydration.
  expect([element.open, element.hasAttribute('open')]).to.deep.equal([true, false]);
  expect(hits(element).beside).to.equal(0);
  expect(hits(element).all).to.be.above(100);
  await press(element, '.close');
  expect([element.open, element.hasAttribute('open'), hits(element).all]).to.deep.equal([false, false, 0]);
  element.show();
  await element.updateComplete;
  expect(hits(element).all).to.be.above(100);
  element.hide();
  await element.updateComplete;
  expect(hits(element).all).to.equal(0);
  expect(fired).to.deep.equal(['sign-close false', 'sign-open true']);
});

it('the panel stays open on a page that is left and restored, and fires no event for that', async () => {
  const element = await panel();
  const fired: string[] = [];
  for (const name of ['sign-open', 'sign-close']) element.addEventListener(name, () => fired.push(name));
  for (const name of ['pagehide', 'pageshow']) {
    window.dispatchEvent(new PageTransitionEvent(name, { persisted: true }));
    await frames(3);
  }
  await until(() => inside(element, '.close'));
  expect(fired).to.deep.equal([]);
  await press(element, '.close');
  expect(fired).to.deep.equal(['sign-close']);
});

it('the whole panel is shown in any window, with a picture that is large enough to read', async () => {
  const element = await panel();
  const sizes = [
    [1280, 800],
    [844, 390],
    [640, 320],
    [390, 844],
    [320, 568],
    [320, 256],
  ] as const;
  for (const [width, height] of sizes) {
    await setViewport({ width, height });
    await frames(3);
    const size = `${width}x${height}`;
    for (const part of ['.head', '.box', '.controls', '.close', '[part~=toggle]']) {
      const [left = -1, top = -1, right = Infinity, bottom = Infinity] = edges(inside(element, part));
      expect([left >= 0, top >= 0, right <= width, bottom <= height], `${part} ${size}`).to.not.include(
        false,
      );
    }
    expect(hits(element).beside, size).to.equal(0);
    const picture = inside(element, '.box').getBoundingClientRect().height;
    if (width > 1000) expect(picture, size).to.be.at.least(280);
    else expect(picture, size).to.be.at.least(height / 3);
  }
});

it('with letters of twice the size the panel is wider, and leaves half of the window to the text', async () => {
  document.documentElement.style.fontSize = '200%';
  const element = await panel();
  const widths: number[] = [];
  for (const width of [800, 1280, 2400]) {
    await setViewport({ width, height: 1200 });
    await frames(2);
    widths.push(element.offsetWidth);
  }
  expect(widths).to.deep.equal([512, 640, 1024]);
  document.documentElement.style.fontSize = '';
});

it('nothing of the page shows through the bars of the panel', async () => {
  const element = await panel();
  for (const part of ['.head', '.controls']) {
    const bar = inside(element, part);
    expect(getComputedStyle(bar).backgroundColor, part).to.match(/^rgb\(/);
    expect(Math.round(bar.getBoundingClientRect().width), part).to.equal(element.offsetWidth);
  }
});

for (const [width, height] of [
  [320, 256],
  [390, 844],
] as const) {
  it(`hides none of 30 links wholly while the Tab key goes through them at ${width} by ${height}`, async () => {
    await setViewport({ width, height });
    const element = await panel();
    page.replaceChildren(
      ...Array.from({ length: 30 }, (_, n) => {
        const paragraph = document.createElement('p');
        const link = document.createElement('a');
        link.href = `#${n}`;
        link.textContent = `Link ${n}`;
        paragraph.append(link, ' with words behind it that take a line or two of the window');
        return paragraph;
      }),
    );
    const home = edges(element);
    const seen: string[] = [];
    for (let n = 0; n < 30; n++) {
      await sendKeys({ press: 'Tab' });
      await frames(2);
      const link = document.activeElement!;
      const { left, top, right, bottom } = link.getBoundingClientRect();
      const isSeen = [left + 1, (left + right) / 2, right - 1].some((x) =>
        [top + 1, (top + bottom) / 2, bottom - 1].some((y) => document.elementFromPoint(x, y) === link),
      );
      if (isSeen) seen.push(link.textContent!);
    }
    expect(seen).to.deep.equal(Array.from({ length: 30 }, (_, n) => `Link ${n}`));
    (document.activeElement as HTMLElement).blur();
    await frames(2);
    expect(edges(element)).to.deep.equal(home);
  });
}

it('the panel stays in its place and goes on signing while the focus is in a modal dialog, which covers the panel', async () => {
  await setViewport({ width: 800, height: 560 });
  page.innerHTML = '<dialog><input aria-label="Name" style="inline-size: 150px"></dialog>';
  const element = await panel();
  const before = edges(element);
  void element.sign('The library opens at nine').catch(() => {});
  await heard(element, 'sign-start');
  page.querySelector('dialog')!.showModal();
  expect(document.activeElement!.matches('input:focus-visible')).to.equal(true);
  await frames(3);
  expect([element.paused, edges(element)]).to.deep.equal([false, before]);
});

it('the panel moves from corner to corner by a button, in steps by arrow keys, and with the mouse, and never out of the window', async () => {
  const element = await panel();
  const size = [element.offsetWidth, element.offsetHeight] as const;
  const corners: number[][] = [];
  for (let n = 0; n < 4; n++) {
    await press(element, '.grip');
    corners.push(edges(element).slice(0, 2));
  }
  const [right, bottom] = [1280 - 16 - size[0], 800 - 16 - size[1]];
  expect(corners).to.deep.equal([
    [16, bottom],
    [16, 16],
    [right, 16],
    [right, bottom],
  ]);
  inside(element, '.grip').focus();
  await sendKeys({ press: 'ArrowLeft' });
  await sendKeys({ press: 'ArrowUp' });
  await sendKeys({ press: 'ArrowDown' });
  await sendKeys({ press: 'ArrowDown' });
  expect(edges(element).slice(0, 2)).to.deep.equal([right - 32, bottom]);
  const [x = 0, y = 0] = edges(inside(element, '.title'));
  await sendMouse({ type: 'move', position: [x + 5, y + 20] });
  await sendMouse({ type: 'down' });
  await sendMouse({ type: 'move', position: [x + 5 - 300, y + 20 - 100] });
  await sendMouse({ type: 'up' });
  expect(edges(element).slice(0, 2)).to.deep.equal([right - 332, bottom - 100]);
  await sendMouse({ type: 'move', position: [x + 5 - 300, y + 20 - 100] });
  await sendMouse({ type: 'down' });
  await sendMouse({ type: 'move', position: [0, 0] });
  await sendMouse({ type: 'up' });
  expect(edges(element).slice(0, 2)).to.deep.equal([16, 16]);
});

it('the panel changes its size by buttons and at its free side, and keeps place and size for the next page of the site', async () => {
  const element = await panel();
  const { offsetWidth: usual } = element;
  await press(element, '[part~=smaller]');
  expect(element.offsetWidth).to.be.closeTo(usual * 0.8, 1);
  await press(element, '[part~=larger]');
  expect(element.offsetWidth).to.be.closeTo(usual, 2);
  const [x = 0, y = 0] = edges(element);
  await sendMouse({ type: 'move', position: [x + 6, y + 150] });
  await sendMouse({ type: 'down' });
  await sendMouse({ type: 'move', position: [x + 6 - 90, y + 150] });
  await sendMouse({ type: 'up' });
  expect(element.offsetWidth).to.be.closeTo(usual + 90, 2);
  await press(element, '.grip');
  await press(element, '.minimise');
  expect(element.offsetHeight).to.equal(44);
  const left = edges(element);
  await unmountAll();
  const next = await panel();
  expect(edges(next)).to.deep.equal(left);
  await press(next, '.minimise');
  expect(next.offsetWidth).to.be.closeTo(usual + 90, 2);
  await unmountAll();
  const other = await panel({ remember: 'none' });
  expect(other.offsetWidth).to.equal(usual);
});

it('the panel does not play while it is minimised, goes on after that, and pauses when another panel signs', async () => {
  const first = await panel();
  first.playbackRate = 0.25;
  void first.sign('The first of two panels of this page');
  await heard(first, 'sign-start');
  await press(first, '.minimise');
  expect(first.paused).to.equal(true);
  await press(first, '.minimise');
  await until(() => !first.paused);
  const second = await panel({ placement: 'top-left' });
  second.playbackRate = 0.25;
  const otherIsPaused = new Promise<boolean>((resolve) => {
    first.addEventListener('pause', () => resolve(second.paused), { once: true });
  });
  void second.sign('The second of two panels');
  expect(await otherIsPaused).to.equal(false);
  // The event of the video that no longer plays may come late.
  first.dispatchEvent(new Event('playing'));
  expect(second.paused).to.equal(false);
});

it('a panel that shows nothing is not paused by another one, and its next text is signed', async () => {
  const [first, second] = [await panel(), await panel({ placement: 'top-left' })];
  for (const element of [second, first, second]) {
    element.playbackRate = 2;
    await element.sign('Hello.');
  }
});

it('the panel fits a window of 320 px on a page from right to left, and has names for all its buttons', async () => {
  await setViewport({ width: 320, height: 568 });
  document.documentElement.dir = 'rtl';
  const element = await panel({ lang: 'ar' });
  await until(() => inside(element, '.title').textContent === 'لغة الإشارة');
  const [close = [], grip = []] = ['.close', '.grip'].map((part) => edges(inside(element, part)));
  expect([close[0]! < grip[0]!, close[0]! >= 0, grip[2]! <= 320]).to.deep.equal([true, true, true]);
  await expect(element).to.be.accessible();
  document.documentElement.removeAttribute('dir');
  element.placement = 'inline';
  await element.updateComplete;
  expect([getComputedStyle(element).position, element.shadowRoot!.querySelector('.head')]).to.deep.equal([
    'static',
    null,
  ]);
});
