// Finds or installs nginx: the tests start it with the balancer configuration that operators get.
// - An installed one is used, else Debian's package is installed.
// - On other machines the error says what to install; nothing is skipped.
import { spawnSync } from 'node:child_process';
import { installDebianPackage } from '../debian-package.mjs';

/** On Debian it is not on the PATH of an ordinary user. */
const names = ['nginx', '/usr/sbin/nginx'];
const found = () => names.find((name) => spawnSync(name, ['-v'], { timeout: 30_000 }).status === 0);

/**
 * The command that starts nginx. It calls `say` before an installation.
 * @param {(step: string) => void} say
 * @returns {string}
 * @throws an error that says what to install
 */
export function obtainNginx(say) {
  if (found() === undefined) installDebianPackage('nginx-light', say);
  const name = found();
  if (name === undefined) throw new Error('The tests need nginx: install it so that it is on PATH.');
  return name;
}
