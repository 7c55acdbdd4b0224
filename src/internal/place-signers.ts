// Puts a signer where a page asks for one by `data-` attributes, because its CMS removes unknown tags, or the attribute `for`.
// - `<script src="…/elements.js" data-for="news" data-placement="bottom-right">`: a signer with these attributes, after the script;
//   at the end of the body when the script is in the head.
// - `<div data-sign-translate data-for="news">`: a signer inside it. `<sign-translate data-for="news">` has `for="news"`.
// - It searches the page once, when the script is loaded.

/** Sets `for` from `data-for`, and so on. */
function copyAttributes(from: Element, to: Element): void {
  for (const { name, value } of from.attributes) {
    if (name.startsWith('data-') && name !== 'data-sign-translate' && name !== 'data-elements')
      to.setAttribute(name.slice(5), value);
  }
}

export function placeSigners(): void {
  for (const place of document.querySelectorAll(
    '[data-sign-translate], script:is([src*="elements"], [data-elements])[data-for], sign-translate[data-for]:not([for])',
  )) {
    if (place.localName === 'sign-translate') {
      copyAttributes(place, place);
      continue;
    }
    const signer = document.createElement('sign-translate');
    copyAttributes(place, signer);
    if (place.localName !== 'script') place.replaceChildren(signer);
    else if (document.head.contains(place)) document.body.append(signer);
    else place.after(signer);
  }
}
