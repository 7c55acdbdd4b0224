// Tells when text that a box cuts off may have become visible or invisible without an edit of the text.
// - A box that closes and opens, such as the panel of an accordion, is known by its size, because a transition or a class of the
//   page changes nothing inside it.
// - Each box that cuts off text at its sides, such as a carousel, is remembered, because a change in the box or around it may
//   move the text. When the box has more than 500 elements, as a whole page has, only the element that is cut off is remembered.
// - A box that has moved more than nine times keeps the text that was read in it: otherwise a reading would never get past a
//   carousel that turns by itself.
// - Text is read again when a motion ends, when a script scrolls such a box, and when a popover opens or closes.
import { isClosed } from './unread.ts';

/** Boxes that close and open. */
export class ClosableBoxes {
  readonly #sizes: ResizeObserver;
  /** Whether it was open when that was last read. */
  readonly #wasOpen = new WeakMap<Element, boolean>();

  constructor(changed: (box: Element) => void) {
    this.#sizes = new ResizeObserver((entries) => {
      for (const { target } of entries) {
        // A box that has left the page is reported once more. Firefox keeps what is observed, and all that it was in.
        if (!target.isConnected) {
          this.#sizes.unobserve(target);
          this.#wasOpen.delete(target);
          continue;
        }
        const isOpen = !isClosed(target);
        if (isOpen === this.#wasOpen.get(target)) continue;
        this.#wasOpen.set(target, isOpen);
        // In a later task: a box that is first found in this frame could not be observed in it, and the browser would report an
        // error to the page (`ResizeObserver loop`).
        setTimeout(changed, 0, target);
      }
    });
  }

  /** It is being read now, open or closed. */
  add(box: Element): void {
    const isOpen = !isClosed(box);
    if (isOpen === this.#wasOpen.get(box)) return;
    this.#wasOpen.set(box, isOpen);
    // An observer reports a size only when it differs from the last one that it has seen, which may be from before the box closed
    // or opened. A box that is observed anew is reported in any case.
    this.#sizes.unobserve(box);
    this.#sizes.observe(box);
  }

  close(): void {
    this.#sizes.disconnect();
  }
}

/** A popover fires `toggle`. `scroll` is fired where a script scrolls such a box; Safari before 26.2 has no `scrollend`. */
const EVENTS = 'transitionend animationend scroll toggle'.split(' ');

/** A box with more elements than this is not read again as a whole. */
const MANY = 500;
/** After this number of moves the text that was read stays. */
const MOVES = 9;

/** Boxes that cut off text at their sides. */
export class SideBoxes {
  /** The elements that are read again, and how often each has moved. */
  readonly #moves = new Map<Element, number>();
  readonly #boxes = new WeakSet<Element>();
  readonly #closed = new AbortController();

  /** @param changed is given the element in which a motion ended */
  constructor(changed: (element: Element) => void) {
    const { signal } = this.#closed;
    const onEnd = ({ target, type }: Event): void => {
      if (!(target instanceof Element) || (type === 'scroll' && !this.#boxes.has(target))) return;
      if (/[\p{L}\p{N}]/u.test(target.textContent)) changed(target);
    };
    for (const type of EVENTS) document.addEventListener(type, onEnd, { capture: true, signal });
  }

  /** This element is cut off at a side of this box. True when it stays where it has been read. */
  add(element: Element, box: Element): boolean {
    const unit = box.getElementsByTagName('*').length > MANY ? element : box;
    const moves = this.#moves.get(unit) ?? 0;
    this.#moves.set(unit, moves);
    this.#boxes.add(box);
    return moves > MOVES;
  }

  /** What is read again because this element may have moved text into a box or out of it. */
  around(element: Element): Element[] {
    const moved: Element[] = [];
    for (const [unit, moves] of this.#moves) {
      if (!unit.isConnected) this.#moves.delete(unit);
      else if (unit.contains(element) || element.contains(unit)) {
        this.#moves.set(unit, moves + 1);
        moved.push(unit);
      }
    }
    return moved;
  }

  close(): void {
    this.#closed.abort();
  }
}
