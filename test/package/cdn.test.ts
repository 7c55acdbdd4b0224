// The files that a page loads by script tag.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { elementScripts } from './built-files.ts';
import { filesIn, importsOf } from './source-files.ts';

/**
 * Bytes, brotli, of the entry and every chunk that it imports statically: what loads with the page, before anybody asks
 * for a sign.
 */
const BUDGET = 20_000;

const scripts = filesIn(['dist/cdn'], ['.js']);

function withStaticImports(file: string, reached = new Set<string>()): Set<string> {
  if (reached.has(file)) return reached;
  reached.add(file);
  for (const [, specifier] of readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*"(\.[^"]+)"/g)) {
    withStaticImports(join(dirname(file), specifier as string), reached);
  }
  return reached;
}

test('what joins clips on one timeline is a module of its own of at most 4 kB, gzip', () => {
  const [file, ...more] = scripts.filter((script) => /\/remux-[0-9a-f]+\.js$/.test(script));
  assert.ok(file && more.length === 0, 'one chunk');
  assert.ok(readFileSync(`${file}.gz`).length <= 4096, `${readFileSync(`${file}.gz`).length} bytes`);
});

test(`the entry and what it imports are at most ${BUDGET} bytes`, (t) => {
  const files = [...withStaticImports('dist/cdn/sign-elements.js')];
  const bytes = files.map((file) => readFileSync(`${file}.br`).length).reduce((sum, size) => sum + size);
  t.diagnostic(`${bytes} bytes brotli in ${files.length} files`);
  assert.ok(bytes <= BUDGET, `${bytes} bytes`);
});

test('every script lies there compressed as well, and both say the same', () => {
  assert.ok(scripts.length >= 2);
  for (const file of scripts) {
    const plain = readFileSync(file);
    assert.deepEqual(brotliDecompressSync(readFileSync(`${file}.br`)), plain, `${file}.br`);
    assert.deepEqual(gunzipSync(readFileSync(`${file}.gz`)), plain, `${file}.gz`);
  }
});

test('every import is relative and there', () => {
  for (const file of scripts) {
    for (const specifier of importsOf(file)) {
      assert.match(specifier, /^\.\.?\//, `${file} imports ${specifier}`);
      assert.ok(existsSync(join(dirname(file), specifier)), `${file} imports ${specifier}`);
    }
  }
});

test('nothing loops over what its objects inherit, which on an old page is more than it knows of', () => {
  for (const file of scripts) {
    assert.doesNotMatch(readFileSync(file, 'utf8'), /for ?\((const|let|var) [\w$]+ in /, file);
  }
});

test('no chunk names the entry, which a proxy serves as elements.js', () => {
  for (const file of scripts.filter((script) => script.includes('/chunks/'))) {
    assert.ok(!importsOf(file).some((specifier) => specifier.includes('sign-elements')), file);
  }
});

test('the licences of all that is bundled lie beside it, and none is a GPL', () => {
  const licences = readFileSync('dist/cdn/licences.txt', 'utf8');
  const heads = [...licences.matchAll(/^(\S+) \d+\.\d+\.\d+ \((.+)\)$/gm)];
  assert.ok(heads.some(([, name]) => name === 'lit'));
  assert.ok(heads.some(([, name]) => name === 'zod'));
  for (const [head, , licence] of heads) assert.doesNotMatch(licence as string, /GPL/, head);
});

/** Addresses that stand in the code as names or in messages for developers; nothing ever loads them. */
const names = [
  ...['www.w3.org', 'json-schema.org', 'aomedia.org/emsg', 'dashif.org', 'www.smpte-ra.org/schemas'],
  ...['developer.apple.com/streaming/emsg-id3', 'www.apache.org/licenses'],
  // Of Shaka: where a message about a browser's bug is explained.
  'bit.ly/3clctcj',
];
const isName = (address: string): boolean =>
  names.some((name) => new RegExp(`^https?://${name.replaceAll('.', '\\.')}(/|$)`).test(address));

test('no file that a browser loads names an address of a third party', () => {
  for (const file of elementScripts()) {
    const addresses = readFileSync(file, 'utf8').match(/https?:\/\/[\w.-]+\.[\w-]+[^\s"'`)]*/g) ?? [];
    assert.deepEqual(
      addresses.filter((address) => !isName(address)),
      [],
      file,
    );
  }
});
