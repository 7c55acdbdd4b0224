// The comments of the source files: a head in each, at most five bullets in it, no line that is too long.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { filesIn } from './source-files.ts';

const LONGEST_LINE = 131;
const MOST_BULLETS = 5;
const sources = filesIn(['src', 'proxy', 'demo', 'test'], ['.ts', '.js', '.mjs']).map((file) => ({
  file,
  lines: readFileSync(file, 'utf8')
    .replace(/^#!.*\n/, '')
    .split('\n'),
}));

/** The lines of the comment at the beginning of a file. */
function headOf(lines: readonly string[]): readonly string[] {
  const ends = lines[0]?.startsWith('/*')
    ? lines.findIndex((line) => line.includes('*/')) + 1
    : lines.findIndex((line) => !line.startsWith('//'));
  return lines.slice(0, ends);
}

test('every source file begins with a comment that says what it is for', () => {
  const silent = sources.filter(({ lines }) => !/^(\/\/|\/\*\*?) \S/.test(lines[0] ?? ''));
  assert.deepEqual(
    silent.map(({ file }) => file),
    [],
  );
});

test('that comment has at most five bullets', () => {
  const crowded = sources.filter(
    ({ lines }) => headOf(lines).filter((line) => /^[/* ]* - /.test(line)).length > MOST_BULLETS,
  );
  assert.deepEqual(
    crowded.map(({ file }) => file),
    [],
  );
});

test('no line of a comment is longer than 131 characters', () => {
  const long = sources.flatMap(({ file, lines }) =>
    lines
      .filter((line) => line.length > LONGEST_LINE && /^\s*(\/\/|\/?\*)/.test(line))
      .map((line) => `${file}: ${line}`),
  );
  assert.deepEqual(long, []);
});
