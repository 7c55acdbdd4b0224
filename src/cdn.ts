// The cdn build: `<script type="module" src="…/elements.js">`. Defines every element and takes its default proxy from its own
// address.
// - A page that has no tag of ours, or no attribute `for`, asks by `data-` attributes (place-signers.ts). They are looked for when
//   the page is parsed, because an `async` module may run before the body begins.
// - It exports the classes that it defines and no headless client, which every page would load and hardly one would use; a
//   page that plays by itself takes `sign-elements/client`.
import './internal/loaded-from.ts';
import './define.ts';
import { loadCode } from './internal/load-code.ts';

export { configure } from './elements/configure.ts';
export { SignAnnouncement } from './elements/sign-announcement.ts';
export { SignLivePlayer } from './elements/sign-live-player.ts';
export { SignSilenceLoop } from './elements/sign-silence-loop.ts';
export { SignTranslate } from './elements/sign-translate.ts';

function placeSigners(): void {
  if (document.querySelector('[data-sign-translate],[data-for]'))
    void loadCode(() => import('./internal/place-signers.ts')).then(({ placeSigners }) => placeSigners());
}

if (globalThis.document?.readyState === 'loading') addEventListener('DOMContentLoaded', placeSigners);
else if (globalThis.document) placeSigners();
