// Finds or installs ffmpeg, which makes files of many kinds for the tests.
// - The ffmpeg on PATH is used, else Debian's package is installed.
// - On other machines the error says what to install; tests are never skipped.
import { spawnSync } from 'node:child_process';
import { installDebianPackage } from '../debian-package.mjs';

const answers = () => spawnSync('ffmpeg', ['-version'], { timeout: 30_000 }).status === 0;

/**
 * Makes sure that `ffmpeg` starts. It calls `say` before each installation.
 * @throws an error that says what to install.
 */
export function obtainFfmpeg(say) {
  if (answers()) return;
  installDebianPackage('ffmpeg', say);
  if (!answers()) throw new Error('The tests need FFmpeg: install it so that ffmpeg is on PATH.');
}
