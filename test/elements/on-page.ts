// Shared by the browser tests of all elements: what they read from a page.

/** Resolves when the page was painted this many times. */
export async function frames(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await new Promise((resolve) => requestAnimationFrame(resolve));
}

/** Where to point to, in pixels of the window. */
export function middleOf(place: Element): [number, number] {
  const { left, top, width, height } = place.getBoundingClientRect();
  return [Math.round(left + width / 2), Math.round(top + height / 2)];
}

/** The message that a visitor reads in an element; empty without one. */
export const messageOf = (element: Element): string =>
  element.shadowRoot!.querySelector('[part="message"]')?.textContent?.trim() ?? '';
