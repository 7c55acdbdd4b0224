// Tells when an element that is closed, as the panel of an accordion without height, opens.

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
