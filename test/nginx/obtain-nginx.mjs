// Getting nginx where it is not: the tests start it with the balancer's configuration that operators are given.
// - The one that is there, else Debian's.
// - On other machines the error says what to install; nothing is skipped.
import { spawnSync } from 'node:child_process';
import { installDebianPackage } from '../debian-package.mjs';

/** Debian does not have it on everybody's PATH. */
const names = ['nginx', '/usr/sbin/nginx'];
const found = () => names.find((name) => spawnSync(name, ['-v'], { timeout: 30_000 }).status === 0);

/**
 * The command that starts nginx. `say` hears of an installation.
 * @param {(step: string) => void} say
 * @returns {string}
 * @throws with what to do when it is not there and cannot be had.
 */
export function obtainNginx(say) {
  if (found() === undefined) installDebianPackage('nginx-light', say);
  const name = found();
  if (name === undefined) throw new Error('The tests need nginx: install it so that it is on PATH.');
  return name;
}
