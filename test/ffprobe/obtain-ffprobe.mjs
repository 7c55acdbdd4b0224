// Getting ffprobe where none is: the tests have every kind of file looked at by a program that has no part in making it.
// Policy: the one on PATH, else Debian's; whatever else the machine is, the person is told what to install; tests are never
// skipped.
import { spawnSync } from 'node:child_process';
import { installDebianPackage } from '../debian-package.mjs';

const answers = () => spawnSync('ffprobe', ['-version'], { timeout: 30_000 }).status === 0;

/**
 * Sees to it that `ffprobe` starts. `say` hears of each installation.
 * @throws with what to do when there is none and none can be had.
 */
export function obtainFfprobe(say) {
  if (answers()) return;
  installDebianPackage('ffmpeg', say);
  if (!answers()) throw new Error('The tests need ffprobe: install FFmpeg so that ffprobe is on PATH.');
}
