// A compiled test is reported by the file and the line of its source, although no process reads source maps while it runs.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { compileTests } from '../running/compile.mjs';
import { sourcePlace, withSourcePlaces } from './source-places.mjs';
import { readVerdicts } from './verdicts.mjs';

test('a test that fails in a module that it imports is reported with both of its files and lines', async (t) => {
  mkdirSync('.build', { recursive: true });
  const folder = mkdtempSync('.build/places-');
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'small.test.ts');
  writeFileSync(
    join(folder, 'thrower.ts'),
    `interface Unused {\n  a: 1;\n}\n\nexport function fail(of: string): never {\n  throw new Error(of);\n}\n`,
  );
  writeFileSync(
    file,
    `import test from 'node:test';\nimport { fail } from './thrower.ts';\n\ntest('one', () => {});\n\ntest('two', () => fail('why'));\n`,
  );
  const results = join(folder, 'results.jsonl');
  // A runner inside a runner would otherwise report to the outer one.
  const { NODE_TEST_CONTEXT: _outer, ...env } = process.env;
  const runner = ['test/running/run-node-tests.mjs', '1', '50000', results, ...(await compileTests([file]))];
  spawnSync(process.execPath, runner, { env });
  const [one, two] = readVerdicts(results) as { suite: string; name: string; failure: string | null }[];
  assert.deepEqual([one!.suite, one!.name, one!.failure], [file, 'one', null]);
  assert.deepEqual([two!.suite, two!.name], [file, 'two']);
  const lines = two!.failure!.split('\n');
  assert.equal(lines[0], 'Error: why');
  assert.match(lines[1]!, new RegExp(`at fail \\(${folder}/thrower\\.ts:6:9\\)$`));
  assert.match(lines[2]!, new RegExp(`${file}:6:19\\)?$`));
});

test('a place in a file without a source map stays as it is', () => {
  assert.equal(sourcePlace('/nowhere/a.js', 1, 1), null);
  const stack = 'Error: why\n    at file:///nowhere/.build/tests/a.js:1:1';
  assert.equal(withSourcePlaces(stack), stack);
});
