// Getting ffprobe and ffmpeg where they are not: the tests have every kind of file looked at by a program that has no
// part in making it, and files of many kinds made by a program that has no part in reading them.
// - The ones on PATH, else Debian's.
// - On other machines the error says what to install; tests are never skipped.
import { spawnSync } from 'node:child_process';
import { installDebianPackage } from '../debian-package.mjs';

const answers = () =>
  ['ffprobe', 'ffmpeg'].every(
    (program) => spawnSync(program, ['-version'], { timeout: 30_000 }).status === 0,
  );

/**
 * Sees to it that `ffprobe` and `ffmpeg` start. `say` hears of each installation.
 * @throws with what to do when they are not there and cannot be had.
 */
export function obtainFfprobe(say) {
  if (answers()) return;
  installDebianPackage('ffmpeg', say);
  if (!answers())
    throw new Error('The tests need FFmpeg: install it so that ffprobe and ffmpeg are on PATH.');
}
