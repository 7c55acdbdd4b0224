// Gives a tree a style sheet.
// - A sheet of one document cannot be used in another, and a tree loses its sheets when it moves there. The caller then adds them
//   again.

/** The sheets of each tree by their text. WebKitGTK 2.50 has another object for a sheet that no script holds. */
const made = new WeakMap<Node, Record<string, CSSStyleSheet>>();

/** Adds the sheet with this text, unless it is there. Adds nothing where a page has no such sheets (jsdom) or no window. */
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
