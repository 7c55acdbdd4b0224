// Compiles the browser tests once: a page loads about ten files instead of about 250 modules, which took a fifth of the CPU time
// of all browser tests.
// - Modules that tests share are in chunks, and a module that is loaded with `import()` has a chunk of its own.
// - Shaka is not bundled, because it is no module and sets a global when it is loaded. Nor is what the runner serves itself.
// - Source maps name the file and line of a failure.
import { readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'esbuild';

const folder = '.build/pages';
/** The players as their makers minified them, as in dist/cdn, because each page then reads half as many bytes. */
const players = { 'hls.js': 'hls.js/dist/hls.min.mjs', 'hls.js/light': 'hls.js/dist/hls.light.min.mjs' };

/** Every file of browser tests, from the repository's root. */
export const pageFiles = () =>
  readdirSync('test', { recursive: true })
    .filter((file) => file.endsWith('.browser.ts'))
    .map((file) => join('test', file))
    .sort();

/** The path of the compiled file of a test. */
export const compiledPage = (file) => `${folder}/${file.replace(/\.ts$/, '.js')}`;

/** The source file of a test, from the repository's root, for the compiled file that the runner got. */
export const sourceOfPage = (file) => relative('', file).replace(/^\.build\/pages\/(.*)\.js$/, '$1.ts');

/** @param {readonly string[]} files of tests, from the repository's root */
export async function compilePages(files) {
  rmSync(folder, { recursive: true, force: true });
  await build({
    entryPoints: files.map((file) => ({ in: file, out: file.replace(/\.ts$/, '') })),
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    conditions: ['production'],
    alias: players,
    // chai-a11y-axe asks whether there is a `require` before it imports axe: a bundler then puts 917 kB into every page.
    define: { require: 'undefined' },
    external: ['/__web-dev-server__*', '@web/test-runner-commands', 'shaka-player', 'shaka-player/*'],
    // `sideEffects` of package.json is about dist/ and not about the sources.
    ignoreAnnotations: true,
    sourcemap: true,
    logLevel: 'warning',
  });
}
