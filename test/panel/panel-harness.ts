// Shared by the browser tests of the panel: a panel whose code is loaded, and its parts.
import { setViewport } from '@web/test-runner-commands';
import type { SignTranslate } from '../../src/elements/sign-translate.ts';
import { mount, unmountAll, until } from '../elements/harness.ts';

/** A panel whose code is loaded. */
export async function panel(attributes: Record<string, string> = {}): Promise<SignTranslate> {
  const { element } = await mount({ placement: 'bottom-right', controls: '', ...attributes });
  await until(() => getComputedStyle(element).visibility === 'visible');
  return element;
}

export const inside = (element: SignTranslate, selector: string): HTMLElement =>
  element.shadowRoot!.querySelector<HTMLElement>(selector)!;

/** The edges of an element, rounded. */
export const edges = (element: Element): number[] => {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  return [left, top, right, bottom].map(Math.round);
};

/** The element of the page that the tests of a file fill: empty before each of them, in a window of 1280 by 800. */
export function testPage(): HTMLElement {
  const page = document.createElement('main');
  beforeEach(async () => {
    localStorage.clear();
    document.body.append(page);
    await setViewport({ width: 1280, height: 800 });
  });
  afterEach(async () => {
    await unmountAll();
    page.remove();
    page.replaceChildren();
  });
  return page;
}
