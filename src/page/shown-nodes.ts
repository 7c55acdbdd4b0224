// Tells what an element shows (the nodes in it, or a name that replaces them) and which element shows it.
// - A slot shows what is slotted into it; a closed `details` shows only its summary.

/** The nodes that are shown in an element, as they are now: the page may change them before they are visited. */
export function shownNodes(element: Element): readonly Node[] {
  const { localName, shadowRoot } = element;
  const assigned = localName === 'slot' ? (element as HTMLSlotElement).assignedNodes() : [];
  if (assigned.length > 0) return assigned;
  if (localName === 'details' && !element.hasAttribute('open') && !shadowRoot)
    return [...element.querySelectorAll(':scope > summary:first-of-type')];
  const nodes: Node[] = [];
  // Twice as fast as the iterator of a node list.
  for (let node = (shadowRoot ?? element).firstChild; node; node = node.nextSibling) nodes.push(node);
  return nodes;
}

const letters = (words: string): string => words.replace(/\s/g, '');

/** The name of an element when it is its text: GSAP names what it cuts into pieces, and hides the pieces from screen readers. */
export function wholeOf(element: Element): string | null {
  const name = element.getAttribute('aria-label');
  return name && letters(name) === letters(element.textContent) ? name : null;
}

/** The element that it is shown in: the slot, the parent or the host. */
export function shownIn(element: Element): Element | null {
  if (element.assignedSlot) return element.assignedSlot;
  const { parentNode } = element;
  if (parentNode instanceof ShadowRoot) return parentNode.host;
  return element.parentElement;
}
