// The packages as npm would publish them: the content of the archive, and whether bundlers and package checkers accept it.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import test, { after } from 'node:test';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import { build, type BuildFailure, type BuildResult } from 'esbuild';
import { rollup } from 'rollup';
import { version as versionOfCode } from '../../dist/internal/safe-define.js';
import { elementScripts, readManifest } from './built-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'packed-'));
after(() => rmSync(folder, { recursive: true }));

interface Packed {
  readonly archive: string;
  readonly files: string[];
}

/** Packs each of these folders; the packages are in the same order. */
function pack<const Sources extends readonly string[]>(
  ...sources: Sources
): { [At in keyof Sources]: Packed } {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder, ...sources];
  const packed = JSON.parse(execFileSync('npm', args, { encoding: 'utf8' })) as {
    filename: string;
    files: { path: string }[];
  }[];
  return packed.map(({ filename, files }) => ({
    archive: join(folder, filename),
    files: files.map(({ path }) => path),
  })) as { [At in keyof Sources]: Packed };
}

const [elements, proxy, sandbox] = pack('.', './dist/proxy', './dist/sandbox');

const entries = ['index', 'define', 'client', 'dash', 'react'];
const tags = ['sign-announcement', 'sign-live-player', 'sign-silence-loop', 'sign-translate'];

test('without a build a plain `npm pack` packs nothing, and its error names a folder whose name says what to do', () => {
  const clone = join(folder, 'clone');
  mkdirSync(clone);
  for (const file of ['package.json', '.npmrc', 'README.md']) copyFileSync(file, join(clone, file));
  const { status, stderr } = spawnSync('npm', ['pack', '--loglevel=error'], { cwd: clone, encoding: 'utf8' });
  assert.notEqual(status, 0);
  assert.match(stderr, /ENOENT.*dist\/made-by-npm-run-build\/sign-elements-/);
});

test('sign-elements holds every file of the contract', () => {
  const promised = [
    ...[...entries, ...tags.map((tag) => `define/${tag}`)].flatMap((name) => [
      `dist/${name}.js`,
      `dist/${name}.d.ts`,
    ]),
    'dist/vue.d.ts',
    ...['preact', 'react', 'solid', 'svelte'].map((name) => `dist/types/${name}.d.ts`),
    'dist/cdn/sign-elements.js',
    'dist/cdn/sign-elements.classic.js',
    'custom-elements.json',
    'dist/web-types.json',
    'dist/vscode.html-custom-data.json',
    'dist/cdn/integrity.json',
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
    ...['main.js', 'sign-prepare.js', 'index.js', 'index.d.ts', 'package.json', 'LICENSE', 'README.md'],
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

test('sign-elements-sandbox holds its program and the files that it needs, and nothing of the other two', () => {
  for (const file of ['main.js', 'package.json', 'LICENSE', 'README.md', 'ASSUMPTIONS.md'])
    assert.ok(sandbox.files.includes(file), file);
  assert.ok(sandbox.files.some((file) => /-worker\.js$/.test(file)));
  const { dependencies, bin } = readManifest('dist/sandbox/package.json') as ReturnType<
    typeof readManifest
  > & {
    bin: Record<string, string>;
  };
  assert.deepEqual(bin, { 'sign-sandbox': './main.js' });
  assert.ok(dependencies['node-av'] && dependencies.ws);
  assert.match(readFileSync('dist/sandbox/main.js', 'utf8'), /^#!\/usr\/bin\/env node\n/);
});

test('sign-elements holds every module that the build made for it', () => {
  assert.deepEqual(
    elementScripts().filter((file) => !elements.files.includes(file)),
    [],
  );
});

test('all packages and the code carry the same version', () => {
  const { version } = readManifest('package.json');
  for (const other of ['proxy', 'sandbox'])
    assert.equal(readManifest(`dist/${other}/package.json`).version, version);
  assert.equal(versionOfCode, version);
});

const archives = {
  'sign-elements': elements,
  'sign-elements-proxy': proxy,
  'sign-elements-sandbox': sandbox,
};

/** A project that has these packages and their dependencies, and no optional peer. */
function makeProject(...packages: (keyof typeof archives)[]): string {
  const project = mkdtempSync(join(folder, 'project-'));
  const modules = join(project, 'node_modules');
  const needed = new Set<string>();
  for (const name of packages) {
    const own = join(modules, name);
    mkdirSync(own, { recursive: true });
    execFileSync('tar', ['-xzf', archives[name].archive, '--strip-components=1', '-C', own]);
    for (const needs of Object.keys(readManifest(join(own, 'package.json')).dependencies)) needed.add(needs);
  }
  for (const name of needed) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(resolve('node_modules', name), join(modules, name));
  }
  return project;
}

const projectOfPage = makeProject('sign-elements');

/** The bundle that esbuild makes of a page's script. */
async function bundle(
  script: string,
  conditions: string[] = [],
  external: string[] = [],
): Promise<Pick<BuildFailure, 'errors'> & Partial<BuildResult>> {
  return build({
    stdin: { contents: script, resolveDir: projectOfPage },
    ...{ bundle: true, format: 'esm', outdir: join(projectOfPage, 'out'), splitting: true },
    ...{ write: false, logLevel: 'silent', conditions, external },
  }).catch((failure: BuildFailure) => failure);
}
const bundled = async (script: string): Promise<string[]> =>
  (await bundle(script)).errors.map(({ text }) => text);

const packages = ['hls.js', 'lit', 'zod'];
const everything = [...tags.map((tag) => `define/${tag}`), 'define', 'client'].map(
  (name) => `sign-elements/${name}`,
);

test('a server imports what was packed, and Rollup bundles it without a warning about it', async () => {
  const file = join(projectOfPage, 'main.mjs');
  const imports = [...everything, 'sign-elements'].map((name) => `import '${name}';\n`).join('');
  writeFileSync(file, `${imports}export { configure, SignTranslate } from 'sign-elements';\n`);
  execFileSync(process.execPath, [file]);
  const warnings: string[] = [];
  const bundle = await rollup({
    input: file,
    // Rollup takes many seconds for the dependencies, which the next test bundles with esbuild.
    external: (id) => packages.some((name) => `${id}/`.startsWith(`${name}/`)),
    plugins: [nodeResolve({ browser: true })],
    onwarn: ({ id, ids, message }) => {
      if ([id, ...(ids ?? [])].some((of) => of?.includes('sign-elements/dist'))) warnings.push(message);
    },
  });
  const { output } = await bundle.generate({ dir: join(projectOfPage, 'out') });
  await bundle.close();
  assert.deepEqual(output[0].exports, ['SignTranslate', 'configure']);
  assert.deepEqual(warnings, []);
});

test('a project without Shaka bundles every entry except DASH, which names the package that it needs', async () => {
  const imports = everything.map((name) => `import '${name}';`).join('');
  assert.deepEqual(await bundled(`${imports} import 'sign-elements';`), []);
  const [missing, ...others] = await bundled("import 'sign-elements/dash';");
  assert.match(missing!, /Could not resolve "shaka-player\//);
  assert.deepEqual(others, []);
});

test('under the condition `development` a bundle reports mistakes on a tag in words, and without it the bundle has none of that code', async () => {
  for (const conditions of [['development'], []]) {
    const { outputFiles } = await bundle(
      "import 'sign-elements/define/sign-translate';",
      conditions,
      packages,
    );
    const hasWarnings = outputFiles?.some(({ text }) => text.includes('Did you mean'));
    assert.equal(hasWarnings, conditions.length > 0);
  }
});

test('the packed sandbox signs a text for the packed sign-prepare, in a folder outside the repository', async () => {
  const project = makeProject('sign-elements-proxy', 'sign-elements-sandbox');
  const bin = (name: string): string => join(project, 'node_modules', name);
  const { PATH } = process.env;
  const service = spawn(process.execPath, [bin('sign-elements-sandbox/main.js')], { env: { PATH } });
  try {
    const [line] = (await once(createInterface(service.stdout), 'line')) as [string];
    const { apiUrl, apiKey } = JSON.parse(line) as { apiUrl: string; apiKey: string };
    writeFileSync(join(project, 'texts.txt'), 'Come in.');
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [bin('sign-elements-proxy/sign-prepare.js'), 'texts.txt'],
      { cwd: project, encoding: 'utf8', env: { PATH, SIGN_API_URL: apiUrl, SIGN_API_KEY: apiKey } },
    );
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^1 signed/m);
  } finally {
    service.kill();
    await once(service, 'exit');
  }
});

/** Runs a tool of node_modules, which exits with 0 when it finds nothing wrong, and else prints why. */
function accepts(tool: string, args: string[]): void {
  const { status, stdout, stderr } = spawnSync(join('node_modules/.bin', tool), args, { encoding: 'utf8' });
  assert.equal(status, 0, `${stdout}${stderr}`);
}

for (const [name, { archive }] of Object.entries(archives)) {
  test(`publint finds nothing wrong with ${name}`, () => accepts('publint', ['run', archive, '--strict']));
}

test('the types of every JavaScript entry point resolve wherever ES modules are imported', () => {
  const untyped = ['./cdn/*', './custom-elements.json', './package.json'];
  accepts('attw', [elements.archive, '--profile', 'esm-only', '--exclude-entrypoints', ...untyped]);
  accepts('attw', [proxy.archive, '--profile', 'esm-only']);
});
