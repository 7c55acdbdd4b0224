// The cdn build: `<script type="module" src="…/elements.js">`. Defines every element and takes its default proxy from its own
// address.
// - A page that has no tag of ours, or no attribute `for`, asks by `data-` attributes (watch-places.ts).
// - It exports the classes that it defines, and not the headless client, which every page would load and hardly any would use. A
//   page with a player of its own uses `sign-elements/client`.
import './internal/loaded-from.ts';
import './define.ts';
import './internal/watch-places.ts';

export { configure } from './elements/configure.ts';
export { SignAnnouncement } from './elements/sign-announcement.ts';
export { SignLivePlayer } from './elements/sign-live-player.ts';
export { SignSilenceLoop } from './elements/sign-silence-loop.ts';
export { SignTranslate } from './elements/sign-translate.ts';
