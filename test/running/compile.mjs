// Compiles the node tests to JavaScript once, so that no test process has to: each process gets a bundle, with what it shares
// with others in chunks.
// - The small tests of one folder run in one process, one file after the other, because most of them take less time than a process
//   takes to start. A file with hooks for all of its tests (`before` at its top) runs alone.
// - Source maps name the file of each test, so that verdicts do too.
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

/** Folders whose files share a process. */
const SHARED =
  /^(test\/(?:elements|internal|playback(?!\/mp4)|protocol|session|strings|sandbox\/(?:announcements|live(?!\/(?:media|source))|painter|streams|translation|v3)))\b/;
const hasHooks = (file) => /^(before|after)(Each)?\(/m.test(readFileSync(file, 'utf8'));

/** The files by the process that runs them. */
function processesOf(files) {
  const processes = new Map();
  for (const file of files) {
    const name = hasHooks(file) ? undefined : SHARED.exec(file)?.[1];
    const key = name ? `${name}/together` : file.replace(/\.ts$/, '');
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
      contents: processes
        .get(path)
        .map((file) => `import ${JSON.stringify(resolve(file))};`)
        .join('\n'),
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
  const names = [...processes.keys()];
  await build({
    entryPoints: names.map((name) => ({ in: `process:${name}`, out: name })),
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    // `sideEffects` of package.json speaks of dist/.
    ignoreAnnotations: true,
    sourcemap: true,
    logLevel: 'warning',
    plugins: [addresses, together(processes)],
  });
  return names.map((name) => `${folder}/${name}.js`);
}
