// Builds dist/: both packages, the sandbox and the demo.
// - What npm delivers stays unbundled, so that a site has one copy of lit.
// - What a page loads by script tag is one small file with lazy chunks beside it (.rollup/cdn.mjs).
// - The proxy is a package of its own; the sandbox and the demo are programs for this repository only.
// - Types are checked and declared by `tsc -b`, which runs before; here they are only removed.
// - A warning fails the build.
import { chmodSync, cpSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import clean from 'rollup-plugin-delete';
import { cdn, classic } from './.rollup/cdn.mjs';
import { compile, isBare, isOneOf, json, onLog, packageOf, resolver, root } from './.rollup/common.mjs';
import { declarations } from './.rollup/declarations.mjs';

const installed = { ...root.devDependencies, ...root.dependencies };
const peers = Object.keys(root.peerDependencies);

const npmEntries = [
  'index',
  'define',
  'client',
  'dash',
  'react',
  ...readdirSync('src/define').map((file) => `define/${file.replace(/\.ts$/, '')}`),
];

/** Under the package condition `development`; their types are those of the entries that they stand for. */
const developmentEntries = [
  'define',
  'react',
  ...npmEntries.filter((entry) => entry.startsWith('define/')),
].map((entry) => `development/${entry}`);

const templateTypes = ['vue', ...['preact', 'react', 'solid', 'svelte'].map((name) => `types/${name}`)];

const npm = {
  input: [...npmEntries, ...developmentEntries].map((entry) => `src/${entry}.ts`),
  external: isOneOf([...Object.keys(root.dependencies), ...peers]),
  plugins: [
    clean({ targets: 'dist', runOnce: true }),
    compile(),
    resolver(),
    declarations('src', [...npmEntries, ...templateTypes]),
  ],
  output: {
    dir: 'dist',
    format: 'es',
    preserveModules: true,
    preserveModulesRoot: resolve('src'),
    // Next.js renders what is imported from here in the browser too.
    banner: ({ name }) => (/^(development\/)?react$/.test(name) ? "'use client';" : ''),
    sourcemap: true,
  },
  onLog,
};

/** Packages that the written chunks import, with the version this repository has installed and tested. */
function importedPackages(bundle) {
  const ids = Object.values(bundle).flatMap((chunk) => [
    ...(chunk.imports ?? []),
    ...(chunk.dynamicImports ?? []),
  ]);
  const isPackage = (id) => isBare(id) && !id.startsWith('node:') && !bundle[id];
  const names = new Set(ids.filter(isPackage).map(packageOf));
  const stray = [...names].filter((name) => !installed[name]);
  if (stray.length > 0) throw new Error(`not among the repository's own dependencies: ${stray.join(', ')}`);
  return Object.fromEntries([...names].sort().map((name) => [name, installed[name]]));
}

const proxyEntries = {
  index: 'proxy/index.ts',
  main: 'proxy/main.ts',
  'config-process': 'proxy/config-process.ts',
  'sign-prepare': 'proxy/prepare/main.ts',
};

/** What other programs may import of a program; it is never bundled into them. */
const facades = new Map([
  [resolve('proxy/index.ts'), '../proxy/index.js'],
  [resolve('demo/sandbox/index.ts'), '../sandbox/index.js'],
]);

/** A program for Node: its entries, by file name, and what they share; every package and other program's facade outside. */
function program(folder, input, plugins) {
  const own = new Set(Object.values(input).map((file) => resolve(file)));
  const outside = (id) => facades.has(id) && !own.has(id);
  return {
    input,
    external: (id) => (isBare(id) && !Object.hasOwn(input, id) && !own.has(resolve(id))) || outside(id),
    plugins: [compile(), ...plugins],
    output: {
      dir: `dist/${folder}`,
      format: 'es',
      chunkFileNames: '[name].js',
      paths: (id) => (outside(id) ? facades.get(id) : id),
      sourcemap: true,
    },
    onLog,
  };
}

/** The rest of the package sign-elements-proxy, made where its dependencies are known. */
const proxyPackage = {
  name: 'proxy-package',
  generateBundle(options, bundle) {
    const manifest = { ...json('proxy/package.json'), version: root.version };
    const source = JSON.stringify({ ...manifest, dependencies: importedPackages(bundle) }, null, 2);
    this.emitFile({ type: 'asset', fileName: 'package.json', source: `${source}\n` });
    this.emitFile({ type: 'asset', fileName: 'LICENSE', source: readFileSync('LICENSE') });
    this.emitFile({ type: 'asset', fileName: 'README.md', source: readFileSync('proxy/README.md') });
  },
  writeBundle({ dir }) {
    cpSync('dist/cdn', join(dir, 'cdn'), { recursive: true, filter: (file) => !file.endsWith('.map') });
    cpSync('proxy/prepare/review', join(dir, 'review'), { recursive: true });
    for (const bin of ['main.js', 'sign-prepare.js']) chmodSync(join(dir, bin), 0o755);
  },
};

/** The package sign-elements-sandbox: for those who build pages, so that they need no clone and no account. */
const sandboxPackage = {
  name: 'sandbox-package',
  generateBundle(options, bundle) {
    const manifest = { ...json('demo/sandbox/package.json'), version: root.version };
    const source = JSON.stringify({ ...manifest, dependencies: importedPackages(bundle) }, null, 2);
    this.emitFile({ type: 'asset', fileName: 'package.json', source: `${source}\n` });
    for (const [fileName, file] of [
      ['LICENSE', 'LICENSE'],
      ['README.md', 'demo/sandbox/README.md'],
      ['ASSUMPTIONS.md', 'demo/sandbox/ASSUMPTIONS.md'],
    ])
      this.emitFile({ type: 'asset', fileName, source: readFileSync(file) });
  },
  writeBundle: ({ dir }) => chmodSync(join(dir, 'main.js'), 0o755),
};

/** Threads and processes of the sandbox are files of their own. */
const sandboxEntries = readdirSync('demo/sandbox', { recursive: true })
  .filter((file) => /^(index|main)\.ts$|-(worker|process)\.ts$/.test(file))
  .map((file) => file.replace(/\.ts$/, ''));

const pages = {
  name: 'pages',
  writeBundle: () => cpSync('demo/pages', 'dist/demo/pages', { recursive: true }),
};

export default [
  npm,
  classic,
  cdn,
  program('proxy', proxyEntries, [declarations('proxy', ['index']), proxyPackage]),
  program('sandbox', Object.fromEntries(sandboxEntries.map((name) => [name, `demo/sandbox/${name}.ts`])), [
    sandboxPackage,
  ]),
  program('demo', { main: 'demo/main.ts' }, [pages]),
];
