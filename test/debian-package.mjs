// Installs a Debian package where that is one command: on Debian, as root.
// - Elsewhere it tries nothing, and the caller says what a person can do.
// - It waits for other installations, and repeats a request to a mirror that fails. When new package lists cannot be loaded, it
//   tries with the old ones.
// - A package that is installed already is installed again, because this is called when its program does not start.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const isDebian = () =>
  existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));

const PATIENT = ['-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=5'];

/** Tries to install the package, and calls `say` before it does. The caller checks whether that helped. */
export function installDebianPackage(name, say) {
  if (process.getuid?.() !== 0 || !isDebian()) return;
  say(`installing the Debian package ${name}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', '--reinstall', name]]) {
    spawnSync('apt-get', [...PATIENT, ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  }
}
