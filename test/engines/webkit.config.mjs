// `npm run test:webkit`: the browser tests in WebKitGTK, the browser nearest to Safari that runs without a Mac.
// - The same tests, settings, proxy and sandbox as in Chromium; only the browser differs.
// - `npm test -- --all` runs one file where WebKitGTK is installed (run.mjs); all of them would double its time.
// - The tests that do not run are in left-out.mjs.
import shared, { allFiles, pagesOf } from '../../web-test-runner.config.mjs';
import { leavesOut } from './left-out.mjs';
import { webkitLauncher } from './webkit-launcher.mjs';

/** Commands for WebKit, because the runner neither resizes windows of an unknown browser nor holds keys in it. */
const commands = {
  name: 'commands of WebKit',
  transform: ({ path, body }) =>
    path.endsWith('/test-runner-commands/browser/commands.mjs')
      ? body.replace(/'(set-viewport|send-keys)'/g, "'webkit-$1'")
      : undefined,
  async executeCommand({ command, payload, session }) {
    if (command === 'webkit-set-viewport') await session.browser.setViewport(payload);
    else if (command === 'webkit-send-keys') await session.browser.sendKeys(payload);
    else return undefined;
    return true;
  },
};

export default {
  ...shared,
  plugins: [...shared.plugins, commands, leavesOut('webkit')],
  files: pagesOf(allFiles),
  // On a busy machine the first page takes long to start.
  browserStartTimeout: 120_000,
  testsStartTimeout: 120_000,
  browsers: [webkitLauncher()],
};
