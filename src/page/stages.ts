// Tells what may have come on show or left it when the look of a page changed without an edit of its text.
// - Boxes with text beside them, cut off, as a carousel with its slides, are kept: something in them or around them moves the text.
// - A motion that ends, and a popover that opens or closes.

/** `toggle` is of a popover. A script scrolls what a person cannot; Safari before 26.2 has no `scrollend`. */
const EVENTS = ['transitionend', 'animationend', 'scroll', 'toggle'];

export class Stages {
  readonly #boxes = new Set<Element>();
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

  add(box: Element): void {
    this.#boxes.add(box);
  }

  /** The boxes that this element may have moved text into or out of. */
  around(element: Element): Element[] {
    for (const box of this.#boxes) if (!box.isConnected) this.#boxes.delete(box);
    return [...this.#boxes].filter((box) => box.contains(element) || element.contains(box));
  }

  close(): void {
    this.#closed.abort();
  }
}
