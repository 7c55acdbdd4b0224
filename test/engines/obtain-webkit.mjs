// Finds or installs WebKitGTK's browser, its driver, and the GStreamer plugins by which it plays media.
// - Installed programs are used, else Debian's packages are installed.
// - On other machines the error says what to install; nothing is skipped.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { installDebianPackage } from '../debian-package.mjs';

/**
 * Debian's packages. The driver brings the library; the decoders of H.264 and AAC, and the demuxers, are in the GStreamer
 * packages.
 */
const packages = [
  'webkit2gtk-driver',
  'gstreamer1.0-libav',
  'gstreamer1.0-plugins-good',
  'gstreamer1.0-plugins-bad',
];

/** The browser is not on PATH: it is in a folder of the library, whose name has the version and the architecture. */
function findBrowser() {
  const libraries = readdirSync('/usr/lib').map((name) => join('/usr/lib', name));
  const folders = ['/usr/lib', '/usr/libexec', ...libraries].filter((path) => existsSync(path));
  for (const folder of folders) {
    for (const version of ['webkitgtk-6.0', 'webkit2gtk-4.1', 'webkit2gtk-4.0']) {
      const path = join(folder, version, 'MiniBrowser');
      if (existsSync(path)) return path;
    }
  }
  return null;
}

const isCommand = (name) => spawnSync('which', [name], { stdio: 'ignore' }).status === 0;

/** The commands of this machine that start the driver and the browser, or null. */
export function installedWebKit() {
  const browser = isCommand('WebKitWebDriver') ? findBrowser() : null;
  return browser === null ? null : { driver: 'WebKitWebDriver', browser };
}

/**
 * The commands that start the driver and the browser. It calls `say` before each installation.
 * @param {(step: string) => void} say
 * @returns {{ driver: string, browser: string }}
 * @throws an error that says what to install.
 */
export function obtainWebKit(say) {
  let programs = installedWebKit();
  if (programs === null) {
    for (const name of packages) installDebianPackage(name, say);
    programs = installedWebKit();
  }
  if (programs !== null) return programs;
  throw new Error('These tests need WebKitGTK with WebKitWebDriver and MiniBrowser: install it.');
}
