// Compiles the node tests to JavaScript once, so that no test process has to: each file is a bundle with what it shares with
// others in chunks.
// - Packages and dist/ stay outside.
// - A module still sees its own address in `import.meta.url`, so that files beside it are found.
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

/**
 * @param {readonly string[]} files of tests, from the repository's root
 * @returns {Promise<Map<string, string>>} what to run for each
 */
export async function compileTests(files) {
  await build({
    entryPoints: [...files],
    outdir: folder,
    outbase: '.',
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
    plugins: [addresses],
  });
  return new Map(files.map((file) => [file, `${folder}/${file.replace(/\.ts$/, '.js')}`]));
}
