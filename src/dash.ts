// `import 'sign-elements/dash'`: lets `<sign-live-player>` play DASH, by the package `shaka-player`, which the page's own project
// installs. Shaka is loaded with the first DASH stream.
import { provideDash } from './playback/live/engine.ts';

provideDash(async () => (await import('./playback/live/dash-engine.ts')).loadDash());
