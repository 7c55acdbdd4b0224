// The bundles of dist/ out of the JavaScript that `tsc -b` left in .build/. Policy: what npm delivers stays unbundled,
// so that a site has one copy of lit; what a page loads by script tag is one small file with lazy chunks beside it; the
// proxy is one package of its own. A warning fails the build. Nothing here compiles: types and syntax are tsc's.
import { chmodSync, cpSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import nodeResolve from '@rollup/plugin-node-resolve';
import terser from '@rollup/plugin-terser';

const json = (file) => JSON.parse(readFileSync(file, 'utf8'));
const root = json('package.json');
const installed = { ...root.devDependencies, ...root.dependencies };
const peers = Object.keys(root.peerDependencies);

const built = (path) => resolve('.build', path);
/** `lit` of `lit/directives/if-defined.js`, `@lit/react` of `@lit/react/use-controller.js`. */
const packageOf = (id) => id.split('/', id.startsWith('@') ? 2 : 1).join('/');
const isBare = (id) => !/^[./\0]/.test(id);
const isOneOf = (names) => (id) => isBare(id) && names.includes(packageOf(id));

/** zod's circular imports and misplaced annotations are its own and harmless; anything else is ours to mend. */
function onLog(level, log, report) {
  const zodsOwn = ['CIRCULAR_DEPENDENCY', 'INVALID_ANNOTATION'].includes(log.code);
  if (zodsOwn && [log.id, ...(log.ids ?? [])].some((id) => id?.includes('/node_modules/zod/'))) return;
  report(level === 'warn' ? 'error' : level, log);
}

/** `sideEffects` of package.json speaks of dist/, so it is not asked about .build/. */
const resolver = () =>
  nodeResolve({ browser: true, exportConditions: ['production'], ignoreSideEffectsForRoot: true });

/** Empties dist/ first: hashed chunks of earlier builds would pile up. */
const clean = { name: 'clean', buildStart: () => rmSync('dist', { recursive: true, force: true }) };

/** Relative specifiers of a declaration file. */
const declared = /(from\s+|import\(|import\s+)(['"])(\.{1,2}\/[^'"]+?)\.ts\2/g;

/** Copies the declarations of the entries, and of all that they name, from .build/; `.ts` in them becomes `.js`. */
function declarations(directory, entries) {
  const emit = (context, file, done) => {
    if (done.has(file)) return;
    done.add(file);
    const source = readFileSync(existsSync(built(file)) ? built(file) : file, 'utf8');
    for (const [, , , path] of source.matchAll(declared)) {
      emit(context, join(dirname(file), `${path}.d.ts`), done);
    }
    const rewritten = source.replace(declared, '$1$2$3.js$2');
    context.emitFile({ type: 'asset', fileName: relative(directory, file), source: rewritten });
  };
  return {
    name: 'declarations',
    generateBundle() {
      const done = new Set();
      for (const entry of entries) emit(this, `${directory}/${entry}.d.ts`, done);
    },
  };
}

/** The licence texts of the packages that a bundle contains, as their licences ask. */
function licences(ids) {
  const folder = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)(?=\/)/;
  const folders = new Set([...ids].map((id) => folder.exec(id)?.[0]).filter((found) => found !== undefined));
  return [...folders].sort().map((path) => {
    const { name, version, license } = json(join(path, 'package.json'));
    const text = readdirSync(path).find((file) => /^licen[cs]e(\.|$)/i.test(file));
    if (!text) throw new Error(`${name} is bundled and has no licence text`);
    return `${name} ${version} (${license})\n\n${readFileSync(join(path, text), 'utf8').trim()}\n`;
  });
}

const npmEntries = [
  'index',
  'define',
  'client',
  ...readdirSync('src/define').map((file) => `define/${file.replace(/\.ts$/, '')}`),
];

const npm = {
  input: npmEntries.map((entry) => built(`src/${entry}.js`)),
  external: isOneOf([...Object.keys(root.dependencies), ...peers]),
  plugins: [clean, resolver(), declarations('src', [...npmEntries, 'react', 'vue'])],
  output: { dir: 'dist', format: 'es', preserveModules: true, preserveModulesRoot: built('src') },
  onLog,
};

/** One file with @lit/react inside; our own modules stay where the npm build put them. */
const react = {
  input: built('src/react.js'),
  external: (id) => isOneOf(peers)(id) || (id !== built('src/react.js') && id.startsWith(built('src'))),
  plugins: [
    resolver(),
    {
      name: 'licence-comment',
      renderChunk: (code, chunk) => ({
        code: licences(chunk.moduleIds)
          .map((text) => `/*!\n${text}*/\n`)
          .concat(code)
          .join(''),
        map: null,
      }),
    },
  ],
  output: {
    file: 'dist/react.js',
    format: 'es',
    paths: (id) => (isBare(id) ? id : `./${relative(built('src'), id)}`),
  },
  onLog,
};

const { renderChunk: terse, ...terserPlugin } = terser({
  ecma: 2022,
  module: true,
  compress: { passes: 3 },
  format: { comments: false },
});
/** Players as their makers minified them: to do it once more takes ten times as long as all the rest and gains nothing. */
const dash = 'shaka-player/dist/shaka-player.dash-es2021.js';
const players = new Map([
  ['hls.js/light', resolve('node_modules/hls.js/dist/hls.light.min.mjs')],
  ['hls.js', resolve('node_modules/hls.js/dist/hls.min.mjs')],
  [dash, resolve('node_modules', dash)],
]);
const minified = new Set(players.values());
const minify = () => ({
  ...terserPlugin,
  resolveId: (id) => players.get(id) ?? null,
  renderChunk(code, chunk, ...rest) {
    return chunk.moduleIds.some((id) => minified.has(id)) ? null : terse.call(this, code, chunk, ...rest);
  },
});
/** Style sheets without the white space that only their readers need. */
const styles = {
  name: 'styles',
  transform: (code, id) =>
    id.includes('/src/elements/')
      ? { code: code.replace(/(?<=css `)[^`$]*(?=`)/g, (css) => css.replace(/\s+/g, ' ')), map: null }
      : null,
};
/** They loop over inherited members too; old scripts give every object of a page some, which then count as a schema's. */
const loopsOverAll = /\/node_modules\/(zod|hls\.js|shaka-player)\//;
const loop = /for ?\((const|let|var) ([\w$]+) in ([^()]+)\)/g;
const ownMembers = {
  name: 'own-members',
  transform: (code, id) =>
    loopsOverAll.test(id) ? { code: code.replace(loop, 'for($1 $2 of Object.keys($3||{}))') } : null,
};
/** Says where others' parts were changed, as two of their licences ask. */
const banner = ({ moduleIds }) => {
  const change = moduleIds.some((id) => loopsOverAll.test(id)) ? ', changed to loop over own members' : '';
  return `/*! ${root.name} ${root.version}, MIT; other authors' parts${change}: licences.txt */`;
};

const classic = {
  input: 'src/cdn.classic.js',
  plugins: [minify()],
  output: { file: 'dist/cdn/sign-elements.classic.js', format: 'iife' },
  onLog,
};

/** All modules that `ids` import statically, themselves included. */
function closure(ids, getModuleInfo) {
  const reached = new Set();
  const queue = [...ids];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    queue.push(...getModuleInfo(id).importedIds);
  }
  return reached;
}

/**
 * What the entry shares with a lazy chunk gets a chunk of its own. Otherwise the lazy chunk would import the entry by
 * its name here, and a proxy, which serves the entry as elements.js, would deliver a second copy of everything.
 */
function sharedChunk(id, { getModuleInfo }) {
  const all = closure([built('src/cdn.js')], getModuleInfo);
  const lazy = new Set();
  for (const found of all) for (const target of getModuleInfo(found).dynamicallyImportedIds) lazy.add(target);
  return all.has(id) && closure(lazy, getModuleInfo).has(id) ? 'shared' : null;
}

/** Best compression, done once here, so that a server need not do it at each request. */
function compress(directory) {
  for (const entry of readdirSync(directory, { recursive: true })) {
    if (!entry.endsWith('.js')) continue;
    const file = join(directory, entry);
    const bytes = readFileSync(file);
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  }
}

/**
 * What lit's browser build reads while it is evaluated and its elements are defined. With these in the module's own
 * scope the file can be imported where there is no page (a server that renders), and no global is made.
 */
const noPage = [
  'const HTMLElement=globalThis.HTMLElement??class{}',
  'CSSStyleSheet=globalThis.CSSStyleSheet??class{}',
  'document=globalThis.document??{createTreeWalker:()=>({})};',
].join();

const cdn = {
  input: { 'sign-elements': built('src/cdn.js') },
  plugins: [
    styles,
    ownMembers,
    minify(),
    resolver(),
    {
      name: 'cdn-files',
      renderChunk: (code, chunk) => ({ code: `${banner(chunk)}\n${code}`, map: null }),
      generateBundle() {
        const source = licences(this.getModuleIds()).join(`\n${'-'.repeat(80)}\n`);
        this.emitFile({ type: 'asset', fileName: 'licences.txt', source });
      },
      writeBundle: ({ dir }) => compress(dir),
    },
  ],
  output: {
    dir: 'dist/cdn',
    format: 'es',
    chunkFileNames: 'chunks/[name]-[hash].js',
    hashCharacters: 'hex',
    manualChunks: sharedChunk,
    intro: (chunk) => (chunk.moduleIds.some((id) => id.includes('/node_modules/@lit/')) ? noPage : ''),
  },
  onLog,
};

/** Packages that the written chunks import, with the version this repository has installed and tested. */
function importedPackages(bundle) {
  const ids = Object.values(bundle).flatMap((chunk) => [
    ...(chunk.imports ?? []),
    ...(chunk.dynamicImports ?? []),
  ]);
  const names = new Set(ids.filter((id) => isBare(id) && !id.startsWith('node:')).map(packageOf));
  const stray = [...names].filter((name) => !installed[name]);
  if (stray.length > 0) throw new Error(`not among the repository's own dependencies: ${stray.join(', ')}`);
  return Object.fromEntries([...names].sort().map((name) => [name, installed[name]]));
}

/** What other programs may import of a program; it is never bundled into them. */
const facades = ['proxy/index.js', 'demo/sandbox/index.js'];
const outputOf = (entry) => join('dist', entry.replace('demo/sandbox/', 'sandbox/'));

/** A program for Node: one file with our own modules, every package and every other program's facade outside. */
function program(entry, ...plugins) {
  const file = outputOf(entry);
  const outside = new Map(
    facades
      .filter((facade) => facade !== entry)
      .map((facade) => [built(facade), relative(dirname(file), outputOf(facade)).replace(/^(?!\.)/, './')]),
  );
  return {
    input: built(entry),
    external: (id) => isBare(id) || outside.has(id),
    plugins,
    output: { file, format: 'es', paths: (id) => outside.get(id) ?? id },
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
  writeBundle: () => cpSync('dist/cdn', 'dist/proxy/cdn', { recursive: true }),
};

const executable = { name: 'executable', writeBundle: ({ file }) => chmodSync(file, 0o755) };
const pages = {
  name: 'pages',
  writeBundle: () => cpSync('demo/pages', 'dist/demo/pages', { recursive: true }),
};

export default [
  npm,
  react,
  classic,
  cdn,
  program('proxy/index.js', declarations('proxy', ['index']), proxyPackage),
  program('proxy/main.js', executable),
  program('demo/sandbox/index.js'),
  program('demo/sandbox/media/encode-worker.js'),
  program('demo/sandbox/streams/stream-worker.js'),
  program('demo/sandbox/live/media/live-process.js'),
  program('demo/sandbox/live/source/look-process.js'),
  program('demo/sandbox/main.js'),
  program('demo/main.js', pages),
];
