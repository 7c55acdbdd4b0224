// The width and height of an element where a page sets no size, or where a style of the page applies to all elements
// of a part.
// - Only signing a text needs the network.
// - The tests measure what a visitor would see.
import { expect } from '@open-wc/testing';
import type { SignTranslate } from '../../src/elements/sign-translate.ts';
import { mount, unmountAll, until } from './harness.ts';

const around = document.createElement('div');

/** An element in a box of the page's with these styles. */
async function within(
  style: Partial<CSSStyleDeclaration>,
  attributes: Record<string, string> = {},
): Promise<SignTranslate> {
  const { element } = await mount(attributes);
  Object.assign(around.style, style);
  document.body.append(around);
  around.append(element);
  return element;
}

afterEach(async () => {
  around.removeAttribute('style');
  await unmountAll();
});

for (const [what, style] of [
  ['a float', { float: 'left' }],
  ['an inline block', { display: 'inline-block' }],
  ['a box at a place of its own', { position: 'absolute' }],
  ['a cell of a table', { display: 'table-cell' }],
] as const) {
  it(`has its usual width in ${what}`, async () => {
    const { width } = (await within({})).getBoundingClientRect();
    await unmountAll();
    const fitted = (await within(style)).getBoundingClientRect();
    expect(fitted.width).to.equal(width);
    expect(fitted.height).to.be.closeTo((width * 9) / 16, 1);
  });
}

it('does not widen a narrower grid track', async () => {
  const element = await within({ display: 'grid', gridTemplateColumns: '1fr', width: '200px' });
  expect(element.getBoundingClientRect().width).to.equal(200);
});

for (const style of [{ whiteSpace: 'nowrap' }, { whiteSpace: 'pre-wrap' }, { writingMode: 'vertical-rl' }]) {
  const [[name, value] = []] = Object.entries(style);
  it(`looks the same where a page has set ${name} to ${value}`, async () => {
    const refused = { controls: '', signer: 'JAY', language: 'BSL', text: 'Refused' };
    const parts = async (element: SignTranslate): Promise<string[]> => {
      await until(() => element.shadowRoot!.querySelector('p'));
      return [element, ...element.shadowRoot!.querySelectorAll('.box, p, button')].map((part) => {
        const { width, height } = part.getBoundingClientRect();
        return `${part.localName} ${width} ${height}`;
      });
    };
    const usual = await parts(await within({ width: '300px' }, refused));
    await unmountAll();
    expect(await parts(await within({ width: '300px', ...style }, refused))).to.deep.equal(usual);
    expect(usual.some((part) => part.startsWith('p '))).to.equal(true);
  });
}

/** The edges of one letter of a text. */
function letter(text: Text, at: number): DOMRect {
  const range = document.createRange();
  range.setStart(text, at);
  range.setEnd(text, at + 1);
  return range.getBoundingClientRect();
}

it('an English message ends with its full stop on a page that is written from right to left', async () => {
  const attributes = { lang: 'he', signer: 'JAY', language: 'BSL', text: 'Refused' };
  const element = await within({ direction: 'rtl', width: '600px' }, attributes);
  const message = (await until(() => element.shadowRoot!.querySelector('.message')))!;
  const text = [...message.childNodes].find((node) => node instanceof Text && node.data !== '') as Text;
  const end = text.data.lastIndexOf('.');
  expect(letter(text, end).left).to.be.at.least(letter(text, end - 1).right - 1);
});

it('on a phone the longest button beside a message leaves it more than half of the width', async () => {
  const element = await within({ width: '374px' }, { lang: 'de', proxy: '/nowhere', text: 'Refused' });
  await until(() => element.shadowRoot!.textContent.includes('Noch einmal versuchen'));
  const message = element.shadowRoot!.querySelector('.message')!;
  expect(message.getBoundingClientRect().width).to.be.at.least(374 * 0.54);
});

it('the label leaves the face of the signer free in a narrow column', async () => {
  const element = await within({ width: '220px' }, { lang: 'cy' });
  await element.sign('Shown');
  await until(() => element.shadowRoot!.textContent.includes('Cynhyrchwyd'));
  const [box, label] = ['.box', '.generated'].map((part) =>
    element.shadowRoot!.querySelector(part)!.getBoundingClientRect(),
  ) as [DOMRect, DOMRect];
  expect(label.left - box.left).to.be.above(box.width / 2);
});

it('keeps its text size and its usual width on a page with a small rem', async () => {
  const usual = (await within({ width: '1000px' })).getBoundingClientRect().width;
  await unmountAll();
  document.documentElement.style.fontSize = '62.5%';
  const element = await within({ width: '1000px' });
  const found = [getComputedStyle(element).fontSize, element.getBoundingClientRect().width];
  document.documentElement.removeAttribute('style');
  expect(found).to.deep.equal(['16px', usual]);
});

it('in a host that is lower than its content the picture becomes smaller and the buttons do not', async () => {
  const element = await within({ width: '600px' }, { controls: '' });
  element.style.height = '150px';
  const bottoms = [...element.shadowRoot!.querySelectorAll('.box, button')].map(
    (part) => part.getBoundingClientRect().bottom,
  );
  expect(Math.max(...bottoms)).to.be.at.most(element.getBoundingClientRect().bottom + 0.5);
  expect(element.shadowRoot!.querySelector('.box')!.getBoundingClientRect().height).to.be.above(60);
});

it('keeps its box, its placement and `hidden` on a page that unsets all styles', async () => {
  const sheet = document.createElement('style');
  sheet.textContent = '* { all: unset }';
  document.head.append(sheet);
  const element = await within({}, { placement: 'bottom-right' });
  await until(() => getComputedStyle(element).visibility === 'visible');
  const { display, position, bottom } = getComputedStyle(element);
  const { width, height } = element.getBoundingClientRect();
  element.hidden = true;
  const whenHidden = getComputedStyle(element).display;
  sheet.remove();
  expect([display, position, bottom, whenHidden]).to.deep.equal(['flex', 'fixed', '16px', 'none']);
  expect([width, height]).to.deep.equal([512, 44 + 288]);
});

it('the label of the full screen button says whether it enters or leaves full screen', async () => {
  const { element } = await mount({ controls: '' });
  const label = (): string => element.shadowRoot!.querySelector('[part~=fullscreen]')!.ariaLabel!;
  expect(label()).to.equal('Full screen');
  element.matches = ((selector: string): boolean => selector === ':fullscreen') as typeof element.matches;
  element.dispatchEvent(new Event('fullscreenchange'));
  await element.updateComplete;
  expect(label()).to.equal('Leave full screen');
});

for (const [placement, edges] of [
  ['bottom-right', ['bottom', 'right']],
  ['top-left', ['top', 'left']],
] as const) {
  it(`placement="${placement}" keeps the element in that corner of the window`, async () => {
    const { element } = await mount({ placement });
    const style = getComputedStyle(element);
    expect(style.position).to.equal('fixed');
    await until(() => style.visibility === 'visible');
    for (const edge of edges) expect(style[edge]).to.equal('16px');
  });
}

it('a placement is read in any letter case, also when it changes, and an invalid one is inline', async () => {
  const { element } = await mount({ placement: 'top-left' });
  await until(() => getComputedStyle(element).visibility === 'visible');
  element.setAttribute('placement', 'Bottom-Right');
  await element.updateComplete;
  expect(getComputedStyle(element).bottom).to.equal('16px');
  element.setAttribute('placement', 'middle');
  await element.updateComplete;
  expect(getComputedStyle(element).position).to.equal('static');
});

for (const none of [undefined, null, '', 'middle']) {
  it(`with the property placement ${JSON.stringify(none)}, as a framework sets it for none, the element is inline and signs`, async () => {
    const { element } = await mount({ placement: 'top-left' });
    await until(() => getComputedStyle(element).visibility === 'visible');
    Object.assign(element, { placement: none });
    expect(element.placement).to.equal('inline');
    await element.updateComplete;
    expect(getComputedStyle(element).position).to.equal('static');
    expect((await element.sign('Hello')).text).to.equal('Hello');
  });
}
