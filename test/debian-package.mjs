// Installing a package of Debian where that is one command: on Debian, as root.
// - Elsewhere nothing is tried, and the caller says what a person can do.
// - Whoever else installs something is waited for, a mirror that fails is asked again, and where the lists cannot be
//   had now, those of before may do.
// - A package that is there is installed anew, for its program does not start.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const isDebian = () =>
  existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));

const PATIENT = ['-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=5'];

/** Tries to install the package; whether that helped is for the caller to see. `say` hears of it when it is tried. */
export function installDebianPackage(name, say) {
  if (process.getuid?.() !== 0 || !isDebian()) return;
  say(`installing the Debian package ${name}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', '--reinstall', name]]) {
    spawnSync('apt-get', [...PATIENT, ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  }
}
