// Reads what is to be signed from a page: one item a block, in reading order. Loaded when a page is first signed.
// - What cannot be seen is not signed; `data-sign-skip` and code never are.
// - `data-sign-text` replaces what is written; `data-sign-src`, a video by a human signer, wins over the service.
// - Only http(s) videos count; any other address reads as if it were not there.
import { httpUrl } from '../protocol/http-url.ts';

export interface ContentItem {
  readonly text: string;
  /** A human-signed video of it. */
  readonly src: string | null;
}

const NEVER =
  'script, style, template, noscript, code, pre, svg, math, iframe, video, audio, canvas, meter, progress, select, textarea, input, [data-sign-skip], [aria-hidden="true"], [hidden]';

/** The items of what a page names by id or selector, seen from `host`: in its own tree, else in the document. */
export function readPart(host: Element, target: string): ContentItem[] {
  const found = find(host.getRootNode(), target) ?? find(document, target);
  return found ? readContent(found) : [];
}

/** By id, else by a selector; null for an invalid selector, and for a root that is in no document. */
function find(root: Node, target: string): Element | null {
  if (!(root instanceof Document || root instanceof ShadowRoot)) return null;
  try {
    return root.getElementById(target) ?? root.querySelector(target);
  } catch {
    return null;
  }
}

/** The items under `root`, itself included. */
export function readContent(root: Element): ContentItem[] {
  const items: ContentItem[] = [];
  let run = '';
  const flush = (): void => {
    const text = run.replace(/\s+/g, ' ').trim();
    if (text) items.push({ text, src: null });
    run = '';
  };
  const visit = (element: Element): void => {
    if (element.matches(NEVER) || element.localName.startsWith('sign-')) return;
    const { display, visibility, contentVisibility } = getComputedStyle(element);
    // The second also knows what a closed <details> hides, and not what `display: contents` shows (CSSOM View).
    if (display === 'none' || (display !== 'contents' && element.checkVisibility?.() === false)) return;
    // A visible element can be inside an invisible one (CSS Display, visibility).
    const seen = visibility === 'visible' && contentVisibility !== 'hidden';
    // checkVisibility() is for elements only; a text node is also invisible directly in a closed <details>, or without a slot.
    const folded = element.matches('details:not([open])');
    const isWritten = (text: Text): boolean =>
      seen && !folded && (element.shadowRoot === null || text.assignedSlot !== null);
    const block = !display.startsWith('inline') && display !== 'contents';
    if (block) flush();
    const signText = element.getAttribute('data-sign-text');
    const signSrc = element.getAttribute('data-sign-src');
    const src = httpUrl(signSrc, document.baseURI);
    if (src !== null && seen) {
      flush();
      items.push({ text: (signText ?? element.textContent ?? '').replace(/\s+/g, ' ').trim(), src });
    } else if (signText !== null && seen) {
      run += ` ${signText} `;
    } else {
      for (const node of element.childNodes) {
        // A node of an iframe's document is no `instanceof` this page's classes.
        if (node.nodeType === Node.ELEMENT_NODE) visit(node as Element);
        else if (node.nodeType === Node.TEXT_NODE && isWritten(node as Text)) run += (node as Text).data;
      }
    }
    if (block || element.localName === 'br') flush();
  };
  visit(root);
  flush();
  return items;
}
