// Tells whether a page shows another text in place of the one that was read, which is then signed from its beginning.
// - A router that keeps the elements of a page writes the next page into them and changes the address. A page translator also
//   writes into the elements, but at the same address: then the reading goes on at its place.
// - The panel of another tab comes with a press, in other elements. A carousel and a countdown change without one.
// - A sentence that changes alone is the same one in other words.
import type { Sentence } from '../../page/sentences.ts';

/** @param isMoved the page has another address than when its text was read */
export function isOtherText(
  old: readonly { readonly sentence: Sentence }[],
  added: readonly Sentence[],
  isMoved: boolean,
  isPressed: () => boolean,
): boolean {
  if (old.length * added.length < 2) return false;
  if (isMoved || !isPressed()) return isMoved;
  const known = new Set<unknown>(old.flatMap(({ sentence: { element, text } }) => [element, text]));
  return !added.some(({ element, text }) => known.has(element) || known.has(text));
}

/** For a reading of this page. A place in a page (`#times`) is no other page; a route (`#/times`) is. */
export const pageNow = {
  address: (): string => location.href.replace(/#(?![!/]).*/, ''),
  isPressed: (): boolean => Boolean(navigator.userActivation?.isActive),
};
