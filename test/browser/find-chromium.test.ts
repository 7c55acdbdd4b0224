// Which browser the tests take, on machines made of a temporary folder.
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { temporaryFolder } from '../temporary-folder.ts';
import { findChromium, findChromiumWithWindows, findHeadlessShell } from './find-chromium.mjs';

/** A machine with programs at the given paths. The programs in `broken` exist and do not start. */
function machine(programs: string[], broken: string[] = []) {
  const root = temporaryFolder();
  for (const path of [...programs, ...broken]) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `#!/bin/sh\nexit ${broken.includes(path) ? 1 : 0}\n`);
    chmodSync(file, 0o755);
  }
  return {
    find: (env: Record<string, string> = {}, own?: string) => {
      const at = { HOME: join(root, 'home'), PATH: `${join(root, 'bin')}:${join(root, 'sbin')}`, ...env };
      const found = findChromium({ env: at, platform: 'linux', ...(own ? { own: join(root, own) } : {}) });
      return found === null ? null : found.slice(root.length + 1);
    },
    path: (path: string) => join(root, path),
  };
}

const cache = 'home/.cache/ms-playwright';

test('CHROME_PATH is preferred to every installed browser', () => {
  const { find, path } = machine(['bin/chromium', 'opt/chrome']);
  assert.equal(find({ CHROME_PATH: path('opt/chrome') }), 'opt/chrome');
});

test('a Chromium with windows is the one of CHROME_PATH, unless that is a headless shell', () => {
  const { path } = machine(['bin/chromium', 'opt/chrome', 'opt/chrome-headless-shell']);
  const withWindows = (CHROME_PATH: string) =>
    findChromiumWithWindows({ env: { CHROME_PATH, PATH: path('bin') }, platform: 'linux' });
  assert.equal(withWindows(path('opt/chrome')), path('opt/chrome'));
  assert.equal(withWindows(path('opt/chrome-headless-shell')), path('bin/chromium'));
  assert.equal(withWindows(''), path('bin/chromium'));
  assert.throws(() => withWindows(path('opt/missing')), /CHROME_PATH/);
});

test('a CHROME_PATH that is no browser is an error, not a reason to take another', () => {
  const { find, path } = machine(['bin/chromium'], ['opt/chrome']);
  assert.throws(() => find({ CHROME_PATH: path('opt/chrome') }), /CHROME_PATH/);
  assert.throws(() => find({ CHROME_PATH: path('opt/missing') }), /CHROME_PATH/);
});

test('stable Chrome is preferred to Chromium, wherever on PATH it is', () => {
  const { find } = machine(['bin/chromium', 'sbin/google-chrome-stable']);
  assert.equal(find(), 'sbin/google-chrome-stable');
});

test('a program on PATH that does not start is skipped', () => {
  const { find } = machine([`${cache}/chromium-1200/chrome-linux/chrome`], ['bin/chromium-browser']);
  assert.equal(find(), `${cache}/chromium-1200/chrome-linux/chrome`);
});

test("the newest of Playwright's downloads is taken, by its number", () => {
  const { find } = machine([
    `${cache}/chromium-999/chrome-linux/chrome`,
    `${cache}/chromium-1200/chrome-linux64/chrome`,
    `${cache}/chromium_headless_shell-1300/chrome-linux/chrome`,
  ]);
  assert.equal(find(), `${cache}/chromium-1200/chrome-linux64/chrome`);
});

test("PLAYWRIGHT_BROWSERS_PATH names the folder of Playwright's downloads", () => {
  const { find, path } = machine(['shared/chromium-1/chrome-linux/chrome']);
  assert.equal(find({ PLAYWRIGHT_BROWSERS_PATH: path('shared') }), 'shared/chromium-1/chrome-linux/chrome');
});

test('a browser that an earlier run downloaded is the last choice', () => {
  const { find } = machine(['.browser/start-chromium', 'bin/chrome']);
  assert.equal(find({}, '.browser/start-chromium'), 'bin/chrome');
  assert.equal(find({ PATH: '' }, '.browser/start-chromium'), '.browser/start-chromium');
});

test('on a machine without a browser none is found', () => {
  assert.equal(machine([]).find(), null);
});

test('a headless shell that starts is found, and is not taken for a Chromium with windows', () => {
  const { find, path } = machine(['sbin/chromium-headless-shell'], ['bin/chromium-headless-shell']);
  const PATH = `${path('bin')}:${path('sbin')}`;
  assert.equal(findHeadlessShell({ PATH }), path('sbin/chromium-headless-shell'));
  assert.equal(findHeadlessShell({ PATH: path('bin') }), null);
  assert.equal(find(), null);
});
