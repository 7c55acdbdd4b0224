// Compiles the node tests to JavaScript once, so that no test process must do it. Each process gets a bundle; modules that
// processes share are in chunks.
// - The tests of one folder run in one process, one file after the other, because most of them take less time than a process
//   takes to start. A file with hooks before or after each of its tests, or before all, runs alone, as do those of ALONE.
// - A process that does not end after its last test is ended and has failed (ends.mjs).
// - Source maps name the file of each test, so that reports do too.
// - Packages and dist/ stay outside.
// - A module still sees its own address in `import.meta.url`, so that files beside it are found.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const folder = '.build/tests';
const dist = resolve('dist');

const addresses = {
  name: 'addresses',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /\/dist\// }, ({ path, resolveDir, pluginData }) => {
      if (!path.startsWith('.') || pluginData) return null;
      const file = resolve(resolveDir, path);
      return file.startsWith(`${dist}/`) ? { path: file, external: true } : null;
    });
    onLoad({ filter: /\.(ts|mjs)$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const contents = text
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)));
      return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' };
    });
  },
};

/** Folders that share a process with their subfolders. */
const WIDE = /^test\/(?:elements|internal|playback(?!\/(?:live|mp4)\/)|protocol|session|strings)\b/;
/** Files that run alone: they take long, so that others would have to wait, check their whole process, or open pages. */
const ALONE = [
  /^test\/(?:conformance|page|players)\//,
  /^test\/(?:demo\/start|package\/(?:packed|release)|playback\/mp4\/media-source|secrets\/scan)\./,
  /^test\/proxy\/(?:program|sandbox\/live-sandbox|sites\/many-sites|hostile\/(?:backlog|slow))\./,
  /^test\/proxy\/(?:prepare\/(?:full-disk|hostile-pages|person-video|review)|replicas\/\w+)\./,
  /^test\/sandbox\/(?:accounts|main|sandbox|media\/(?:clip-encoding|encode-pool|file-kinds))\./,
  /^test\/session\/rest\/rest-end-to-end\./,
  /^test\/sandbox\/live\/(?:media\/(?:freed|pulled-source|pushed-source)|source\/source-probe)\./,
];
/** Processes that take longest begin first, so that none of them is left alone at the end. */
const FIRST = [
  /page\/(?:keyboard-focus|offline|together-\d)\./,
  /(?:players\/hls-shapes|page\/(?:demo|load-code|appearance))\./,
  /page\/(?:autoplay-refused|event|real-pages|ticket)\./,
  /conformance\/(?:live|live-sources)\./,
  /(?:package\/packed|demo\/start|conformance\/announcements|proxy\/program)\./,
  /(?:live-sandbox|conformance\/translation|media\/freed|package\/release|prepare\/hostile-pages)\./,
  /(?:session|proxy\/(?:routes|shared|sites)|sandbox\/live\/media)\/together$/,
  /(?:source-probe|many-sites|person-video|backlog|full-disk|pulled-source|pushed-source)\./,
];
const placeOf = (name) => {
  const at = FIRST.findIndex((first) => first.test(`${name}.`) || first.test(name));
  return at < 0 ? FIRST.length : at;
};

/** Short files with pages share these processes, of about equal length: to load what each needs takes 0.6 s of a core. */
const PAGES = [
  /^test\/page\/(?:markup-samples|samples|static-edition|style-samples)\./,
  /^test\/page\/(?:extension-points|frozen-built-ins|old-libraries|oldest-dependencies|one-copy)\./,
  /^test\/page\/(?:integrators|policies|secrets|silent-code|swapped-pages)\./,
  /^test\/page\/(?:by-keys-or-fingers|checkers|documentation|layout-shift|script-tag)\./,
];

const hasHooks = (file) => /^(before|(before|after)Each)\(/m.test(readFileSync(file, 'utf8'));

/** Name of the process that runs a file. */
function processOf(file) {
  const pages = PAGES.findIndex((one) => one.test(file));
  if (pages >= 0) return `test/page/together-${pages}`;
  if (ALONE.some((alone) => alone.test(file)) || hasHooks(file)) return file.replace(/\.ts$/, '');
  return `${WIDE.exec(file)?.[0] ?? dirname(file)}/together`;
}

/** The files by the process that runs them. */
function processesOf(files) {
  const processes = new Map();
  for (const file of files) {
    const key = processOf(file);
    processes.set(key, [...(processes.get(key) ?? []), file]);
  }
  return processes;
}

const together = (processes) => ({
  name: 'together',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^process:/ }, ({ path }) => ({
      path: path.slice('process:'.length),
      namespace: 'process',
    }));
    onLoad({ filter: /./, namespace: 'process' }, ({ path }) => ({
      contents: [
        `import { allLoaded } from ${JSON.stringify(resolve('test/running/ends.mjs'))};`,
        ...processes.get(path).map((file) => `import ${JSON.stringify(resolve(file))};`),
        'allLoaded();',
      ].join('\n'),
      resolveDir: resolve('.'),
    }));
  },
});

/**
 * @param {readonly string[]} files of tests, from the repository's root
 * @returns {Promise<string[]>} what to run, each in a process of its own
 */
export async function compileTests(files) {
  const processes = processesOf(files);
  const names = [...processes.keys()].sort((one, other) => placeOf(one) - placeOf(other));
  await build({
    entryPoints: names.map((name) => ({ in: `process:${name}`, out: name })),
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    // `sideEffects` of package.json is about dist/.
    ignoreAnnotations: true,
    sourcemap: true,
    // Node would read the maps of all files that it loads.
    sourcesContent: false,
    logLevel: 'warning',
    plugins: [addresses, together(processes)],
  });
  return names.map((name) => `${folder}/${name}.js`);
}
