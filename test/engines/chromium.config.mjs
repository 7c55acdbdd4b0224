// `npm run test:chromium`: the browser tests in the Chromium that visitors have.
// - `CHROME_PATH` names a Chromium to use in place of the installed one.
// - `npm test -- --all` runs them in the headless shell, and a few of the files here.
import shared, { allFiles, chromium, pagesOf } from '../../web-test-runner.config.mjs';
import { chromiumWithWindows } from '../browser/obtain-chromium.mjs';

export default { ...shared, files: pagesOf(allFiles), browsers: [chromium(chromiumWithWindows())] };
