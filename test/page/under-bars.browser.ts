// A page with bars that stay in the window, such as a sticky header and a question about cookies: the sentence that is signed is
// never left under them.
import { expect } from '@open-wc/testing';
import type { SignTranslate } from '../../src/elements/sign-translate.ts';
import { heard, mount, unmountAll, until } from '../elements/harness.ts';

const page = document.createElement('div');

afterEach(async () => {
  await unmountAll();
  page.remove();
  scrollTo(0, 0);
});

const edges = (element: Element): DOMRect => element.getBoundingClientRect();

/** A page with a sticky header, a fixed bar, and the part that is read, in this order. */
function show(markup: string): [header: Element, bar: Element, article: HTMLElement] {
  page.innerHTML = `<div style="position: sticky; top: 0; height: 120px; background: #ddd"><a href="#menu">Menu</a></div>
    <div style="position: fixed; inset: auto 0 0; height: 120px; background: #ddd"><button>Refuse</button></div>
    <article id="covered">${markup}</article>`;
  document.body.append(page);
  return [...page.children] as [Element, Element, HTMLElement];
}

/** Signs a paragraph that is now at this distance from the upper edge of the window, and stops there. */
async function sign(element: SignTranslate, paragraph: Element, top: number): Promise<void> {
  scrollBy(0, edges(paragraph).top - top);
  const begun = heard(element, 'sign-start', ({ text }) => {
    if (text === paragraph.textContent) element.pause();
    return text === paragraph.textContent;
  });
  await element.read(paragraph);
  void element.play().catch(() => {});
  await begun;
}

it('a sentence under a sticky header or a fixed bar of a page without `scroll-padding` is scrolled into view', async () => {
  const [header, bar, article] = show(
    '<p style="margin-block: 1000px">Under a header.</p><p style="margin-bottom: 2000px">Under a bar.</p>',
  );
  const [first, second] = [...article.children] as [Element, Element];
  const { element } = await mount({ for: 'covered', controls: '' });
  await sign(element, first, 60);
  await until(() => edges(first).top >= edges(header).bottom);
  await sign(element, second, innerHeight - 60);
  await until(() => edges(second).bottom <= edges(bar).top);
});

it('a sticky heading is signed without a scroll', async () => {
  const [header, , article] = show(
    '<p>Before it.</p><h2 style="position: sticky; top: 0">Opening times</h2><p style="height: 3000px">After it.</p>',
  );
  header.remove();
  const heading = article.querySelector('h2')!;
  const { element } = await mount({ for: 'covered', controls: '' });
  scrollTo(0, 1000);
  const begun = heard(element, 'sign-start', ({ text }) => text === heading.textContent);
  await element.read(heading);
  void element.play().catch(() => {});
  await begun;
  expect(scrollY).to.equal(1000);
});

/** Shows a component with this shadow root before what is read. */
function showComponent(shadow: string, markup: string): [component: HTMLElement, article: Element] {
  page.innerHTML = `<div></div><article id="covered">${markup}</article>`;
  document.body.append(page);
  const [component, article] = [...page.children] as [HTMLElement, Element];
  component.attachShadow({ mode: 'open' }).innerHTML = shadow;
  return [component, article];
}

it('a sentence under a header that a component of the page fixes to the window is scrolled into view', async () => {
  const [, article] = showComponent(
    '<header style="position: fixed; inset: 0 0 auto; height: 120px; background: #ddd">Shop</header>',
    '<p style="margin-block: 1000px 3000px">Under the header.</p>',
  );
  const { element } = await mount({ for: 'covered', controls: '' });
  const [sentence] = article.children;
  await sign(element, sentence!, 60);
  await until(() => edges(sentence!).top >= 120);
});

it('the page follows a reading whose signer is in a component that stays in the window', async () => {
  const [drawer, article] = showComponent(
    '<aside style="position: fixed; inset: auto auto 0 0; width: 300px"><slot></slot></aside>',
    '<p style="margin-block: 9000px 3000px; margin-inline-start: 400px">Far below.</p>',
  );
  const { element } = await mount({ for: 'covered', controls: '' });
  drawer.append(element);
  const [sentence] = article.children;
  await sign(element, sentence!, edges(sentence!).top);
  await until(() => edges(sentence!).top > 0 && edges(sentence!).bottom < innerHeight);
});
