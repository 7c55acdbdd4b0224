// What the browser tests of the panel share: a panel whose code is loaded, and its parts.
import type { SignTranslate } from '../../src/elements/sign-translate.ts';
import { mount, until } from '../elements/harness.ts';

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
