// `npm start`: the whole product on this machine, from a fresh clone.
// - It is plain JavaScript that Node 14.8 and later can read, so that it can say which version is needed when Node is too old.
// - It builds only when something is missing or older than its sources.
// - It prints one line for each step, and all output of a step that fails.
// - The demo then runs in the same process, so it gets the process's signals.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);

const program = 'dist/demo/main.js';
const lastFile = 'dist/docs/search.json'; // of those that a build writes
const sources = [
  ...['src', 'proxy', 'demo', 'package.json', 'tsconfig.json', 'rollup.config.mjs', '.rollup'],
  ...['docs', 'README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', '.cem.config.mjs'],
];
const steps = [
  ['Compiling', 'build:modules'],
  ['Bundling', 'build:bundles'],
  ['Describing the elements', 'build:manifest'],
  ['Writing the documentation', 'build:docs'],
];

function stop(message) {
  console.error(message);
  process.exit(1);
}

/**
 * Time of the newest change below `path`, in milliseconds since 1970. The time of a folder changes when a file in it is removed.
 */
function newest(path) {
  const status = statSync(path);
  if (!status.isDirectory()) return status.mtimeMs;
  return Math.max(status.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  stop(`Node ${process.versions.node} is too old: this needs Node 20.19 or newer.`);
}
if (!existsSync('node_modules/.package-lock.json')) {
  stop('The packages are not installed yet. Run `npm ci` first, then `npm start` again.');
}

const builtAt = existsSync(lastFile) ? statSync(lastFile).mtimeMs : 0;
if (Math.max(...sources.map(newest)) > builtAt) {
  for (const [title, script] of steps) {
    const start = Date.now();
    process.stdout.write(`${title} … `);
    const { status, stdout, stderr } = spawnSync(`npm run ${script}`, { shell: true, encoding: 'utf8' });
    if (status !== 0) stop(`failed.\n${stdout}${stderr}`);
    console.log(`${((Date.now() - start) / 1000).toFixed(1)} s`);
  }
}

await import(pathToFileURL(join(root, program)).href);
