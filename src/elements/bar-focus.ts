// Keeps the keyboard focus in an element when its control that has the focus is disabled or removed (WCAG 2.2 SC 2.4.3).
// - A browser takes the focus from such a control, and the next Tab would begin at the top of the page.

/** Called before the controls of this element are drawn anew; after that it moves the focus where its control is gone. */
export function keepFocus(host: HTMLElement): void {
  const held = host.shadowRoot!.activeElement;
  if (!held) return;
  queueMicrotask(() => {
    const isLost = held.isConnected ? held.matches(':disabled') : document.activeElement === document.body;
    if (isLost) host.focus({ preventScroll: true });
  });
}
