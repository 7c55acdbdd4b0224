// Tells what is out of sight beside a box or beside the page, where a person cannot scroll to it: slides that are not on show,
// drawers.
// - Only the sides of a box count: what a box cuts off below is the rest of a text that begins in sight.
// - The content of a box with a scroll bar is never aside, because a person can scroll to it. Nor is an element that comes into
//   its box by itself.
import { shownIn } from './shown-nodes.ts';

/** True when no pixel of it is between these two. A box without a width, as of `display: contents`, is nowhere. */
const isBeside = ({ width, left, right }: DOMRect, from: number, to: number): boolean =>
  width > 0 && to > from && (right < from + 1 || left > to - 1);

/** True when all of an element is now cut off at a side of this box. */
function isCutOffBy(box: Element, element: Element): boolean {
  // The page cuts off what its body hides, which may be narrower.
  const { left, right } = (box.localName === 'body' ? box.parentElement! : box).getBoundingClientRect();
  return isBeside(element.getBoundingClientRect(), left, right);
}

/** True for an element that moves in a circle, as a ticker, and for one that a page moves in when a person scrolls down to it. */
function comesIn(element: Element, box: Element): boolean {
  for (let at: Element | null = element; at && at !== box; at = shownIn(at)) {
    const { animationIterationCount, position, transform, translate } = getComputedStyle(at);
    if (/inf/.test(animationIterationCount)) return true;
    if (/absolute|fixed/.test(position)) return false;
    const isMoved = /\d/.test(translate) || new DOMMatrix(transform).e !== 0;
    // The slides of a track are wider than the track.
    if (isMoved && at.scrollWidth <= at.clientWidth && isCutOffBy(box, at)) return true;
  }
  return false;
}

/** True when all of an element is cut off at a side of this box, and will not come in by itself. */
export const isAside = (element: Element, box: Element): boolean =>
  isCutOffBy(box, element) && !comesIn(element, box);

/** True for a fixed or absolute element that is outside of the window or of the page. */
export function isOffPage(element: Element, isFixed: boolean): boolean {
  const { body, documentElement: page } = element.ownerDocument;
  let place: Element | null = (element as HTMLElement).offsetParent;
  // A transformed box places what is fixed in it too, and scrolls with the page. WebKit does not name that box.
  if (isFixed && !place) {
    place = shownIn(element);
    while (place && getComputedStyle(place).transform === 'none') place = shownIn(place);
  }
  // An element in a box that cuts off or scrolls is judged with that box.
  for (let at = place; at && at !== body; at = shownIn(at))
    if (getComputedStyle(at).overflow !== 'visible') return false;
  const rect = element.getBoundingClientRect();
  const staysInWindow = isFixed && !place;
  // `scrollLeft` of the page is 0 where the body scrolls, or where the page has no doctype.
  const left = staysInWindow ? 0 : page.scrollLeft + body.scrollLeft;
  const top = staysInWindow ? 0 : page.scrollTop + body.scrollTop;
  // A page is scrolled from its beginning to one side.
  const isLeft = getComputedStyle(body).direction === 'rtl';
  return (
    isBeside(
      rect,
      isLeft && !staysInWindow ? -Infinity : -left,
      isLeft || staysInWindow ? page.clientWidth - left : Infinity,
    ) ||
    (rect.height > 0 && (rect.bottom + top < 1 || (staysInWindow && rect.top > page.clientHeight - 1)))
  );
}

/**
 * The box that cuts off this element at its sides: the one that cuts off what is in its parent (`ofParent`), unless a box outside
 * of that one places the element.
 */
export function boxFor(
  element: Element,
  { position }: CSSStyleDeclaration,
  ofParent: Element | null,
): Element | null {
  if (!/absolute|fixed/.test(position)) return ofParent;
  return ofParent?.contains((element as HTMLElement).offsetParent) ? ofParent : null;
}

/**
 * The box that cuts off at its sides what is in this element; null when there is none, or a person can scroll.
 * @param own the box that cuts off the element itself
 */
export function boxInside(
  element: Element,
  { overflowX, display }: CSSStyleDeclaration,
  own: Element | null,
): Element | null {
  if (/^(?:inline|contents)$/.test(display) || overflowX === 'visible') return own;
  return /auto|scroll/.test(overflowX) ? null : element;
}

/** The box that cuts off at its sides what is in the parent of this element. */
export function boxOfParent(element: Element): Element | null {
  const parent = shownIn(element);
  if (!parent) return null;
  const style = getComputedStyle(parent);
  return boxInside(parent, style, boxFor(parent, style, boxOfParent(parent)));
}
