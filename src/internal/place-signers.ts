// Puts a signer where a page asks for one by `data-` attributes, because its CMS removes unknown tags, or the attribute `for`.
// - `<script src="…/elements.js" data-for="news" data-placement="bottom-right">`: a signer with these attributes, after the
//   script; at the end of the body when the script is in the head. Of two scripts with the same `for`, the first places it.
// - `<div data-sign-translate data-for="news">`: a signer inside it. `<sign-translate data-for="news">` has `for="news"`.
// - It is loaded when the page is parsed, and searches the page then. It searches again when the body or all of its content was
//   replaced (Turbo and htmx show the next page in this way, and evaluate no module again), and when a child is added to the head
//   or the body (by a consent manager, for example). Other changes inside the body are ignored.
// - The proxy is that of the script tag, else that of this copy of the elements, also where another copy was defined first.
// - A signer that the page removes stays away until the next page. A page that a library restores from its copy has its signer.
//   Turbo 8 keeps it when it morphs the page to the HTML of the server, which has neither the signer nor what was copied.
import { defaultProxy, proxyPrefixOf } from './script-base.ts';

const PLACES =
  '[data-sign-translate],script:is([src*=elements],[data-elements])[data-for],sign-translate[data-for]:not([for])';

/** Places that have had a signer on this page. Exported because a file that exports nothing counts as one that did not load. */
export let served = new WeakSet<Element>();

/** The body is another one, or a signer went together with other children of the body and others came. */
function isOtherPage(changes: readonly MutationRecord[]): boolean {
  const shown = changes.filter((change) => change.target !== document.head);
  const added = shown.flatMap(({ addedNodes }) => [...addedNodes]);
  const removed = shown.flatMap(({ removedNodes }) => [...removedNodes]);
  const isSigner = (node: Node): unknown => (node as HTMLElement).dataset?.['placed'];
  return added.includes(document.body) || (added.length > 0 && removed.length > 1 && removed.some(isSigner));
}

function placeAll(): void {
  for (const place of document.querySelectorAll(PLACES)) {
    if (served.has(place)) continue;
    served.add(place);
    placeAt(place);
  }
}

function placeAt(place: Element): void {
  if (place.localName === 'sign-translate') return copyAttributes(place, place);
  const signer = document.createElement('sign-translate');
  const isScript = place.localName === 'script';
  // Only a script names a proxy: the `src` of a picture may be in the text of an untrusted author.
  const proxy = (isScript && proxyPrefixOf((place as HTMLScriptElement).src)) || defaultProxy();
  // An attribute, so that a copy that a library makes of the page has it too.
  signer.dataset['placed'] = `${isScript}`;
  if (signer.proxy !== proxy) signer.setAttribute('proxy', proxy);
  copyAttributes(place, signer, isScript);
  const placed = (isScript ? document : place).querySelectorAll<typeof signer>(`[data-placed=${isScript}]`);
  if ([...placed].some((other) => other.for === signer.for)) return;
  if (!isScript) place.replaceChildren(signer);
  else if (document.head.contains(place)) document.body.append(signer);
  else place.after(signer);
}

/**
 * Sets `for` from `data-for`, and so on. No handler and no style, and only a script names a proxy: sanitisers leave
 * `data-onclick` and `data-proxy` in the text of an untrusted author, because they do nothing by themselves.
 * A name such as `data-1` would be an error, which kept every later place without its signer.
 */
function copyAttributes(from: Element, to: Element, isScript?: boolean): void {
  for (const { name, value } of from.attributes) {
    if (/^data-(?!on|style$|sign-)[a-z][\w-]*$/.test(name) && (isScript || name !== 'data-proxy'))
      to.setAttribute(name.slice(5), value);
  }
  to.setAttribute('data-turbo-permanent', '');
}

placeAll();
const observer = new MutationObserver((changes) => {
  if (isOtherPage(changes)) {
    served = new WeakSet();
    observer.observe(document.body, { childList: true });
  }
  placeAll();
});
for (const parent of document.querySelectorAll('html,head,body'))
  observer.observe(parent, { childList: true });
