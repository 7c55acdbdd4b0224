// Finds or installs a Firefox that plays H.264.
// - An installed one is used, else Debian's, with the decoder that its package only recommends.
// - On other machines the error says what to install; nothing is skipped.
import { spawnSync } from 'node:child_process';
import { installDebianPackage } from '../debian-package.mjs';

const names = ['firefox', 'firefox-esr'];
/** The Firefox of this machine, or null. */
export function installedFirefox() {
  for (const name of names) {
    if (spawnSync(name, ['--version'], { timeout: 30_000 }).status !== 0) continue;
    return spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim();
  }
  return null;
}

/**
 * The path of a Firefox that starts. It calls `say` before an installation.
 * @param {(step: string) => void} say
 * @returns {string}
 * @throws an error that says what to install.
 */
export function obtainFirefox(say) {
  let path = installedFirefox();
  if (path === null) {
    installDebianPackage('firefox-esr', say);
    installDebianPackage('libavcodec59', say);
    path = installedFirefox();
  }
  if (path === null) throw new Error('These tests need Firefox: install it so that it is on PATH.');
  return path;
}
