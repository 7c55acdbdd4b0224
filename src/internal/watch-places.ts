// Loads place-signers.ts once a page asks for a signer by `data-` attributes. Only the cdn build imports it.
// - It looks when the module runs, when the page is parsed, because an `async` module may run before the body begins, and when the
//   body or a child of it is added, because Turbo and htmx show the next page in this way. A child of the head may be a consent
//   manager's script tag.
import { loadCode } from './load-code.ts';

if (globalThis.document) {
  const watching = new MutationObserver(look);
  function look(): void {
    watching.disconnect();
    if (document.querySelector('[data-sign-translate],[data-for]'))
      void loadCode(() => import('./place-signers.ts'));
    else
      for (const parent of document.querySelectorAll('html,head,body'))
        watching.observe(parent, { childList: true });
  }
  look();
  addEventListener('DOMContentLoaded', look);
}
