// The files that a page loads by script tag.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import test from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { isHashed } from '../../proxy/routes/elements.ts';
import { elementScripts } from './built-files.ts';
import { filesIn, importsOf } from './source-files.ts';

const scripts = filesIn(['dist/cdn'], ['.js']);
const chunks = scripts.filter((file) => file.startsWith('dist/cdn/chunks/'));

const nameOf = (file: string): string => basename(file, '.js').replace(/-[0-9a-f]{6}$/, '');

test('there are entries and chunks', () => {
  assert.ok(chunks.length > 0 && scripts.length > chunks.length, `${chunks.length} of ${scripts.length}`);
});

test('every script has compressed copies with the same content', () => {
  for (const file of scripts) {
    const plain = readFileSync(file);
    assert.deepEqual(brotliDecompressSync(readFileSync(`${file}.br`)), plain, `${file}.br`);
    assert.deepEqual(gunzipSync(readFileSync(`${file}.gz`)), plain, `${file}.gz`);
  }
});

test('a chunk that loads others can ask for them under another address, because some browsers keep a failed import(); but for languages and Shaka', () => {
  const importing = chunks.filter((file) => /\bimport\(/.test(readFileSync(file, 'utf8')));
  assert.deepEqual(importing.map(nameOf), ['dash-engine', 'languages', 'shared']);
});

test('integrity.json has the hash of every script and of the style sheet, for the attribute `integrity`', () => {
  const hashes = JSON.parse(readFileSync('dist/cdn/integrity.json', 'utf8')) as Record<string, string>;
  const files = Object.keys(hashes).map((file) => join('dist/cdn', file));
  assert.deepEqual(files.sort(), [...scripts, 'dist/cdn/sign-elements.css'].sort());
  for (const [file, hash] of Object.entries(hashes)) {
    const digest = createHash('sha384')
      .update(readFileSync(join('dist/cdn', file)))
      .digest('base64');
    assert.equal(hash, `sha384-${digest}`, file);
  }
});

test('every chunk has a name by which a proxy knows that the file never changes', () => {
  const names = chunks.map((file) => file.replace('dist/cdn/', ''));
  assert.deepEqual(
    names.filter((name) => !isHashed(name)),
    [],
  );
});

test('every script has a source map that holds the sources', () => {
  for (const file of scripts) {
    const { sourcesContent } = JSON.parse(readFileSync(`${file}.map`, 'utf8')) as {
      sourcesContent: unknown[];
    };
    assert.ok(sourcesContent.length > 0 && !sourcesContent.includes(null), file);
    assert.match(readFileSync(file, 'utf8'), /\n\/\/# sourceMappingURL=[\w.-]+\.map\n?$/, file);
  }
});

test('a player is the file that its maker minified, unchanged, but for the exports of Shaka', () => {
  const codeOf = (file: string) =>
    readFileSync(file, 'utf8').replace(/\s*\/\/# sourceMappingURL=\S+\s*$/, '');
  for (const [name, file] of [
    ['hls.light.min', 'hls.js/dist/hls.light.min.mjs'],
    ['hls.min', 'hls.js/dist/hls.min.mjs'],
    ['shaka-player.dash-es2021', 'shaka-player/dist/shaka-player.dash-es2021.js'],
  ] as const) {
    const chunk = chunks.find((path) => path.includes(`/${name}-`));
    assert.ok(chunk, name);
    assert.ok(codeOf(chunk).includes(codeOf(`node_modules/${file}`)), name);
  }
});

test('every import is relative and its file exists', () => {
  for (const file of scripts) {
    for (const specifier of importsOf(file)) {
      assert.match(specifier, /^\.\.?\//, `${file} imports ${specifier}`);
      assert.ok(existsSync(join(dirname(file), specifier)), `${file} imports ${specifier}`);
    }
  }
});

test('no chunk names the entry, which a proxy serves as elements.js', () => {
  for (const file of chunks) {
    assert.ok(!importsOf(file).some((specifier) => specifier.includes('sign-elements')), file);
  }
});

test('the licences of all bundled packages are in licences.txt, and none is a GPL', () => {
  const licences = readFileSync('dist/cdn/licences.txt', 'utf8');
  const heads = [...licences.matchAll(/^(\S+) \d+\.\d+\.\d+ \((.+)\)$/gm)];
  assert.ok(heads.some(([, name]) => name === 'lit-html'));
  assert.ok(heads.some(([, name]) => name === 'zod'));
  for (const [head, , licence] of heads) assert.doesNotMatch(licence as string, /GPL/, head);
});

/** Addresses that are in the code as names or in messages for developers, and are never loaded. */
const names = [
  ...['www.w3.org', 'json-schema.org', 'aomedia.org/emsg', 'dashif.org', 'www.smpte-ra.org/schemas'],
  ...['developer.apple.com/streaming/emsg-id3', 'www.apache.org/licenses'],
  // From Shaka, the explanation of a message about a browser's bug.
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
