// Finds or installs Redis, because the state that replicas share is tested with a real one.
// - The Redis on PATH is used, else Debian's package is installed.
// - On other machines the error says what to install; tests are never skipped.
import { spawnSync } from 'node:child_process';
import { installDebianPackage } from '../debian-package.mjs';

const answers = () => spawnSync('redis-server', ['--version'], { timeout: 30_000 }).status === 0;

/**
 * Makes sure that `redis-server` starts. It calls `say` before an installation.
 * @throws an error that says what to install.
 */
export function obtainRedis(say) {
  if (answers()) return;
  installDebianPackage('redis-server', say);
  if (!answers()) throw new Error('The tests need Redis: install it so that redis-server is on PATH.');
}
