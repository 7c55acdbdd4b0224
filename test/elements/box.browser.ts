// How wide and high an element comes out where a page says nothing of its size, or says something to all that is in a
// part of it.
// - No network.
// - What is measured is what a visitor would see.
import { expect } from '@open-wc/testing';
import type { SignTranslate } from '../../src/elements/sign-translate.ts';
import { mount, unmountAll } from './stage.ts';

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
  it(`in ${what} it is as wide as anywhere`, async () => {
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
  it(`looks as ever where a page has set ${name} to ${value}`, async () => {
    const refused = { controls: '', signer: 'JAY', language: 'BSL', text: 'Refused' };
    const parts = async (element: SignTranslate): Promise<string[]> => {
      await element.updateComplete;
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
