// The size of every script and style sheet that a page may load, compressed with Brotli and without headers.
// - `npm run bench bytes` measures them in a browser.
// - A commit that makes a script larger on purpose also raises its limit here.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import test from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { filesIn } from './source-files.ts';

const scripts = filesIn(['dist/cdn'], ['.js']);
const sizeOf = (file: string): number => readFileSync(`${file}.br`).length;
const nameOf = (file: string): string => basename(file, '.js').replace(/-[0-9a-f]{6}$/, '');

function withStaticImports(file: string, reached = new Set<string>()): Set<string> {
  if (reached.has(file)) return reached;
  reached.add(file);
  for (const [, specifier] of readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*"(\.[^"]+)"/g)) {
    withStaticImports(join(dirname(file), specifier as string), reached);
  }
  return reached;
}

const chunk = (name: string): string => {
  const [file, ...more] = scripts.filter((script) => new RegExp(`/${name}-[0-9a-f]+\\.js$`).test(script));
  assert.ok(file && more.length === 0, `one chunk ${name}`);
  return file;
};

const budgets = [
  { what: 'what loads with the page', entries: () => [], bytes: 16_000, requests: 2 },
  {
    what: 'all up to the end of the first sign over V3',
    entries: () => [chunk('session'), chunk('clips')],
    bytes: 52_000,
    requests: 6,
  },
];

for (const { what, entries, bytes, requests } of budgets) {
  test(`${what} is at most ${bytes} bytes in ${requests} requests`, (t) => {
    const files = new Set<string>();
    for (const entry of ['dist/cdn/sign-elements.js', ...entries()]) withStaticImports(entry, files);
    const sum = [...files].reduce((sum, file) => sum + sizeOf(file), 0);
    t.diagnostic(`${sum} bytes brotli in ${files.size} files`);
    assert.ok(sum <= bytes, `${sum} bytes`);
    assert.ok(files.size <= requests, `${files.size} files`);
  });
}

/** The most bytes of each script. hls.js and Shaka are loaded only when a stream needs them. */
const limits: Readonly<Record<string, number>> = {
  'hls.min': 166_000,
  'shaka-player.dash-es2021': 161_000,
  'hls.light.min': 110_000,
  common: 26_000,
  shared: 18_000,
  'page-reading': 19_700,
  session: 9_100,
  'stream-player': 8_770,
  'closed-panel': 2_600,
  panel: 6_800,
  'live-controller': 6_600,
  clips: 4_400,
  'chroma-key-canvas': 3_800,
  generate: 3_450,
  'announcement-controller': 3_300,
  'control-bar': 3_000,
  'silence-segment': 2_700,
  'rest-client': 2_600,
  'silence-controller': 2_600,
  'sign-elements.classic': 2_650,
  'stream-presenter': 2_200,
  'prepared-clips': 1_800,
  'loop-renderer': 1_500,
  'dash-engine': 1_500,
  'rest-transport': 1_400,
  ar: 1_300,
  ticket: 1_300,
  cy: 1_300,
  de: 1_200,
  fr: 1_200,
  pt: 1_200,
  es: 1_200,
  'idle-signer': 1_000,
  glossary: 600,
  'silence-files': 900,
  'find-url': 1_100,
  'find-proxy': 700,
  'clip-label': 700,
  'queue-view': 1_700,
  'silence-loop': 600,
  'native-engine': 700,
  'wait-notice': 500,
  'sign-elements': 500,
  languages: 500,
  'place-signers': 630,
};

test('every script has a limit, and every limit has a script', () => {
  assert.deepEqual(scripts.map(nameOf).sort(), Object.keys(limits).sort());
});

test('every script is at most as large as its limit', () => {
  const over = scripts.filter((file) => !(sizeOf(file) <= limits[nameOf(file)]!));
  assert.deepEqual(
    over.map((file) => `${nameOf(file)}: ${sizeOf(file)} bytes`),
    [],
  );
});

test('the style sheet is at most 300 bytes', () => {
  const [sheet, ...others] = filesIn(['dist/cdn'], ['.css']);
  assert.deepEqual(others, []);
  const { length } = brotliCompressSync(readFileSync(sheet!));
  assert.ok(length <= 300, `${length} bytes`);
});
