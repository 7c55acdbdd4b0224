// Packages from npm that only a part of the tests outside `npm test` needs, kept in .build: they are too large for every clone.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const options = ['--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts'];

/**
 * The folder whose node_modules has these packages.
 * @param {string} name of the folder in .build
 * @param {Readonly<Record<string, string>>} versions of each package
 * @param {(step: string) => void} say is called before they are installed
 */
export function obtainPackages(name, versions, say) {
  const folder = resolve('.build', name);
  const manifest = join(folder, 'package.json');
  const wanted = JSON.stringify({ private: true, dependencies: versions });
  // npm writes this file last.
  const isInstalled = existsSync(join(folder, 'node_modules/.package-lock.json'));
  if (isInstalled && readFileSync(manifest, 'utf8') === wanted) return folder;
  say(
    `installing ${Object.entries(versions)
      .map((one) => one.join(' '))
      .join(', ')}`,
  );
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(manifest, wanted);
  execFileSync('npm', ['install', ...options], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  return folder;
}
