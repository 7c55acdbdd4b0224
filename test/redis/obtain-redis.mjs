// Getting a Redis where it is not: what replicas share is tested against a real one.
// - The one on PATH, else Debian's.
// - On other machines the error says what to install; tests are never skipped.
import { spawnSync } from 'node:child_process';
import { installDebianPackage } from '../debian-package.mjs';

const answers = () => spawnSync('redis-server', ['--version'], { timeout: 30_000 }).status === 0;

/**
 * Sees to it that `redis-server` starts. `say` hears of an installation.
 * @throws with what to do when it is not there and cannot be had.
 */
export function obtainRedis(say) {
  if (answers()) return;
  installDebianPackage('redis-server', say);
  if (!answers()) throw new Error('The tests need Redis: install it so that redis-server is on PATH.');
}
