// An element that a server has rendered with its shadow root, as Lit's own server rendering does.
import { expect } from '@open-wc/testing';
import '../../src/define/sign-translate.ts';
import type { SignTranslate } from '../../src/elements/sign-translate.ts';
import { unmountAll } from './harness.ts';

afterEach(async () => {
  Reflect.deleteProperty(globalThis, 'litElementHydrateSupport');
  await unmountAll();
});

/** Puts an element on the page whose shadow root exists before the element is upgraded, as a parser does. */
async function put(): Promise<SignTranslate> {
  const element = document.implementation.createHTMLDocument().createElement('sign-translate');
  element.attachShadow({ mode: 'open' }).innerHTML = '<div class="box">Of a server</div>';
  document.body.append(element);
  await element.updateComplete;
  return element;
}

const boxes = (element: SignTranslate): string[] =>
  [...element.shadowRoot!.querySelectorAll('.box')].map(({ textContent }) => textContent!.trim());

it('the element replaces the rendered box by its own, because only that one handles a press', async () => {
  expect(boxes(await put())).to.deep.equal(['']);
});

it('the rendered shadow root stays as it is when the page has loaded the hydration of Lit', async () => {
  Object.assign(globalThis, { litElementHydrateSupport: () => {} });
  expect(boxes(await put())).to.include('Of a server');
});
