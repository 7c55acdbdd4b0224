// Which Chromium the tests run in, when the machine has one.
// - `CHROME_PATH` is used if it is set, and is an error if it does not start.
// - The headless shell is the same engine without the windows and menus around it: a page opens in it in a third of the time.
// - Otherwise an installed browser is used, then one that earlier tools or runs have left in a cache.
// - A file counts only when it answers `--version`: Ubuntu's chromium-browser, for one, may be a stub that prints
//   advice.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const commands = ['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser', 'chrome'];
const shells = ['chromium-headless-shell', 'chrome-headless-shell'];
const macApp = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/** Where a folder of Playwright's cache keeps the program, by platform and age of the download. */
const inPlaywright = [
  'chrome-linux64/chrome',
  'chrome-linux/chrome',
  'chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
  'chrome-mac-x64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
  'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
];

const answers = (file) =>
  existsSync(file) && spawnSync(file, ['--version'], { timeout: 30_000 }).status === 0;

function playwrightCandidates(env, platform) {
  const home = env.HOME ?? '';
  const cache =
    env.PLAYWRIGHT_BROWSERS_PATH ??
    join(home, platform === 'darwin' ? 'Library/Caches' : '.cache', 'ms-playwright');
  if (!existsSync(cache)) return [];
  return readdirSync(cache)
    .filter((folder) => /^chromium-\d+$/.test(folder))
    .sort((a, b) => Number(b.slice(9)) - Number(a.slice(9))) // By number, because 999 is older than 1200.
    .flatMap((folder) => inPlaywright.map((path) => join(cache, folder, path)));
}

const onPath = ({ PATH = '' }, names) => {
  const folders = PATH.split(delimiter).filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => join(folder, name)));
};

/** The path of a headless shell that starts, or null. */
export const findHeadlessShell = (env = process.env) => onPath(env, shells).find(answers) ?? null;

/**
 * The path of a Chromium with windows that starts, or null: as `findChromium`, but a headless shell in CHROME_PATH does not count.
 * @param {Parameters<typeof findChromium>[0]} machine
 */
export function findChromiumWithWindows(machine) {
  const env = machine?.env ?? process.env;
  const isShell = /headless[-_]shell$/.test(env.CHROME_PATH ?? '');
  return findChromium({ ...machine, env: isShell ? { ...env, CHROME_PATH: '' } : env });
}

/**
 * The path of a Chromium that starts, or null.
 * @param machine `env` with CHROME_PATH, PATH, HOME and PLAYWRIGHT_BROWSERS_PATH, `platform` as Node names it, `own` the
 * program that obtain-chromium.mjs leaves.
 * @throws when CHROME_PATH is set and is no browser.
 */
export function findChromium({ env = process.env, platform = process.platform, own } = {}) {
  if (env.CHROME_PATH) {
    if (answers(env.CHROME_PATH)) return env.CHROME_PATH;
    throw new Error(`CHROME_PATH is ${env.CHROME_PATH}, which does not start as a browser.`);
  }
  const candidates = [
    ...onPath(env, commands),
    ...(platform === 'darwin' ? [macApp] : []),
    ...playwrightCandidates(env, platform),
    ...(own ? [own] : []),
  ];
  return candidates.find(answers) ?? null;
}
