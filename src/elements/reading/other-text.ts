// Tells whether a page shows another text in place of the one that was read; another text is signed from its beginning.
// - A router that keeps the elements of a page writes the next page into them and changes the address. A page translator also
//   writes into the elements, but at the same address: then the reading continues at its place.
// - The panel of another tab appears after a press, in other elements. A carousel and a countdown change without a press.
// - When only one sentence changes, it is the same sentence in other words.
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

/** The state of this page. A fragment that names a place (`#times`) is no other page; one that is a route (`#/times`) is. */
export const pageNow = {
  address: (): string => location.href.replace(/#(?![!/]).*/, ''),
  isPressed: (): boolean => Boolean(navigator.userActivation?.isActive),
};
