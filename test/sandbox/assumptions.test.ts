// The files that demo/sandbox/ASSUMPTIONS.md names.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const sandbox = new URL('../../demo/sandbox/', import.meta.url);

test('every file that ASSUMPTIONS.md names exists', () => {
  const text = readFileSync(new URL('ASSUMPTIONS.md', sandbox), 'utf8');
  const names = [...text.matchAll(/`([\w./-]+\.ts)`/g)].map(([, name]) => name!);
  assert.ok(names.length > 0, 'no file is named');
  const missing = names.filter((name) => !existsSync(new URL(name, sandbox)));
  assert.deepEqual(missing, []);
});
