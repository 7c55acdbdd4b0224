// The documents agree with the code.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { SignTranslate } from '../../dist/index.js';
import { ownErrors } from '../../src/protocol/sign-error.ts';

const files = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'proxy/README.md'],
  ...readdirSync('docs').map((name) => `docs/${name}`),
];
const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
const elements = texts.get('docs/elements.md')!;
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

/** The rows of the first table of docs/elements.md whose first heading is this, cells trimmed and without backquotes. */
function table(heading: string): string[][] {
  const lines = elements.split('\n');
  const start = lines.findIndex((line) => line.startsWith('|') && line.split('|')[1]?.trim() === heading);
  assert.ok(start >= 0, `no table ${heading}`);
  const rows = lines.slice(start + 2);
  return rows
    .slice(
      0,
      rows.findIndex((line) => !line.startsWith('|')),
    )
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('`', '')),
    );
}

test('the table of error codes in docs/elements.md is that of the code', () => {
  const ours = Object.entries(ownErrors).map(([code, { severity, retryable, meaning }]) => [
    code,
    severity,
    retryable ? 'yes' : 'no',
    meaning,
  ]);
  assert.deepEqual(table('code'), ours);
});

test('every attribute in docs/elements.md is observed by its element', () => {
  for (const [name] of table('attribute')) {
    assert.ok(SignTranslate.observedAttributes.includes(name!), name);
  }
});

test('README has at most 200 lines', () => {
  assert.ok(texts.get('README.md')!.split('\n').length <= 200);
});

for (const [file, text] of texts) {
  test(`${file}: every npm script, file and page that it names exists`, () => {
    for (const [, name] of text.matchAll(/npm run ([a-z][\w:-]*)/g)) assert.ok(name! in scripts, name);
    for (const [, path] of text.matchAll(/`((?:demo|proxy|src|test)\/[\w./-]+)`/g)) {
      assert.ok(existsSync(path!) || /\/secrets\//.test(path!), path);
    }
    for (const [, path] of text.matchAll(/\]\((?!https?:)([\w./-]+)(?:#[\w-]+)?\)/g)) {
      assert.ok(existsSync(join(dirname(file), path!)), path);
    }
  });
}
