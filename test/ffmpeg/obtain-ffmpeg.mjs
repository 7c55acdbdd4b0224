// Getting ffmpeg where it is not: the tests have files of many kinds made by a program that has no part in reading them.
// - The one on PATH, else Debian's.
// - On other machines the error says what to install; tests are never skipped.
import { spawnSync } from 'node:child_process';
import { installDebianPackage } from '../debian-package.mjs';

const answers = () => spawnSync('ffmpeg', ['-version'], { timeout: 30_000 }).status === 0;

/**
 * Sees to it that `ffmpeg` starts. `say` hears of each installation.
 * @throws with what to do when it is not there and cannot be had.
 */
export function obtainFfmpeg(say) {
  if (answers()) return;
  installDebianPackage('ffmpeg', say);
  if (!answers()) throw new Error('The tests need FFmpeg: install it so that ffmpeg is on PATH.');
}
