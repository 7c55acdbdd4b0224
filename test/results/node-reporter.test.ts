// What counts as a test that passed under `node --test`, by running small files in a runner of their own.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { temporaryFolder } from '../temporary-folder.ts';
import { readVerdicts } from './verdicts.mjs';

interface Verdict {
  name: string;
  failure: string | null;
}

/** Runs one test file with this body. */
function verdictsOf(body: string): Verdict[] {
  const folder = temporaryFolder();
  const [file, results] = [join(folder, 'small.test.mjs'), join(folder, 'results.jsonl')];
  writeFileSync(file, `import test, { before, describe } from 'node:test';\n${body}`);
  const reporter = [
    '--test-reporter=./test/results/node-reporter.mjs',
    `--test-reporter-destination=${results}`,
  ];
  // A runner inside a runner would otherwise report to the outer one.
  const env = { ...process.env };
  delete env.NODE_TEST_CONTEXT;
  spawnSync(process.execPath, ['--test', ...reporter, file], { env });
  return readVerdicts(results) as Verdict[];
}

const outcome = (verdicts: Verdict[]) => verdicts.map(({ name, failure }) => [name, failure === null]);

test('each test counts once in any grouping; groups do not count', () => {
  const verdicts = verdictsOf(`test('alone', () => {});
     describe('group', () => { test('inside', () => {}); test('broken', () => { throw new Error('why'); }); });`);
  assert.deepEqual(outcome(verdicts), [
    ['alone', true],
    ['inside', true],
    ['broken', false],
  ]);
  assert.match(verdicts[2]?.failure ?? '', /Error: why/);
});

test('a failure is reported with the errors that caused it', () => {
  const [verdict] = verdictsOf(
    `test('one', () => { throw new Error('fetch failed', { cause: new Error('read ECONNRESET') }); });`,
  );
  assert.match(verdict?.failure ?? '', /Error: fetch failed[^]*caused by Error: read ECONNRESET/);
});

test('a group whose preparation fails is a failure', () => {
  const verdicts = verdictsOf(
    `describe('group', () => { before(() => { throw new Error('no table'); }); test('inside', () => {}); });`,
  );
  assert.ok(verdicts.some(({ name, failure }) => name === 'group' && failure?.includes('no table')));
});

for (const [what, body, reason] of [
  ['a skipped test', `test.skip('later', () => {});`, /skipped/],
  ['a test still to be written', `test.todo('later');`, /skipped/],
  ['a file without a test', '', /has no test/],
  ['a file that does not load', `import './missing.mjs';`, /missing\.mjs/],
  [
    'a process that ends early',
    `test('fine', () => {}); setImmediate(() => process.exit(3));`,
    /exit code 3/,
  ],
  [
    'an error after the last test',
    `test('fine', () => { setTimeout(() => { throw new Error('late'); }); });`,
    /late/,
  ],
] as const) {
  test(`${what} is a failure`, () => {
    const failed = verdictsOf(body).filter(({ failure }) => failure !== null);
    assert.equal(failed.length, 1);
    assert.match(failed[0]?.failure ?? '', reason);
  });
}
