// Finds the parts of a page that ids or selectors name.

/** Not `instanceof Document`: MooTools, which Joomla 3 loads, replaces `Document` with a type of its own. */
export const isTree = (root: Node): root is Document | ShadowRoot =>
  root.nodeType === Node.DOCUMENT_NODE || root instanceof ShadowRoot;

/** Finds elements by id, else by a selector; none for an invalid selector, and for a root that is in no document. */
function find(root: Node, target: string): Element[] {
  if (!isTree(root)) return [];
  try {
    const named = root.getElementById(target);
    return named ? [named] : [...root.querySelectorAll(target)];
  } catch {
    return [];
  }
}

/**
 * The elements that `target` names, in the order of the page: in the tree of `host`, else in the document. Of two elements of
 * which one contains the other only the outer one is returned.
 */
export function findParts(host: Element, target: string): Element[] {
  // A comma in brackets belongs to a selector.
  const names = target.split(/,(?![^([]*[)\]])/).map((name) => name.trim());
  const found = names.flatMap((name) => {
    const near = find(host.getRootNode(), name);
    return near.length > 0 ? near : find(document, name);
  });
  const all = new Set<Node>(found);
  const isInside = (one: Node | null): boolean => one !== null && (all.has(one) || isInside(one.parentNode));
  return [...new Set(found)]
    .filter((one) => !isInside(one.parentNode))
    .sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_PRECEDING ? 1 : -1));
}

/** The places of each list of parts, which may be all paragraphs of a long page. */
const places = new WeakMap<readonly Element[], ReadonlyMap<Node, number>>();

/** Index of the part that holds this node, of parts none of which is inside another; -1 when none does. */
export function indexOfPart(parts: readonly Element[], node: Node): number {
  const known = places.get(parts) ?? new Map(parts.map((part, at) => [part as Node, at]));
  places.set(parts, known);
  let at: Node | null = node;
  while (at && !known.has(at)) at = at.parentNode;
  return at ? known.get(at)! : -1;
}
