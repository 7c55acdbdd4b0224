// Finds or installs a Chromium.
// - The system's own package where that is one command (Debian, root), else the npm package that carries the program
//   and the libraries it needs, unpacked into .browser/ of this repository: no root, nothing outside the folder.
// - Also a headless shell, when one is installed or Debian has it, because most of `npm test` runs in it.
// - On other machines the error says what to install; tests are never skipped.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { installDebianPackage } from '../debian-package.mjs';
import { findChromium, findChromiumWithWindows, findHeadlessShell } from './find-chromium.mjs';

const npmPackage = '@sparticuz/chromium@153.0.0';
const folder = resolve('.browser');
const own = join(folder, 'start-chromium');

/** The package unpacks into the temporary directory, so this program is run with .browser/ as its TMPDIR. */
const unpack = `
  import { readdirSync } from 'node:fs';
  import { join } from 'node:path';
  const [packed] = process.argv.slice(-1);
  const { inflate } = await import(join(packed, 'build/index.js'));
  for (const file of readdirSync(join(packed, 'bin'))) await inflate(join(packed, 'bin', file));
`;

/**
 * The libraries that the program was packed with are used before the machine's, which may lack some. Its fonts are used only when
 * the machine has none.
 */
const starter = `#!/bin/sh
export LD_LIBRARY_PATH="\${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}${folder}/al2023/lib"
[ -e /etc/fonts/fonts.conf ] || export FONTCONFIG_FILE="${folder}/fonts.conf"
exec "${folder}/chromium" "$@"
`;
const fontConfiguration = `<?xml version="1.0"?>
<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>
`;

function fromNpm(say) {
  say(`installing ${npmPackage} into .browser/`);
  mkdirSync(folder, { recursive: true });
  const install = ['install', '--no-save', '--ignore-scripts', '--prefix', folder, npmPackage];
  execFileSync('npm', install, { stdio: ['ignore', 'ignore', 'inherit'] });
  const packed = join(folder, 'node_modules', npmPackage.slice(0, npmPackage.lastIndexOf('@')));
  execFileSync(process.execPath, ['--input-type=module', '--eval', unpack, packed], {
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  writeFileSync(join(folder, 'fonts.conf'), fontConfiguration);
  writeFileSync(own, starter, { mode: 0o755 });
}

/**
 * The path of a Chromium that starts: the machine's, or one that this call installs. It calls `say` before each installation.
 * @throws an error that says what to install.
 */
export function obtainChromium(say) {
  let found = findChromium({ own });
  if (found) return found;
  installDebianPackage('chromium', say);
  found = findChromium({ own });
  if (!found && process.platform === 'linux' && process.arch === 'x64') {
    fromNpm(say);
    found = findChromium({ own });
  }
  if (found) return found;
  throw new Error('The tests need a browser: install Chrome or Chromium, or set CHROME_PATH to one.');
}

/**
 * The path of a headless shell that starts: the machine's, or Debian's package where this call may install it; else null.
 * It calls `say` before an installation.
 */
export function obtainHeadlessShell(say) {
  const found = findHeadlessShell();
  if (found) return found;
  installDebianPackage('chromium-headless-shell', say);
  return findHeadlessShell();
}

/** The path of the Chromium that visitors have, also when CHROME_PATH names a headless shell. */
export const chromiumWithWindows = () => findChromiumWithWindows({ own }) ?? obtainChromium(console.error);
