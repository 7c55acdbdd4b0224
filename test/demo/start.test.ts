// `npm start` in a clone in a temporary folder: what it prints, builds and starts.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { temporaryFolder } from '../temporary-folder.ts';

const writes = (file: string, text: string): string =>
  `node -e "fs.mkdirSync('dist/${dirname(file)}',{recursive:true});fs.writeFileSync('dist/${file}','${text}')"`;

/** Build steps that write the files of the real ones, and print lines that must be hidden when all goes well. */
const scripts = {
  'build:modules': 'node -e "console.log(\'noise\')"',
  'build:bundles': writes('demo/main.js', 'console.log(1)'),
  'build:manifest': 'node -e "console.log(\'noise\')"',
  'build:docs': writes('docs/search.json', '[]'),
};

function clone({ packages = true, steps = scripts } = {}) {
  const root = temporaryFolder();
  const write = (path: string, text: string) => {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const file of [
    'src/index.ts',
    'proxy/main.ts',
    'tsconfig.json',
    'rollup.config.mjs',
    '.rollup/cdn.mjs',
    'docs/elements.md',
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'CHANGELOG.md',
    '.cem.config.mjs',
  ])
    write(file, '');
  write('package.json', JSON.stringify({ type: 'module', scripts: steps }));
  if (packages) write('node_modules/.package-lock.json', '{}');
  mkdirSync(join(root, 'demo'));
  cpSync('demo/start.mjs', join(root, 'demo/start.mjs'));
  return {
    touch: (path: string) => utimesSync(join(root, path), new Date(), new Date(Date.now() + 60_000)),
    start() {
      const { status, stdout, stderr } = spawnSync(process.execPath, ['demo/start.mjs'], {
        cwd: root,
        encoding: 'utf8',
      });
      // The duration of a step is not tested.
      return {
        status,
        printed: `${stdout}${stderr}`
          .replace(/\d+\.\d s/g, 'N s')
          .trim()
          .split('\n'),
      };
    },
  };
}

const built = [
  ...['Compiling', 'Bundling', 'Describing the elements', 'Writing the documentation'].map(
    (title) => `${title} … N s`,
  ),
  '1',
];

test('a fresh clone is built with one line of output for each step, and started', () => {
  assert.deepEqual(clone().start(), { status: 0, printed: built });
});

test('a clone that is already built is started at once', () => {
  const { start } = clone();
  start();
  assert.deepEqual(start(), { status: 0, printed: ['1'] });
});

test('a source that changed is built again', () => {
  const { start, touch } = clone();
  start();
  touch('proxy/main.ts');
  assert.deepEqual(start(), { status: 0, printed: built });
});

test('when a step fails, the reason is printed and nothing is started', () => {
  const steps = {
    ...scripts,
    'build:modules': 'node -e "console.log(\'src/index.ts: wrong\');process.exit(1)"',
  };
  const { status, printed } = clone({ steps }).start();
  assert.equal(status, 1);
  assert.equal(printed[0], 'Compiling … failed.');
  assert.ok(printed.includes('src/index.ts: wrong'), printed.join('\n'));
  assert.ok(!printed.includes('1'));
});

test('without installed packages it prints what to do', () => {
  const { status, printed } = clone({ packages: false }).start();
  assert.equal(status, 1);
  assert.match(printed.join('\n'), /npm ci/);
});
