// Tells when elements that cut off what is in them close and open, such as the panels of an accordion.
// - By their size, because a transition or a class of the page changes nothing inside them.
import { isClosed } from './unread.ts';

export class Panels {
  readonly #sizes: ResizeObserver;
  /** Whether it was open when that was last read. */
  readonly #wasOpen = new WeakMap<Element, boolean>();

  constructor(changed: (panel: Element) => void) {
    this.#sizes = new ResizeObserver((entries) => {
      for (const { target } of entries) {
        const isOpen = !isClosed(target);
        if (isOpen === this.#wasOpen.get(target)) continue;
        this.#wasOpen.set(target, isOpen);
        // Not now: panels that are first found in the same frame could not be observed in it, which is an error of the page's window.
        setTimeout(changed, 0, target);
      }
    });
  }

  /** It is being read now, open or closed. */
  add(panel: Element): void {
    const isOpen = !isClosed(panel);
    if (isOpen === this.#wasOpen.get(panel)) return;
    this.#wasOpen.set(panel, isOpen);
    // Its size in the frame before may have been the other one: should it have that again when this frame is painted, nothing would
    // have changed for the observer. Anew observed, its size is reported in any case.
    this.#sizes.unobserve(panel);
    this.#sizes.observe(panel);
  }

  close(): void {
    this.#sizes.disconnect();
  }
}
