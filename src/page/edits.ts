// Which elements of a page have to be read again after an edit, and how long an edit that removes all text is waited out.
// - An element without text of its own is not read again as a whole when only a child element was added or removed.
// - Classes, styles and `inert` change often, mostly without an effect on the text. They count only when something has become
//   visible or invisible, which the caller finds out.
// - Routers and frameworks that load data empty a part in one task and fill it in a later one: 3 s are left for that.
import { blockAround } from './blocks.ts';
import { isRendered } from './rendered.ts';

export const OBSERVED: MutationObserverInit = {
  childList: true,
  characterData: true,
  subtree: true,
  attributeFilter: (
    'class style inert hidden open aria-hidden aria-expanded lang slot contenteditable data-sign-text data-sign-skip ' +
    'data-sign-src'
  ).split(' '),
};
const STYLING = /^(class|style|inert)$/;

/** The element in which the edit was; null when it has left the page. */
export function editedIn({ target }: MutationRecord): Element | null {
  // A text may be directly in a shadow root.
  const element =
    target instanceof Element ? target : (target.parentElement ?? (target.getRootNode() as ShadowRoot).host);
  return element?.isConnected ? element : null;
}

export const isStyling = ({ type, attributeName }: MutationRecord): boolean =>
  type === 'attributes' && STYLING.test(attributeName ?? '');

/**
 * @param element where the edit was
 * @param holders the elements that have text of their own
 */
export function changedBy(
  { type, addedNodes, removedNodes }: MutationRecord,
  element: Element,
  holders: ReadonlySet<Element>,
): Element[] {
  if (type !== 'childList') {
    const around = element.parentElement && blockAround(element.parentElement, document.documentElement);
    return type === 'attributes' && around && holders.has(around) ? [around, element] : [element];
  }
  const nodes = [...addedNodes, ...removedNodes].filter(
    (node) => node instanceof Element || (node instanceof Text && /\S/.test(node.data)),
  );
  const isList = !holders.has(element) && nodes.every((node) => node instanceof Element);
  return isList ? (nodes as Element[]) : nodes.length > 0 ? [element] : [];
}

const WAIT_MS = 3000;

/** Tells whether parts that have lost all their text may get other text soon. */
export class TextWait {
  readonly #ended: () => void;
  #timer = 0;
  #isOver = false;

  /** @param ended is called when no text came in time; `isOn` is then false until text has come */
  constructor(ended: () => void) {
    this.#ended = ended;
  }

  /**
   * True while it is worth waiting. Text ends the wait.
   * @param parts where one of them is hidden and not empty, its text comes when it is shown again
   */
  isOn(isEmpty: boolean, parts: readonly Element[] = []): boolean {
    if (isEmpty && !parts.every(isRendered)) return true;
    if (isEmpty && !this.#isOver) {
      this.#timer ||= window.setTimeout(() => {
        this.#isOver = true;
        this.#ended();
      }, WAIT_MS);
      return true;
    }
    this.close();
    return false;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#isOver = false;
  }
}
