// Debian's WordPress, run by WordPress Playground (PHP as WebAssembly), for machines without a web server and PHP.
// - Both are kept in .build/wordpress; Playground is 580 MB, so it is no dependency of the repository.
// - `apt-get download` needs no root; the lists of packages must be there.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const PLAYGROUND = '3.1.56';
/** Libraries that Debian's WordPress takes from other packages. */
const packages = [
  'wordpress',
  'php-getid3',
  'libjs-underscore',
  'libjs-cropper',
  'wordpress-theme-twentytwentythree',
];
const folder = resolve('.build/wordpress');

/** Paths of Playground's program and of a fresh copy of WordPress's files in `site`. */
export function obtainWordPress(site, say) {
  const cli = join(folder, 'node_modules/@wp-playground/cli/wp-playground.js');
  const core = join(folder, 'core');
  mkdirSync(folder, { recursive: true });
  if (!existsSync(cli)) {
    say(`installing WordPress Playground ${PLAYGROUND}`);
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    execFileSync(
      'npm',
      ['install', '--no-save', '--no-audit', '--no-fund', `@wp-playground/cli@${PLAYGROUND}`],
      {
        cwd: folder,
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
  }
  if (!existsSync(core)) {
    say('downloading WordPress of Debian');
    const unpacked = join(folder, 'unpacked');
    rmSync(unpacked, { recursive: true, force: true });
    execFileSync('apt-get', ['download', ...packages], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.deb')))
      execFileSync('dpkg', ['-x', join(folder, file), unpacked]);
    // The links to the other packages are absolute paths, which are right only when this folder is the root.
    execFileSync('find', [
      unpacked,
      '-type',
      'l',
      '-lname',
      '/*',
      '-exec',
      'sh',
      '-c',
      RELINK,
      'sh',
      unpacked,
      '{}',
      '+',
    ]);
    cpSync(join(unpacked, 'usr/share/wordpress'), core, { recursive: true, dereference: true });
    rmSync(join(core, 'wp-config.php'), { force: true });
    rmSync(unpacked, { recursive: true });
  }
  cpSync(core, site, { recursive: true });
  return cli;
}

/** Script: points each link at the same path below its first argument, a folder. A link whose target is not there is removed. */
const RELINK =
  'root=$1; shift; for link; do to=$root$(readlink "$link"); rm "$link"; [ -e "$to" ] && ln -s "$to" "$link"; done; true';
