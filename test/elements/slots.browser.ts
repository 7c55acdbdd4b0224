// Icons and buttons of a page's own in the control bar and in a panel.
import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import type { SignTranslate } from '../../src/elements/sign-translate.ts';
import { heard, mount, unmountAll, until } from './harness.ts';

afterEach(unmountAll);

const namespace = 'http://www.w3.org/2000/svg';

/** Puts a drawing of the page's own into a slot of the element. */
function draw(element: SignTranslate, slot: string): SVGSVGElement {
  const drawing = document.createElementNS(namespace, 'svg');
  drawing.setAttribute('slot', slot);
  element.append(drawing);
  return drawing;
}

const middle = (element: Element): { x: number; y: number } => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
};

const part = (element: SignTranslate, name: string): HTMLElement | null =>
  element.shadowRoot!.querySelector(`[part~="${name}"]`);

it('the bar shows the icons of the page in the size of its own, each in its button, and no other', async () => {
  const news = Object.assign(document.createElement('p'), { id: 'news', textContent: 'Snow falls.' });
  document.body.append(news);
  const { element } = await mount({ controls: 'play fullscreen previous next', for: 'news' });
  element.pause();
  void element.read();
  await until(() => part(element, 'next'));
  const icons = ['icon-play', 'icon-fullscreen', 'icon-next'].map((slot) => draw(element, slot));
  const buttons = ['toggle', 'fullscreen', 'next'].map((name) => part(element, name)!);
  const replay = part(element, 'previous')!.querySelector('svg')!.getBoundingClientRect();
  expect(replay.width).to.be.above(0);
  for (const [at, icon] of icons.entries()) {
    const { width, height } = icon.getBoundingClientRect();
    expect([width, height]).to.deep.equal([replay.width, replay.height]);
    expect(middle(icon)).to.deep.equal(middle(buttons[at]!));
    expect(buttons[at]!.querySelector('svg')!.getBoundingClientRect().width).to.equal(0);
  }
  news.remove();
});

it('an icon of the page is a part of its button: a press on it plays, and the icon for pause is ours', async () => {
  const { element } = await mount({ controls: '' });
  const icon = draw(element, 'icon-play');
  element.pause();
  element.sign('Long enough to be paused').catch(() => {});
  await heard(element, 'sign-result');
  await until(() => part(element, 'toggle')?.ariaLabel === 'Play' && icon.getBoundingClientRect().width > 0);
  icon.dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true }));
  expect(element.paused).to.equal(false);
  await until(() => icon.getBoundingClientRect().width === 0);
  expect(part(element, 'toggle')!.querySelector('svg')!.getBoundingClientRect().width).to.be.above(0);
});

it('a button of the page is the last one in the bar and in its Tab order, and gets its own keys', async () => {
  const { element } = await mount({ controls: 'play fullscreen' });
  const own = Object.assign(document.createElement('button'), { slot: 'controls', textContent: 'Larger' });
  let presses = 0;
  own.addEventListener('click', () => (presses += 1));
  element.append(own);
  const last = part(element, 'fullscreen')!;
  await until(() => own.getBoundingClientRect().width > 0);
  expect(own.getBoundingClientRect().left).to.be.at.least(last.getBoundingClientRect().right);
  last.focus();
  await sendKeys({ press: 'Tab' });
  expect(document.activeElement).to.equal(own);
  // Two keys may take as long as a text at full speed.
  element.playbackRate = 0.25;
  element.sign('Long enough for two keys that are pressed').catch(() => {});
  await heard(element, 'sign-start');
  await sendKeys({ press: ' ' });
  expect(presses).to.equal(1);
  await sendKeys({ press: 'k' });
  expect(element.paused).to.equal(false);
});

it('the launcher and the bar of a panel take icons of the page too', async () => {
  const { element } = await mount({
    placement: 'bottom-right',
    launcher: '',
    remember: 'none',
    controls: '',
  });
  const icon = draw(element, 'icon-launcher');
  const close = draw(element, 'icon-close');
  await until(() => icon.getBoundingClientRect().width === 24);
  expect(part(element, 'launcher')!.textContent).to.equal('Sign language');
  element.show();
  await until(() => part(element, 'close'));
  expect(icon.getBoundingClientRect().width).to.equal(0);
  expect(middle(close)).to.deep.equal(middle(part(element, 'close')!));
  expect(close.getBoundingClientRect().width).to.be.above(0);
});
