// Marks the sentence being signed with the CSS Custom Highlight API, which changes nothing in the page's own tree.
// - The default look is in a cascade layer of its own: any unlayered rule of the page for `::highlight(sign-sentence)` wins.
// - `Mark` and `MarkText` are the system's colours for marked text: they contrast on light and dark pages and in forced colours.
// - On paper nothing is marked.
// - Where the API is missing (Firefox before 140) nothing is marked.

const NAME = 'sign-sentence';
const RULES = `@media screen { @layer sign-elements { ::highlight(${NAME}) { background-color: Mark; color: MarkText; } } }`;

/** Document or shadow root to the default look in it. */
const styled = new WeakSet<DocumentOrShadowRoot>();

function style(root: Node): void {
  if (!(root instanceof Document || root instanceof ShadowRoot) || styled.has(root)) return;
  styled.add(root);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(RULES);
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}

export class SentenceHighlight {
  #range: Range | null = null;

  /** Marks this range and no other of this signer. */
  show(range: Range): void {
    this.clear();
    if (!('highlights' in CSS)) return;
    style(range.startContainer.getRootNode());
    this.#range = range;
    const shared = CSS.highlights.get(NAME);
    if (shared) shared.add(range);
    else CSS.highlights.set(NAME, new Highlight(range));
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
