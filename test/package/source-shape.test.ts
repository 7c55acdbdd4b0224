// Every source file has a head comment.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { filesIn } from './source-files.ts';

const files = filesIn(['src', 'proxy', 'demo', 'test'], ['.ts', '.js', '.mjs']);

test('every source file begins with a comment that says what it is for', () => {
  const silent = files.filter((file) => {
    const [first, second] = readFileSync(file, 'utf8').split('\n');
    return !/^(\/\/|\/\*\*?) \S/.test(first?.startsWith('#!') ? (second ?? '') : (first ?? ''));
  });
  assert.deepEqual(silent, []);
});
