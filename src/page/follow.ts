// Keeps the sentence being signed on screen.
// - It scrolls only when the sentence is not wholly on screen. After the reader has scrolled it stops, until `rejoin()`.
// - A scroll is the reader's when a wheel, a finger, a key, a press on a scroll bar, or a click on a link or a button came before
//   it.
// - For a reader who wants reduced motion it scrolls at once, not smoothly.
// - It never scrolls the picture of the signer out of the window, because a reader who watches the signer does not look at the
//   text.
// - It scrolls the element that has the keyboard focus out from under a sticky signer.

/** The Tab key scrolls to what gets the focus. */
const SCROLL_KEYS = /^(?:Page|Home|End|Arrow[UD]|Tab| )/;
/** The sentence is scrolled to this part of the height of its scroller. */
const READING_LINE = 0.3;
/** Pixels. A signer that leaves less than this free cannot be avoided. */
const LEAST_ROOM = 80;
/** No smooth scroll takes longer in a browser without the event `scrollend`. */
const SMOOTH_MS = 1000;
/** Corrections after a scroll. */
const TRIES = 4;

const pageScroller = (): Element => document.scrollingElement ?? document.documentElement;

/** The elements that scroll around a place, the innermost first, the page itself last. */
function* scrollersAround(node: Node): Generator<Element, void> {
  const page = pageScroller();
  let at: Node | null = node;
  for (; at && at !== page; at = at instanceof ShadowRoot ? at.host : at.parentNode) {
    if (!(at instanceof HTMLElement) || at.scrollHeight <= at.clientHeight) continue;
    if (/auto|scroll/.test(getComputedStyle(at).overflowY)) yield at;
  }
  yield page;
}

/** A page may move its signer into another window, as one of picture-in-picture: it covers nothing of this window then. */
export const isInThisWindow = (host: Element): boolean => host.ownerDocument === document;

/** The fixed or sticky element around an element; null for one that scrolls with the page. */
function stuckAround(element: Element): Element | null {
  let at: Element | null = element;
  while (at && !/fixed|sticky/.test(getComputedStyle(at).position)) at = at.parentElement;
  return at;
}

/** A bar of the page at this point, such as a sticky header, with neither the sentence nor the signer in it. */
function barAt(x: number, y: number, host: Element, node: Node): DOMRect | null {
  for (const element of document.elementsFromPoint(x, y)) {
    const bar = stuckAround(element);
    if (!bar || bar.contains(host) || bar.contains(node)) continue;
    const box = bar.getBoundingClientRect();
    // An element higher than half the window does not count, because the sentence would have no place beside it.
    if (box.height <= innerHeight / 2) return box;
  }
  return null;
}

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
function edgesOf(
  scroller: Element,
  host: Element,
  sentence: DOMRect,
  node: Node,
): [top: number, bottom: number] {
  const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(scroller);
  const isPage = scroller === pageScroller();
  const shown = isPage ? { top: 0, bottom: innerHeight } : scroller.getBoundingClientRect();
  const own: [number, number] = [
    shown.top + pixels(scrollPaddingTop),
    shown.bottom - pixels(scrollPaddingBottom),
  ];
  // A scroller outside the window is used whole: the page scrolls to it afterwards.
  let [from, to] = withRoom(own, [Math.max(0, own[0]), Math.min(innerHeight, own[1])]);
  const box = isPage && isInThisWindow(host) ? stuckAround(host)?.getBoundingClientRect() : null;
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
function placeOf(range: Range, scroller: Element): DOMRect {
  const place = range.getBoundingClientRect();
  for (let at = range.startContainer.parentElement; at && at !== scroller; at = at.parentElement) {
    if (getComputedStyle(at).contentVisibility !== 'auto') continue;
    const { top, bottom } = at.getBoundingClientRect();
    place.y = Math.max(top, Math.min(place.y, bottom - place.height));
  }
  return place;
}

/** Pixels around an element for its focus ring. */
const RING = 4;

/**
 * Scrolls the page when a sticky signer covers the element that gets the keyboard focus (WCAG 2.2 SC 2.4.11). A panel moves away
 * by itself (panel/focus-avoidance.ts).
 */
export function keepFocusFree(host: Element): AbortController {
  const life = new AbortController();
  const look = (): void => {
    const { activeElement: element } = document;
    if (!element?.matches(':focus-visible') || element === host) return;
    if (getComputedStyle(host).position !== 'sticky') return;
    const place = element.getBoundingClientRect();
    const [from, to] = edgesOf(pageScroller(), host, place, element);
    const above = place.top - RING - from;
    const below = place.bottom + RING - to;
    if (above < 0 || below > 0) scrollBy({ top: above < 0 ? above : below, behavior: 'instant' });
  };
  // The browser may scroll to the element after its focus event.
  document.addEventListener('focusin', () => requestAnimationFrame(look), { signal: life.signal });
  return life;
}

export class Follow {
  readonly #host: Element;
  readonly #changed: () => void;
  #range: Range | null = null;
  #isLost = false;
  /** A wheel, finger, key, press on a scroll bar or click came after our last scroll: the next scroll is the reader's. */
  #isReadersScroll = false;
  #listening: AbortController | null = null;
  /** Waits for the end of a smooth scroll; aborted by the next one. */
  #settling: AbortController | null = null;

  /**
   * @param host the signer, which may cover a part of the window
   * @param changed `isLost` has changed
   */
  constructor(host: Element, changed: () => void) {
    this.#host = host;
    this.#changed = changed;
  }

  /** The reader has scrolled away from what is signed. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Brings a sentence on screen, unless the reader has scrolled away. */
  show(range: Range): void {
    this.#range = range;
    this.#listen();
    if (!this.#isLost) this.#scroll();
  }

  /** The sentence is now at this range, or nowhere. */
  move(range: Range | null): void {
    if (this.#range) this.#range = range;
  }

  /** Goes to the sentence and follows again. */
  rejoin(): void {
    this.#setLost(false);
    this.#scroll(true);
  }

  /** Nothing is signed any more. */
  end(): void {
    this.#listening?.abort();
    this.#settling?.abort();
    this.#listening = this.#range = null;
    this.#setLost(false);
  }

  #setLost(isLost: boolean): void {
    if (isLost === this.#isLost) return;
    this.#isLost = isLost;
    this.#changed();
  }

  #listen(): void {
    if (this.#listening) return;
    this.#listening = new AbortController();
    const options = { passive: true, capture: true, signal: this.#listening.signal };
    const mark = (): void => {
      this.#isReadersScroll = true;
    };
    for (const type of ['wheel', 'touchmove']) addEventListener(type, mark, options);
    // Keys and clicks of the signer are its own.
    const onKeyOrClick = (event: Event): void => {
      const { key, target } = event as KeyboardEvent;
      if (event.composedPath().includes(this.#host)) return;
      if (key ? SCROLL_KEYS.test(key) : target instanceof Element && target.closest('a, button')) mark();
    };
    for (const type of ['keydown', 'click']) addEventListener(type, onKeyOrClick, options);
    // A press on a scroll bar has its scroller as target, at a point outside the scroller's content.
    addEventListener(
      'pointerdown',
      ({ target, offsetX, offsetY }) => {
        const { clientWidth, clientHeight } = target as Element;
        if (target instanceof Element && (offsetX > clientWidth || offsetY > clientHeight)) mark();
      },
      options,
    );
    addEventListener('scroll', ({ target }) => this.#onScroll(target as Node), options);
  }

  #onScroll(target: Node): void {
    const isHere = this.#range !== null && target.contains(this.#range.startContainer);
    if (!this.#isReadersScroll || !isHere) return;
    this.#isReadersScroll = false;
    this.#setLost(true);
  }

  /**
   * Sections that get their height when they come into view (`content-visibility: auto`) have moved the sentence on the way. A
   * reader who scrolls meanwhile is not brought back.
   */
  async #settle(range: Range, isAsked: boolean): Promise<void> {
    for (
      let tries = 0;
      tries < TRIES && range === this.#range && !this.#isLost && !this.#isReadersScroll;
      tries++
    ) {
      this.#scroll(isAsked, true);
      for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    }
  }

  /**
   * @param isAsked the reader wants the sentence, also where the signer cannot be seen beside it
   * @param isAgain after the smooth scroll to it
   */
  #scroll(isAsked = false, isAgain = false): void {
    const range = this.#range;
    if (!range) return;
    // A key or wheel from before this scroll is not the cause of a later one.
    this.#isReadersScroll = false;
    this.#settling?.abort();
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const page = pageScroller();
    for (const scroller of scrollersAround(range.startContainer)) {
      const place = placeOf(range, scroller);
      const [from, to] = edgesOf(scroller, this.#host, place, range.startContainer);
      const { top, bottom, height } = place;
      if (height === 0 || (top >= from && bottom <= to) || (top <= from && bottom >= to)) continue;
      const behavior = scroller === page && !isCalm && !isAgain ? 'smooth' : 'instant';
      const wanted = top - from - (to - from) * READING_LINE;
      const distance = scroller === page && !isAsked ? this.#inSight(wanted) : wanted;
      scroller.scrollBy({ top: distance, behavior });
      if (scroller !== page || distance === 0 || isAgain) continue;
      const settle = (): void => void this.#settle(range, isAsked);
      this.#settling = new AbortController();
      if ('onscrollend' in window)
        addEventListener('scrollend', settle, { once: true, signal: this.#settling.signal });
      // Safari before 26.2.
      else setTimeout(settle, SMOOTH_MS);
    }
  }

  /** The part of the distance that keeps the picture in the window, when it is there now and scrolls with the page. */
  #inSight(distance: number): number {
    const host = this.#host;
    const { top, bottom } = (host.shadowRoot?.querySelector('.box') ?? host).getBoundingClientRect();
    if (bottom <= 0 || top >= innerHeight || !isInThisWindow(host) || stuckAround(host)) return distance;
    return distance > 0
      ? Math.min(distance, Math.max(0, top))
      : Math.max(distance, Math.min(0, bottom - innerHeight));
  }
}
