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
  return [...new Set(found)]
    .filter((one) => !found.some((other) => other !== one && other.contains(one)))
    .sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_PRECEDING ? 1 : -1));
}
