// The language in force at a place of the page (HTML, the `lang` attribute): the nearest that is stated, the element's own
// first; a shadow root has the language of its host.

/** A BCP 47 tag as the page wrote it; empty when none is stated. */
export function nearestLang(element: Element): string {
  for (let at: Element | null = element; at;) {
    const holder = at.closest('[lang]');
    if (holder) return holder.getAttribute('lang') ?? '';
    const root = at.getRootNode();
    at = root instanceof ShadowRoot ? root.host : null;
  }
  return '';
}
