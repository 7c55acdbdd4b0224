// Tells whether a page shows the box of an element: a closed dialog, the view of a router that is kept, a closed `details`.
import { shownAround } from './scrollers.ts';

/** This node, or what it is in where it has no box of its own (`display: contents`). */
export function boxAround(node: Node | null): Element | null {
  for (const at of node ? shownAround(node) : [])
    if (at instanceof Element && getComputedStyle(at).display !== 'contents') return at;
  return null;
}

/** Its box is shown and empty (`hidden=until-found`). */
const hidesContent = (element: Element): boolean => getComputedStyle(element).contentVisibility === 'hidden';

/** True for an element that is hidden itself, whatever it is in. */
export const isOff = (element: Element): boolean =>
  getComputedStyle(element).display === 'none' || hidesContent(element);

/** Also true of an element that is in no document. */
export function isRendered(element: Element): boolean {
  const box = element.isConnected && boxAround(element);
  return !box || (box.checkVisibility?.() !== false && !hidesContent(box));
}
