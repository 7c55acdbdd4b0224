// Gives a tree a style sheet.
// - A sheet that is made in one document is of no use in another, and a tree that moves there loses it. Whoever needs it calls
//   again.

/** The sheets of each tree by their text. WebKitGTK 2.50 has another object for a sheet that no script holds. */
const made = new WeakMap<Node, Record<string, CSSStyleSheet>>();

/** Adds the sheet with this text, unless it is there; none where a page has no such sheets (jsdom) or no window. */
export function addStyles(root: Document | ShadowRoot, css: string): CSSStyleSheet | undefined {
  const { adoptedStyleSheets: added } = root;
  const { defaultView } = root.ownerDocument ?? (root as Document);
  const sheets = made.get(root) ?? {};
  const had = sheets[css];
  if (!added || !defaultView || (had && added.includes(had))) return had;
  const sheet = new defaultView.CSSStyleSheet();
  sheet.replaceSync(css);
  sheets[css] = sheet;
  made.set(root, sheets);
  root.adoptedStyleSheets = [...added, sheet];
  return sheet;
}
