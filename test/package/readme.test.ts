// What the README promises is what the code has.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import test from 'node:test';
import { SignTranslate } from '../../dist/index.js';
import { ownErrors } from '../../src/protocol/sign-error.ts';

const readme = readFileSync('README.md', 'utf8');
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

/** The rows of the table whose first heading is this, cells trimmed and without backquotes. */
function table(heading: string): string[][] {
  const lines = readme.split('\n');
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

test('the table of errors is that of the code', () => {
  const ours = Object.entries(ownErrors).map(([code, { severity, retryable, meaning }]) => [
    code,
    severity,
    retryable ? 'yes' : 'no',
    meaning,
  ]);
  assert.deepEqual(table('code'), ours);
});

test('every attribute that it lists is observed', () => {
  for (const [name] of table('attribute')) {
    assert.ok(SignTranslate.observedAttributes.includes(name!), name);
  }
});

test('every npm script that it names exists', () => {
  const named = [...readme.matchAll(/npm (?:run )?([a-z][\w:-]*)/g)].map(([, name]) => name!);
  assert.ok(named.includes('start') && named.includes('test'));
  for (const name of named) assert.ok(name === 'ci' || name in scripts, name);
});

test('every file of the repository that it names is there', () => {
  for (const [, file] of readme.matchAll(/`((?:demo|proxy|src|test)\/[\w./-]+)`/g)) {
    assert.ok(existsSync(file!), file);
  }
});
