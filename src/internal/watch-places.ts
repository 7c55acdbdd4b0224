// Loads place-signers.ts once a page asks for a signer by `data-` attributes. Only the cdn build imports it.
// - It looks when the module runs, and not before the page is parsed: an `async` module may run before the body begins.
// - It also looks when a body, or a child of the body or the head, is added: Turbo and htmx show the next page in this way, and a
//   consent manager adds a script tag to the head.
// - Code that did not load in a minute is tried again 10 s later.
import { loadCode } from './load-code.ts';

if (globalThis.document) {
  const watching = new MutationObserver(look);
  function look(): void {
    watching.disconnect();
    if (document.readyState !== 'loading' && document.querySelector('[data-sign-translate],[data-for]'))
      loadCode(() => import('./place-signers.ts')).catch(() => setTimeout(look, 10_000));
    else
      for (const parent of document.querySelectorAll('html,head,body'))
        watching.observe(parent, { childList: true });
  }
  look();
  addEventListener('DOMContentLoaded', look);
}
