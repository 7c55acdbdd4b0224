// The browser tests of windows: in `npm test -- --all` Chromium itself plays them. The headless shell has no windows and does not.
import { chromiumWithWindows } from '../browser/obtain-chromium.mjs';

const windowFiles = ['elements/picture-in-picture', 'elements/windows'].map(
  (name) => `test/${name}.browser.ts`,
);

/** The files that the browser at this path plays, those of `files` that are not about windows when it has none. */
export const filesIn = (path, files) =>
  path === chromiumWithWindows() ? files : files.filter((file) => !windowFiles.includes(file));
