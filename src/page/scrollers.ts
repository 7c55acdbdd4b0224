// The scrollers around a place of the page: the part of each that can be seen, and how far a sentence is to the side of it.
// - A scroller is the page itself or a box that a person can scroll, also one in a shadow root that the place is slotted into.
// - The part that can be seen does not count bars of the page and the signer.

/** Pixels. A signer that leaves less than this free cannot be avoided. */
const LEAST_ROOM = 80;
export const pageScroller = (): Element => document.scrollingElement ?? document.documentElement;

/** The node and all that it is shown in, outwards: an app's shell may show what is slotted into it in a box that scrolls. */
export function* shownAround(node: Node): Generator<Node, void> {
  for (let at: Node | null = node; at;) {
    yield at;
    at = (at as Text).assignedSlot ?? at.parentNode ?? (at as ShadowRoot).host ?? null;
  }
}

const isShownIn = (element: Element, node: Node): boolean => [...shownAround(node)].includes(element);

/** The elements that scroll around a place, the innermost first, the page itself last. */
export function* scrollersAround(node: Node): Generator<Element, void> {
  const page = pageScroller();
  for (const at of shownAround(node)) {
    if (at === page) break;
    if (!(at instanceof HTMLElement)) continue;
    // To ask for its size lays out a section that is not drawn yet (`content-visibility`).
    const isLarger = at.scrollHeight > at.clientHeight || at.scrollWidth > at.clientWidth;
    if (isLarger && /auto|scroll/.test(getComputedStyle(at).overflow)) yield at;
  }
  yield page;
}

/** A page may move its signer into another window, as one of picture-in-picture: it covers nothing of this window then. */
export const isInThisWindow = (host: Element): boolean => host.ownerDocument === document;

/** The fixed or sticky element around an element, also one of a component; null for an element that scrolls with the page. */
export function stuckAround(element: Element): Element | null {
  for (const at of shownAround(element))
    if (at instanceof Element && /fixed|sticky/.test(getComputedStyle(at).position)) return at;
  return null;
}

/** The element at this point in an element that may be a component. */
function innermostAt(x: number, y: number, element: Element): Element {
  const tree = element.shadowRoot;
  const inner = tree?.elementFromPoint(x, y);
  return inner?.getRootNode() === tree && inner ? innermostAt(x, y, inner) : element;
}

/** A bar of the page at this point, such as a sticky header, with neither the sentence nor the signer in it. */
function barAt(x: number, y: number, host: Element, node: Node): DOMRect | null {
  for (const element of document.elementsFromPoint(x, y)) {
    const at = innermostAt(x, y, element);
    const bar = isShownIn(host, at) ? null : stuckAround(at);
    if (!bar || isShownIn(bar, host) || isShownIn(bar, node)) continue;
    const box = bar.getBoundingClientRect();
    // An element higher than half the window does not count, because the sentence would have no place beside it.
    if (box.height <= innerHeight / 2) return box;
  }
  return null;
}

const shownBy = (scroller: Element): DOMRect =>
  scroller === pageScroller() ? new DOMRect(0, 0, innerWidth, innerHeight) : scroller.getBoundingClientRect();

/** Pixels of a computed length; 0 for `auto` and a percentage. */
const pixels = (length: string): number => Number(length.replace('px', '')) || 0;

/** A side that the signer or a bar covers is left out, unless too little would be left. */
const withRoom = (whole: [number, number], [top, bottom]: [number, number]): [number, number] =>
  bottom - top < LEAST_ROOM ? whole : [top, bottom];

/**
 * Upper and lower edge of what a scroller shows, in pixels of the window. It leaves out the side that the signer covers at
 * the sentence, the area that the page keeps free (`scroll-padding`), and the areas of bars (a sticky header, a cookie bar).
 * @param node where the sentence is
 */
export function edgesOf(
  scroller: Element,
  host: Element,
  sentence: DOMRect,
  node: Node,
): [top: number, bottom: number] {
  const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(scroller);
  const shown = shownBy(scroller);
  const own: [number, number] = [
    shown.top + pixels(scrollPaddingTop),
    shown.bottom - pixels(scrollPaddingBottom),
  ];
  // Of a scroller outside the window the whole height counts, because the page scrolls to it afterwards.
  let [from, to] = withRoom(own, [Math.max(0, own[0]), Math.min(innerHeight, own[1])]);
  const box = isInThisWindow(host) ? stuckAround(host)?.getBoundingClientRect() : null;
  if (box && box.right > sentence.left && box.left < sentence.right) {
    // A sticky box leaves the window together with the box that it is in.
    const isBelow = box.top > innerHeight - box.bottom;
    [from, to] = withRoom(
      [from, to],
      isBelow ? [from, Math.min(box.top, to)] : [Math.max(from, box.bottom), to],
    );
  }
  const x = (sentence.left + sentence.right) / 2;
  const top = barAt(x, from + 1, host, node)?.bottom ?? from;
  const bottom = barAt(x, to - 1, host, node)?.top ?? to;
  return withRoom([from, to], [Math.max(from, top), Math.min(to, bottom)]);
}

/**
 * Firefox places the text of a section that it does not draw yet outside of the section, which is drawn when its box is in view.
 * @param scroller only the sections inside it count
 */
export function placeOf(range: Range, scroller: Element): DOMRect {
  const place = range.getBoundingClientRect();
  for (let at = range.startContainer.parentElement; at && at !== scroller; at = at.parentElement) {
    if (getComputedStyle(at).contentVisibility !== 'auto') continue;
    const { top, bottom } = at.getBoundingClientRect();
    place.y = Math.max(top, Math.min(place.y, bottom - place.height));
  }
  return place;
}

/**
 * Pixels to the side that bring a sentence in sight of a box that a person can scroll there, or of a page of vertical lines. Of a
 * sentence that is wider than what is shown, the nearer end.
 */
export function toSide(scroller: Element, { left, right }: DOMRect): number {
  const isPage = scroller === pageScroller();
  const { overflowX, writingMode } = getComputedStyle(isPage ? document.body : scroller);
  if (/^h/.test(isPage ? writingMode : overflowX)) return 0;
  const shown = shownBy(scroller);
  const [before, after] = [left - shown.left, right - shown.right];
  return after > 0 ? Math.max(0, Math.min(before, after)) : Math.min(0, Math.max(before, after));
}
