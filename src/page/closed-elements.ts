// Tells when a closed element opens, such as the panel of an accordion that has no height.
// - By its size, because a transition or a class of the page changes nothing inside it. Each is told once.

export class ClosedElements {
  readonly #sizes: ResizeObserver;

  constructor(opened: (element: Element) => void) {
    this.#sizes = new ResizeObserver((entries) => {
      for (const { target } of entries) {
        if (target.clientHeight === 0) continue;
        this.#sizes.unobserve(target);
        opened(target);
      }
    });
  }

  add(element: Element): void {
    this.#sizes.observe(element);
  }

  close(): void {
    this.#sizes.disconnect();
  }
}
