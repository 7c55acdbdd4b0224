// Marks the sentence being signed on the page.
// - The mark is of the CSS Custom Highlight API, which changes nothing in the page's own tree. Its default look is in a cascade
//   layer of its own: any unlayered rule of the page for `::highlight(sign-sentence)` wins.
// - `Mark` and `MarkText` are the system's colours for marked text: they contrast on light and dark pages and in forced colours.
// - On paper, and where the API is missing (Firefox before 140), nothing is marked.
// - Elements inherit highlights (CSS Pseudo-Elements 4, 3.6) in Chromium, not in Firefox 153 and WebKitGTK 2.50. Where they do,
//   one rule for the root is enough. A rule for each element makes each later styling of the page take 1.5 times as long.
import { addStyles } from '../internal/add-styles.ts';
import { isTree } from './parts.ts';

const NAME = 'sign-sentence';
/** No text has this highlight. It tells whether elements inherit. */
const PROBE = 'sign-inherited';
const PROBE_COLOR = 'rgb(1, 2, 3)';

const rulesFor = (elements: string): string =>
  `@media screen { @layer sign-elements { ${elements}::highlight(${NAME}) { background-color: Mark; color: MarkText; } } }`;
const ROOT_RULES = `${rulesFor(':root')} :root::highlight(${PROBE}) { color: ${PROBE_COLOR} }`;

/**
 * Gives the tree of this node the default look. The browser then styles the whole tree anew: 20,000 paragraphs take 35 ms
 * (Chromium 156). So it is done before the first sentence, while nothing moves, and again only after the page has replaced its
 * sheets, as when it changes its theme.
 */
export function styleTreeOf(node: Node): void {
  const root = node.getRootNode();
  if (!('highlights' in CSS) || !isTree(root)) return;
  addStyles(document, ROOT_RULES);
  const isInherited = getComputedStyle(document.body, `::highlight(${PROBE})`).color === PROBE_COLOR;
  if (!isInherited) addStyles(root, rulesFor(''));
}

export class SentenceHighlight {
  #range: Range | null = null;

  /** Marks this range and no other of this signer. */
  show(range: Range): void {
    this.clear();
    if (!('highlights' in CSS)) return;
    styleTreeOf(range.startContainer);
    this.#range = range;
    const shared = CSS.highlights.get(NAME);
    if (shared) shared.add(range);
    else CSS.highlights.set(NAME, new Highlight(range));
  }

  /** The marked words are now at this range, or nowhere. */
  move(range: Range | null): void {
    if (!range) this.clear();
    else if (this.#range) this.show(range);
  }

  /** True for a point of the window on the marked words. */
  isAt(x: number, y: number): boolean {
    return [...(this.#range?.getClientRects() ?? [])].some(
      ({ left, right, top, bottom }) => x >= left && x <= right && y >= top && y <= bottom,
    );
  }

  clear(): void {
    if (!this.#range) return;
    const shared = CSS.highlights.get(NAME);
    shared?.delete(this.#range);
    if (shared?.size === 0) CSS.highlights.delete(NAME);
    this.#range = null;
  }
}
