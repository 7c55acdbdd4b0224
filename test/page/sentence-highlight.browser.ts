// The style of the sentence that is being signed on the page.
import { expect, fixture, html } from '@open-wc/testing';
import { styleTreeOf } from '../../src/page/sentence-highlight.ts';

const YELLOW = 'rgb(255, 255, 0)';
const LIME = 'rgb(0, 255, 0)';

/** The background colour of the mark on the text of this element. */
const markOf = (element: Element): string =>
  getComputedStyle(element, '::highlight(sign-sentence)').backgroundColor;

async function addRule(rule: string): Promise<Element> {
  const style = await fixture<HTMLStyleElement>(html`<style></style>`);
  style.textContent = rule;
  return style;
}

/** True in a browser where elements inherit highlights, as CSS Pseudo-Elements 4, 3.6 demands. */
async function isInheriting(): Promise<boolean> {
  await addRule(':root::highlight(of-this-test) { background-color: lime }');
  return getComputedStyle(document.body, '::highlight(of-this-test)').backgroundColor === LIME;
}

it('text of the page and of shadow roots has the default style', async () => {
  const root = await fixture(
    html`<article>
      <p>One <b>and</b></p>
      <div></div>
    </article>`,
  );
  const shadow = root.querySelector('div')!.attachShadow({ mode: 'open' });
  shadow.innerHTML = '<p>two <i>and</i></p>';
  const texts = [...root.querySelectorAll('p, b'), ...shadow.querySelectorAll('p, i')];
  texts.forEach(styleTreeOf);
  expect(texts.map(markOf)).to.deep.equal([YELLOW, YELLOW, YELLOW, YELLOW]);
});

it('a rule of the page overrides the default, and a rule for a part applies to the text in it where elements inherit highlights', async () => {
  const root = await fixture(html`<article class="signed"><p>One</p></article>`);
  const text = root.firstElementChild!;
  styleTreeOf(text);
  await addRule('.signed::highlight(sign-sentence) { background-color: lime }');
  expect(markOf(root)).to.equal(LIME);
  expect(markOf(text)).to.equal((await isInheriting()) ? LIME : YELLOW);
  await addRule('::highlight(sign-sentence) { background-color: red }');
  expect(markOf(text)).to.equal('rgb(255, 0, 0)');
});

it('the mark has its style again after a page has replaced its style sheets, as when it changes its theme', async () => {
  const text = await fixture(html`<p>One</p>`);
  styleTreeOf(text);
  document.adoptedStyleSheets = [];
  styleTreeOf(text);
  expect(markOf(text)).to.equal(YELLOW);
});
