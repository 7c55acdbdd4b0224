// Lighthouse (Apache-2.0) from npm, kept in .build/lighthouse: it is 180 MB, so it is no dependency of the repository.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const VERSION = '13.5.0';
const folder = resolve('.build/lighthouse');

/** Path of its program; calls `say` before it installs Lighthouse. */
export function obtainLighthouse(say) {
  const cli = join(folder, 'node_modules/lighthouse/cli/index.js');
  if (!existsSync(cli)) {
    say(`installing Lighthouse ${VERSION}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
    execFileSync('npm', ['install', ...options, `lighthouse@${VERSION}`], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  return cli;
}
