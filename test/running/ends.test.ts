// A file of tests that waits for ever, or leaves something open, is ended and has failed.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { readVerdicts } from '../results/verdicts.mjs';
import { compileTests } from './compile.mjs';

/** Timers take a thousandth of their time, so that the test does not wait for half a minute. */
const FAST = `const wait = setTimeout;
  globalThis.setTimeout = (run, ms, ...rest) => wait(run, ms / 1000, ...rest);`;

/** The verdicts of a run of a file with this body, after the code `first`; `failure` is null for a test that passed. */
async function failuresOf(
  t: TestContext,
  body: string,
  first = '',
): Promise<{ name: string; failure: string | null }[]> {
  mkdirSync('.build', { recursive: true });
  const folder = mkdtempSync('.build/ends-');
  t.after(() => rmSync(folder, { recursive: true }));
  const [file, results] = [join(folder, 'small.test.ts'), join(folder, 'results.jsonl')];
  writeFileSync(file, `import test, { after } from 'node:test';\n${body}`);
  const compiled = await compileTests([file]);
  // A runner inside a runner would otherwise report to the outer one.
  const { NODE_TEST_CONTEXT: _outer, ...env } = process.env;
  const runner = ['test/running/run-node-tests.mjs', '1', '50000', results, ...compiled];
  const options = first && `--import="data:text/javascript,${encodeURIComponent(first)}"`;
  try {
    execFileSync(process.execPath, runner, { env: { ...env, NODE_OPTIONS: options } });
  } catch {
    // The exit code is 1 when a test fails, which the verdicts say too.
  }
  return readVerdicts(results) as { name: string; failure: string | null }[];
}

test('a file that ends with its last test has no other failure', async (t) => {
  assert.deepEqual(
    (await failuresOf(t, "test('one', () => {});")).map(({ name, failure }) => [name, failure]),
    [['one', null]],
  );
});

for (const [what, body, open] of [
  [
    'a server that nobody closed',
    "import { createServer } from 'node:http'; test('one', () => void createServer().listen(0, '127.0.0.1'));",
    /TCPServerWrap/,
  ],
  [
    'a process that holds its output',
    "import { spawn } from 'node:child_process'; test('one', () => void spawn('sleep', ['600'], { stdio: 'inherit' }));",
    /ProcessWrap/,
  ],
  [
    'a clean-up that never ends',
    "test('one', () => {}); after(() => new Promise((end) => setTimeout(end, 1e9)));",
    /Timeout/,
  ],
] as const) {
  test(`a file that goes on after its last test has failed and says what was open: ${what}`, async (t) => {
    const [one, file, ...others] = await failuresOf(t, body, FAST);
    assert.deepEqual([one!.name, one!.failure, others], ['one', null, []]);
    assert.match(file!.failure!, /exit code 1\nstill running 30 s after its last test, with these open: /);
    assert.match(file!.failure!, open);
  });
}

test('a test that waits for what never comes ends its file, which names the test', async (t) => {
  const body = `test('one', () => {});
    test('two', () => new Promise(() => void setInterval(() => {}, 1e9)));
    test('three', () => {});`;
  const [one, file, ...others] = await failuresOf(t, body, FAST);
  assert.deepEqual([one!.name, one!.failure, others], ['one', null, []]);
  assert.match(
    file!.failure!,
    /exit code 1\nstill running 300 s after the start of "two", with these open: .*Timeout/,
  );
});
