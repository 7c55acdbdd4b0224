// The browser tests of windows. `npm test -- --all` runs them in Chromium itself, because the headless shell has no windows.
import { chromiumWithWindows } from '../browser/obtain-chromium.mjs';

const windowFiles = ['elements/picture-in-picture', 'elements/windows'].map(
  (name) => `test/${name}.browser.ts`,
);

/** The files that the browser at this path runs: all of `files`, without those about windows when it has no windows. */
export const filesIn = (path, files) =>
  path === chromiumWithWindows() ? files : files.filter((file) => !windowFiles.includes(file));
