// A panel on a page whose boxes are containing blocks of fixed elements (`transform`, `filter`), and its full screen there.
import { expect } from '@open-wc/testing';
import { sendMouse, setViewport } from '@web/test-runner-commands';
import type { SignTranslate } from '../../src/elements/sign-translate.ts';
import { mount, unmountAll, until } from '../elements/harness.ts';
import { frames } from '../elements/on-page.ts';

const added: Element[] = [];

beforeEach(() => setViewport({ width: 1280, height: 800 }));
afterEach(async () => {
  if (document.fullscreenElement) await document.exitFullscreen();
  await unmountAll();
  for (const one of added.splice(0)) one.remove();
  scrollTo(0, 0);
});

/** A box of the page with these styles. */
function box(style: string): HTMLElement {
  const element = document.createElement('div');
  element.style.cssText = style;
  document.body.append(element);
  added.push(element);
  return element;
}
/** A box that is a containing block of fixed elements, higher than the window. */
const holder = (style = 'transform: translateZ(0)'): HTMLElement => box(`${style}; padding-bottom: 3000px`);

async function panel(): Promise<SignTranslate> {
  const { element } = await mount({
    placement: 'bottom-right',
    remember: 'none',
    launcher: '',
    controls: '',
  });
  return element;
}

const inside = (element: SignTranslate, selector: string): HTMLElement | null =>
  element.shadowRoot!.querySelector<HTMLElement>(selector);

const isInCorner = (element: SignTranslate): boolean => {
  const { right, bottom } = element.getBoundingClientRect();
  return (
    Math.round(right) === document.documentElement.clientWidth - 16 && Math.round(bottom) === innerHeight - 16
  );
};

/** Clicks as a visitor does, and waits until the full screen has changed. */
async function enlarge(element: SignTranslate): Promise<void> {
  const changed = new Promise((resolve) =>
    element.addEventListener('fullscreenchange', resolve, { once: true }),
  );
  const { left, top } = inside(element, '.enlarge')!.getBoundingClientRect();
  await sendMouse({ type: 'click', position: [Math.round(left) + 20, Math.round(top) + 20] });
  await changed;
}

it('is in its corner of the window also in an ancestor with `transform`, while the page scrolls too', async () => {
  const wrap = holder();
  const element = await panel();
  wrap.append(element);
  await until(() => isInCorner(element));
  element.show();
  await until(() => inside(element, '[part~=close]') && isInCorner(element));
  scrollTo(0, 700);
  expect(isInCorner(element), 'after a scroll').to.equal(true);
  element.hide();
  await until(() => inside(element, '.launcher') && isInCorner(element));
});

it('stays in its corner when the page moves it to an ancestor with `filter` and back, closed and open', async () => {
  const [first, second] = [holder(), holder('filter: grayscale(1)')];
  const element = await panel();
  first.append(element);
  await until(() => inside(element, '.launcher') && isInCorner(element));
  second.append(element);
  expect(isInCorner(element), 'closed').to.equal(true);
  element.show();
  await until(() => inside(element, '[part~=close]') && isInCorner(element));
  first.append(element);
  await frames(3);
  expect(isInCorner(element), 'open').to.equal(true);
});

it('on a page without such boxes the panel is under content that the page puts above it by z-index', async () => {
  const element = await panel();
  await until(() => inside(element, '.launcher') && isInCorner(element));
  const notice = box('position: fixed; inset: 0; z-index: 1001');
  const isCovered = (): boolean => document.elementFromPoint(innerWidth - 40, innerHeight - 30) === notice;
  expect(isCovered(), 'closed').to.equal(true);
  element.show();
  await until(() => inside(element, '[part~=close]'));
  await frames(2);
  expect(isCovered(), 'open').to.equal(true);
});

it('is in its corner again after full screen, also when that is refused, and when the panel is closed meanwhile', async () => {
  const wrap = holder();
  const element = await panel();
  wrap.append(element);
  element.show();
  await until(() => inside(element, '.enlarge') && isInCorner(element));
  const refused = new Promise((resolve) =>
    element.addEventListener('fullscreenerror', resolve, { once: true }),
  );
  // A press that a script makes.
  inside(element, '.enlarge')!.click();
  await refused;
  expect(isInCorner(element), 'refused').to.equal(true);
  await enlarge(element);
  expect(document.fullscreenElement === element).to.equal(true);
  await enlarge(element);
  await until(() => isInCorner(element));
  await enlarge(element);
  element.hide();
  await until(() => document.fullscreenElement === null);
  await until(() => inside(element, '.launcher') && isInCorner(element));
  element.show();
  await until(() => isInCorner(element));
  expect(inside(element, '.box')!.offsetHeight).to.be.at.least(280);
});
