// Keeps the sentence being signed on screen.
// - It scrolls only when the sentence is not wholly on screen, also to the side, as in a row of cards or on a page of vertical
//   lines. After the reader has scrolled it stops, until `rejoin()`.
// - A scroll is the reader's when a wheel, a finger, a key, a press on a scroll bar, or a click on a link or a button came before
//   it.
// - For a reader who wants reduced motion it scrolls at once, not smoothly.
// - It never scrolls the picture of the signer out of the window, because a reader who watches the signer does not look at the
//   text.
// - It scrolls the element that has the keyboard focus out from under a sticky signer.
import {
  edgesOf,
  isInThisWindow,
  pageScroller,
  placeOf,
  scrollersAround,
  stuckAround,
  toSide,
} from './scrollers.ts';

/** The Tab key scrolls to what gets the focus. */
const SCROLL_KEYS = /^(?:Page|Home|End|Arrow[UD]|Tab| )/;
/** The keys that also scroll when a field has the focus. */
const FIELD_KEYS = /^(?:Page|Tab)/;
/** The sentence is scrolled to this part of the height of its scroller. */
const READING_LINE = 0.3;
/** No smooth scroll takes longer in a browser without the event `scrollend`. */
const SMOOTH_MS = 1000;
/** Corrections after a scroll. */
const TRIES = 4;

/** Pixels around an element for its focus ring. */
const RING = 4;

/**
 * Scrolls the page when a sticky signer covers the element that gets the keyboard focus (WCAG 2.2 SC 2.4.11). A panel moves away
 * by itself (panel/cover-avoidance.ts).
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
  readonly #changed: (isLost: boolean) => void;
  #range: Range | null = null;
  #isLost = false;
  /** A wheel, finger, key, press on a scroll bar or click came after our last scroll: the next scroll is the reader's. */
  #isReadersScroll = false;
  #listening: AbortController | null = null;
  /** Aborted at the next scroll: ends the wait for the end of the last one, and the listeners on its scrollers. */
  #settling: AbortController | null = null;

  /**
   * @param host the signer, which may cover a part of the window
   * @param changed is given whether the reader has scrolled away from what is signed
   */
  constructor(host: Element, changed: (isLost: boolean) => void) {
    this.#host = host;
    this.#changed = changed;
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
    this.#changed(isLost);
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
      if (event.composedPath().includes(this.#host) || !(target instanceof Element)) return;
      const keys = target.matches('select, :read-write') ? FIELD_KEYS : SCROLL_KEYS;
      if (key ? keys.test(key) : target.closest('a, button')) mark();
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
    addEventListener('scroll', this.#onScroll, options);
  }

  readonly #onScroll = ({ target, currentTarget }: Event): void => {
    if (!this.#isReadersScroll || !this.#range) return;
    if (target !== currentTarget && !(target as Node).contains(this.#range.startContainer)) return;
    this.#isReadersScroll = false;
    this.#setLost(true);
  };

  /**
   * Corrects the scroll: sections that get their height when they come into view (`content-visibility: auto`) may have moved the
   * sentence. It stops when the reader scrolls.
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
   * @param isAsked the reader asked for the sentence: the scroll may move the signer out of the window
   * @param isAgain a correction after the smooth scroll
   */
  #scroll(isAsked = false, isAgain = false): void {
    const range = this.#range;
    if (!range) return;
    // A key or wheel from before this scroll is not the cause of a later one.
    this.#isReadersScroll = false;
    this.#settling?.abort();
    const { signal } = (this.#settling = new AbortController());
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const page = pageScroller();
    for (const scroller of scrollersAround(range.startContainer)) {
      // A scroll inside a shadow root is reported nowhere else.
      scroller.addEventListener('scroll', this.#onScroll, { signal });
      const place = placeOf(range, scroller);
      const [from, to] = edgesOf(scroller, this.#host, place, range.startContainer);
      const { top, bottom, height } = place;
      const isInSight = (top >= from && bottom <= to) || (top <= from && bottom >= to);
      const wanted = isInSight ? 0 : top - from - (to - from) * READING_LINE;
      const isFree = scroller !== page || isAsked;
      const distance = isFree ? wanted : this.#inSight(wanted);
      const left = isFree || stuckAround(this.#host) ? toSide(scroller, place) : 0;
      if (height === 0 || !(distance || left)) continue;
      const behavior = scroller === page && !isCalm && !isAgain ? 'smooth' : 'instant';
      scroller.scrollBy({ top: distance, left, behavior });
      if (scroller !== page || isAgain) continue;
      const settle = (): void => void this.#settle(range, isAsked);
      if ('onscrollend' in window) addEventListener('scrollend', settle, { once: true, signal });
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
