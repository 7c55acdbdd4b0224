// `npm run test:webkit`: the browser tests in WebKitGTK, the browser nearest to Safari that runs without a Mac.
// - The same tests, settings, proxy and sandbox as in Chromium; only the browser differs.
// - `npm test` runs one file where WebKitGTK is installed (run.mjs); all of them would double its time.
// - Left-out.mjs lists the files that do not run.
import shared, { allFiles, pagesOf } from '../../web-test-runner.config.mjs';
import { filesFor } from './left-out.mjs';
import { webkitLauncher } from './webkit-launcher.mjs';

/** The runner's own command does not resize the window of a browser that it does not know; this plugin replaces the command. */
const viewport = {
  name: 'viewport of WebKit',
  transform: ({ path, body }) =>
    path.endsWith('/test-runner-commands/browser/commands.mjs')
      ? body.replace("'set-viewport'", "'set-viewport-of-webkit'")
      : undefined,
  async executeCommand({ command, payload, session }) {
    if (command !== 'set-viewport-of-webkit') return undefined;
    await session.browser.setViewport(payload);
    return true;
  },
};

export default {
  ...shared,
  plugins: [...shared.plugins, viewport],
  files: pagesOf(filesFor('webkit', allFiles)),
  // On a busy machine the first page takes long to start.
  browserStartTimeout: 120_000,
  testsStartTimeout: 120_000,
  browsers: [webkitLauncher()],
};
