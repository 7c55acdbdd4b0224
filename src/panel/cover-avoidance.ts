// Keeps a panel off the element of the page that has the keyboard focus (WCAG 2.2 SC 2.4.11), and off the sentence that is
// signed, without a change to the page.
// - It takes the first place that leaves the whole element visible, else the first that leaves a part of it visible.
// - Only for a focus that shows a ring (`:focus-visible`). The panel returns when the focus goes elsewhere, but not while the
//   focus is in the panel, because a click on a moving panel would miss.
// - The page scrolls a sentence out from under the panel, but at its end it cannot, so the panel checks when the page is at rest
//   and the visitor has not used the panel for 3 s: the next press would miss a panel that moves.
// - It stays where it is while the focus is in a modal dialog, which is in front of it.
// - The panel also looks for a place after a scroll, but not after one by wheel, finger or scroll bar.

/** Pixels around the element for its focus ring. */
const RING = 4;
/** After this time without a scroll the page is at rest. */
const REST_MS = 300;
/** After this time without a press or a key in the panel it may move. */
const USE_MS = 3_000;

interface Avoidance<Spot> {
  /**
   * The usual place first, then others, the best ones first.
   * @param isFocus also places where only the bar is shown, because the focus must be seen
   */
  spots(isFocus: boolean): readonly Spot[];
  /** Puts the panel there, so that it can be measured. */
  put(spot: Spot): void;
}

/** Follows the focus of the page, and the sentences that this panel signs, until `signal` aborts. */
export function avoidCover<Spot>(
  panel: HTMLElement,
  { spots, put }: Avoidance<Spot>,
  signal: AbortSignal,
): void {
  let byKeys = false;
  let frame = 0;
  let sentence: Range | null = null;
  /** Runs until the page is at rest, unless the reader scrolls it. */
  let rest = 0;
  let usedAt = -Infinity;

  /** @param isAtRest the page has come to rest with another sentence */
  const check = (isAtRest = false): void => {
    const element = focused();
    const isOwn =
      element !== null && (panel.contains(element) || panel.shadowRoot?.contains(element) === true);
    if (isOwn && !isAtRest) return;
    const isFocus = !isOwn && element?.matches(':focus-visible') === true && !isInFront(element, panel);
    const [home, ...others] = spots(isFocus);
    if (home === undefined) return;
    put(home);
    const target = inWindow((isFocus ? element : sentence)?.getBoundingClientRect());
    if (!target || hidden(target, panel) === 0) return;
    const all = [home, ...others].map((spot) => {
      put(spot);
      return { spot, hidden: hidden(target, panel) };
    });
    const best = all.find((one) => one.hidden === 0) ?? all.find((one) => one.hidden < 1) ?? all[0]!;
    put(best.spot);
  };

  const soon = (): void => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => check());
  };
  const atRest = (): void => {
    clearTimeout(rest);
    rest = window.setTimeout(() => {
      if (panel.matches(':active') || performance.now() - usedAt < USE_MS) return atRest();
      rest = 0;
      check(true);
    }, REST_MS);
  };
  const onUse = (): void => void (usedAt = performance.now());
  const onFocus = (): void => {
    byKeys = true;
    check();
    // The browser may scroll to the element after its focus event.
    soon();
  };
  const onPointer = (event: Event): void => {
    byKeys = false;
    if (event.composedPath().includes(panel)) return onUse();
    clearTimeout(rest);
    rest = 0;
  };
  panel.addEventListener(
    'sign-sentence',
    ({ target, detail: { range } }) => {
      if (target !== panel) return;
      sentence = range;
      atRest();
    },
    { signal },
  );
  panel.addEventListener(
    'sign-queuechange',
    ({ target, detail: { queue } }) => {
      if (target !== panel || !sentence) return;
      if (queue.some(({ state }) => state !== 'signed' && state !== 'failed')) return;
      sentence = null;
      atRest();
    },
    { signal },
  );
  panel.addEventListener('keydown', onUse, { signal });
  document.addEventListener('focusin', onFocus, { signal });
  document.addEventListener('focusout', soon, { signal });
  const onScroll = (): void => {
    if (rest) atRest();
    if (byKeys) soon();
  };
  document.addEventListener('scroll', onScroll, { signal, capture: true, passive: true });
  for (const type of ['wheel', 'touchmove', 'pointerdown']) {
    document.addEventListener(type, onPointer, { signal, capture: true, passive: true });
  }
  signal.addEventListener('abort', () => {
    cancelAnimationFrame(frame);
    clearTimeout(rest);
  });
  check();
}

/** The focused element, also in shadow roots; null when nothing has the focus. */
function focused(): Element | null {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element === document.body ? null : element;
}

/** True for an element of a modal dialog in which the panel is not. */
function isInFront(element: Element, panel: HTMLElement): boolean {
  const dialog = element.closest('dialog:modal');
  return dialog !== null && dialog !== panel.closest('dialog:modal');
}

interface Rect {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

function inWindow(place: DOMRect | undefined): Rect | null {
  if (!place) return null;
  const { left, top, right, bottom } = place;
  const { clientWidth, clientHeight } = document.documentElement;
  const rect = {
    left: Math.max(0, left - RING),
    top: Math.max(0, top - RING),
    right: Math.min(clientWidth, right + RING),
    bottom: Math.min(clientHeight, bottom + RING),
  };
  return rect.left < rect.right && rect.top < rect.bottom ? rect : null;
}

/** The share of the element that is behind the panel, from 0 to 1. */
function hidden(target: Rect, panel: HTMLElement): number {
  const cover = panel.getBoundingClientRect();
  const width = Math.min(target.right, cover.right) - Math.max(target.left, cover.left);
  const height = Math.min(target.bottom, cover.bottom) - Math.max(target.top, cover.top);
  if (width <= 0 || height <= 0) return 0;
  // When only the focus ring is visible, the element counts as hidden; so a share above 0.8 counts as 1.
  const share = (width * height) / ((target.right - target.left) * (target.bottom - target.top));
  return share > 0.8 ? 1 : share;
}
