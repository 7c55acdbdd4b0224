// The two packages as npm would publish them: what is in the archive, and what the tools of the trade say of it.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { version as versionOfCode } from '../../dist/internal/safe-define.js';
import { elementScripts, readManifest } from './built-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'packed-'));
after(() => rmSync(folder, { recursive: true }));

function pack(source: string): { archive: string; files: string[] } {
  const args = ['pack', '--json', '--pack-destination', folder, source];
  const [packed] = JSON.parse(execFileSync('npm', args, { encoding: 'utf8' })) as [
    { filename: string; files: { path: string }[] },
  ];
  return { archive: join(folder, packed.filename), files: packed.files.map(({ path }) => path) };
}

const elements = pack('.');
const proxy = pack('./dist/proxy');

const entries = ['index', 'define', 'client', 'react'];
const tags = ['sign-announcement', 'sign-live-player', 'sign-silence-loop', 'sign-translate'];

test('sign-elements holds every file of the contract', () => {
  const promised = [
    ...[...entries, ...tags.map((tag) => `define/${tag}`)].flatMap((name) => [
      `dist/${name}.js`,
      `dist/${name}.d.ts`,
    ]),
    'dist/vue.d.ts',
    'dist/cdn/sign-elements.js',
    'dist/cdn/sign-elements.classic.js',
    'custom-elements.json',
    'LICENSE',
    'CHANGELOG.md',
    'README.md',
  ];
  assert.deepEqual(
    promised.filter((file) => !elements.files.includes(file)),
    [],
  );
});

test('sign-elements holds nothing of the proxy, the sandbox, the demo or the build', () => {
  const stray = /^(src|test|demo|proxy|node_modules)\/|^dist\/(proxy|sandbox|demo)\/|\.tsbuildinfo$/;
  assert.deepEqual(
    elements.files.filter((file) => stray.test(file)),
    [],
  );
});

test('sign-elements-proxy holds its programs and the elements that it serves', () => {
  const promised = [
    ...['main.js', 'index.js', 'index.d.ts', 'package.json', 'LICENSE', 'README.md'],
    ...[
      'cdn/sign-elements.js',
      'cdn/sign-elements.js.br',
      'cdn/sign-elements.js.gz',
      'cdn/sign-elements.classic.js',
    ],
  ];
  assert.deepEqual(
    promised.filter((file) => !proxy.files.includes(file)),
    [],
  );
});

test('sign-elements holds every module that the build left for it', () => {
  assert.deepEqual(
    elementScripts().filter((file) => !elements.files.includes(file)),
    [],
  );
});

test('both packages and the code carry the same version', () => {
  const { version } = readManifest('package.json');
  assert.equal(readManifest('dist/proxy/package.json').version, version);
  assert.equal(versionOfCode, version);
});

/** Runs a tool of node_modules; its exit code 0 is the verdict, its output the explanation. */
function accepts(tool: string, args: string[]): void {
  const { status, stdout, stderr } = spawnSync(join('node_modules/.bin', tool), args, { encoding: 'utf8' });
  assert.equal(status, 0, `${stdout}${stderr}`);
}

for (const [name, { archive }] of Object.entries({
  'sign-elements': elements,
  'sign-elements-proxy': proxy,
})) {
  test(`publint finds nothing wrong with ${name}`, () => accepts('publint', ['run', archive, '--strict']));
}

test('the types of every JavaScript entry point resolve wherever ES modules are imported', () => {
  const untyped = ['./cdn/*', './custom-elements.json', './package.json'];
  accepts('attw', [elements.archive, '--profile', 'esm-only', '--exclude-entrypoints', ...untyped]);
  accepts('attw', [proxy.archive, '--profile', 'esm-only']);
});
