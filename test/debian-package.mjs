// Installing a package of Debian where that is one command: on Debian, as root. Policy: elsewhere nothing is tried, and the
// caller says what a person can do.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const isDebian = () =>
  existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));

/** Tries to install the package; whether that helped is for the caller to see. `say` hears of it when it is tried. */
export function installDebianPackage(name, say) {
  if (process.getuid?.() !== 0 || !isDebian()) return;
  say(`installing the Debian package ${name}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', name]]) {
    if (spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] }).status !== 0) return;
  }
}
