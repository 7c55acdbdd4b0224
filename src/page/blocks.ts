// Finds what a person would read in a part of a page: one block for each heading, paragraph, list item, caption or table row,
// in reading order. A caller takes as many at a time as it has time for.
// - Not read: what is invisible or clipped to nothing, navigation, buttons, fields, code, `data-sign-skip`.
// - Open shadow roots are read as they are shown, with what is slotted into them.
// - `data-sign-text` replaces what is written; `data-sign-src`, a video by a human signer, is preferred to the service. Only
//   http(s) videos count.
// - White space becomes spaces, each character one, so that places in the text are places in the page.
import { httpUrl } from '../protocol/http-url.ts';

/** Where a piece of a block's text comes from: a text node, or an element whose text is stated. */
export interface Run {
  readonly node: Text | Element;
  /** Where it begins in the text of the block. */
  readonly at: number;
  readonly length: number;
}

export interface Block {
  /** The nearest block around the text. */
  readonly element: Element;
  readonly text: string;
  readonly runs: readonly Run[];
  /** A human-signed video of it. */
  readonly src: string | null;
}

/** Elements after which a caller is asked for time, though no block was found. */
const ELEMENTS_PER_TURN = 100;

const NEVER =
  'script, style, template, noscript, code, pre, svg, math, iframe, object, video, audio, canvas, meter, progress, select, ' +
  'textarea, input, button, nav, rt, rp, menu, datalist, [data-sign-skip], [aria-hidden="true"], [hidden], [role="navigation"], ' +
  '[role="button"], [role="menu"], [role="menubar"], [role="tablist"], [role="toolbar"], [role="search"]';

const isSkipped = (element: Element): boolean =>
  element.localName.startsWith('sign-') || element.matches(NEVER);

/** Where it is shown: the slot, the parent or the host. */
function shownIn(element: Element): Element | null {
  if (element.assignedSlot) return element.assignedSlot;
  const { parentNode } = element;
  if (parentNode instanceof ShadowRoot) return parentNode.host;
  return element.parentElement;
}

/** True for an element that begins a block of its own. */
function isBlock({ display }: CSSStyleDeclaration): boolean {
  return !display.startsWith('inline') && display !== 'contents';
}

/** The element whose text has to be read anew when something in `element` has changed. */
export function blockAround(element: Element, root: Element): Element {
  let at: Element = element;
  for (let next: Element | null = element; next; next = shownIn(next)) {
    const isWhole = next.matches('tr, [data-sign-text], [data-sign-src]') || next.shadowRoot !== null;
    if (isWhole || !isBlock(getComputedStyle(at))) at = next;
    if (next === root) break;
  }
  return at;
}

/** As `checkVisibility()`, without `content-visibility`. */
function isRendered(element: Element): boolean {
  for (let at: Element | null = element; at; at = shownIn(at)) {
    const isFolded = at.matches('details:not([open]) > :not(summary)');
    if (isFolded || getComputedStyle(at).display === 'none') return false;
  }
  return true;
}

/** True when something around it keeps it from being read. */
export function isOutOfSight(element: Element, root: Element): boolean {
  // Safari before 17.4 does not tell.
  if (!(element.checkVisibility?.() ?? isRendered(element))) return true;
  for (let at: Element | null = element; at; at = shownIn(at)) {
    if (isSkipped(at)) return true;
    if (at === root) break;
  }
  return false;
}

/** Clipped to nothing, as texts for screen readers only are. Each property that is read costs time, the width a layout. */
function isClipped(style: CSSStyleDeclaration): boolean {
  if (style.position !== 'absolute') return false;
  const { clip, clipPath, width } = style;
  return /^inset\((50|100)%\)$/.test(clipPath) || (clip !== 'auto' && clip !== '') || width === '1px';
}

const tidy = (text: string | null): string => (text ?? '').replace(/\s+/g, ' ').trim();

/** The nodes that are shown in an element. */
function shownNodes(element: Element): Iterable<Node> {
  if (element.shadowRoot) return element.shadowRoot.childNodes;
  const assigned = element instanceof HTMLSlotElement ? element.assignedNodes() : [];
  if (assigned.length > 0) return assigned;
  if (element.matches('details:not([open])'))
    return element.querySelectorAll(':scope > summary:first-of-type');
  return element.childNodes;
}

/** The blocks under `root`, itself included; null from time to time, so that the caller can stop to let the page work. */
export function* readBlocks(root: Element): Generator<Block | null, void> {
  let text = '';
  let runs: Run[] = [];
  let visited = 0;
  const take = (element: Element): Block | null => {
    const block = { element, text, runs, src: null };
    const isEmpty = !/\S/.test(text);
    text = '';
    runs = [];
    return isEmpty ? null : block;
  };
  const write = (node: Text | Element, words: string): void => {
    const written = words.replace(/\s/g, ' ');
    runs.push({ node, at: text.length, length: written.length });
    text += written;
  };
  /** Between the cells of a row. */
  const separate = (): void => {
    if (/[^\s.,:;!?]\s*$/.test(text)) text = `${text.trimEnd()}, `;
  };

  function* visit(element: Element, holder: Element, inRow: boolean): Generator<Block | null, void> {
    if (++visited % ELEMENTS_PER_TURN === 0) yield null;
    if (isSkipped(element)) return;
    const style = getComputedStyle(element);
    const { display, visibility, contentVisibility } = style;
    if (display === 'none' || contentVisibility === 'hidden' || isClipped(style)) return;
    const isRow = element.localName === 'tr' || display === 'table-row';
    const begins = isBlock(style) || isRow;
    const inner = begins && !inRow ? element : holder;
    // A visible element can be inside an invisible one (CSS Display, visibility).
    const seen = visibility === 'visible';
    if (inRow && begins) separate();
    else if (begins) yield take(holder);
    const signText = element.getAttribute('data-sign-text');
    const src = httpUrl(element.getAttribute('data-sign-src'), document.baseURI);
    if (src !== null && seen) {
      yield take(holder);
      const stated = tidy(signText ?? element.textContent);
      yield { element, text: stated, runs: [{ node: element, at: 0, length: stated.length }], src };
    } else if (signText !== null && seen) {
      write(element, ` ${signText} `);
    } else {
      for (const node of shownNodes(element)) {
        // A node of an iframe's document is no `instanceof` this page's classes.
        if (node.nodeType === Node.ELEMENT_NODE) yield* visit(node as Element, inner, inRow || isRow);
        else if (node.nodeType === Node.TEXT_NODE && seen) write(node as Text, (node as Text).data);
      }
    }
    const ends = begins || element.localName === 'br';
    if (inRow && ends) separate();
    else if (ends) yield take(inner);
  }
  yield* visit(root, root, false);
  yield take(root);
}

/** The node itself, or the outermost host that it is in the shadow of. */
export function hostOf<N extends Node>(node: N): N | Element {
  let at: N | Element = node;
  for (let root = at.getRootNode(); root instanceof ShadowRoot; root = at.getRootNode()) at = root.host;
  return at;
}
