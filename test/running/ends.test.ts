// A file of tests that waits for ever, or leaves something open, is ended and has failed.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { readVerdicts } from '../results/verdicts.mjs';
import { compileTests } from './compile.mjs';

/** Timers take a thousandth of their time, so that the test does not wait for half a minute. */
const FAST = `const wait = setTimeout;
  globalThis.setTimeout = (run, ms, ...rest) => wait(run, ms / 1000, ...rest);
  const { eventLoopUtilization: used } = performance;
  performance.eventLoopUtilization = () => ({ idle: used().idle * 1000 });`;

/** A file of tests with this body, compiled, in a folder of its own. */
async function fileOf(t: TestContext, body: string): Promise<{ folder: string; compiled: string[] }> {
  mkdirSync('.build', { recursive: true });
  const folder = mkdtempSync('.build/ends-');
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'small.test.ts');
  writeFileSync(file, `import test, { after } from 'node:test';\n${body}`);
  return { folder, compiled: await compileTests([file]) };
}

/** The option of Node that runs this code first. */
const optionFor = (code: string): string =>
  code && `--import="data:text/javascript,${encodeURIComponent(code)}"`;

// A runner inside a runner would otherwise report to the outer one.
const { NODE_TEST_CONTEXT: _outer, ...env } = process.env;

/** The verdicts of a run of a file with this body, after the code `first`; `failure` is null for a test that passed. */
async function failuresOf(
  t: TestContext,
  body: string,
  first = '',
): Promise<{ name: string; failure: string | null }[]> {
  const { folder, compiled } = await fileOf(t, body);
  const results = join(folder, 'results.jsonl');
  const runner = ['test/running/run-node-tests.mjs', '1', '50000', results, ...compiled];
  try {
    execFileSync(process.execPath, runner, { env: { ...env, NODE_OPTIONS: optionFor(first) } });
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

test('files that load for more than 30 s after a test, and a test of more than 30 s behind them, have no other failure', async (t) => {
  const body = `const longer = () => new Promise((over) => setTimeout(over, 60_000));
    await test('one', () => {});
    await longer();
    test('two', longer);`;
  assert.deepEqual(
    (await failuresOf(t, body, FAST)).map(({ name, failure }) => [name, failure]),
    [
      ['one', null],
      ['two', null],
    ],
  );
});

test('a test that works for more than ten minutes, as on a busy machine, has no other failure', async (t) => {
  const body = `test('one', async () => {
      const end = performance.now() + 1200;
      while (performance.now() < end) await new Promise(setImmediate);
    });`;
  assert.deepEqual(
    (await failuresOf(t, body, FAST)).map(({ name, failure }) => [name, failure]),
    [['one', null]],
  );
});

test('a file whose runner reads the output only after more than 30 s has no other failure', async (t) => {
  const body = "test('one', () => console.log('many words '.repeat(200_000)));";
  const { compiled } = await fileOf(t, body);
  const first = `${FAST}
    let overs = 0;
    globalThis.setTimeout = (run, ms, ...rest) => wait(() => {
      if (ms !== 30_000) return run();
      process.stderr.write('30 s are over. ');
      // The output is taken after two of them, and the third is as long as the process takes to end.
      if (++overs <= 2) run();
    }, ms === 30_000 ? 30 : ms, ...rest);`;
  const child = spawn(process.execPath, compiled, {
    env: { ...env, NODE_TEST_CONTEXT: 'child-v8', NODE_OPTIONS: optionFor(first) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => child.kill());
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (/over.*over/.test(said) || said.includes('still running')) child.stdout.resume();
  });
  assert.deepEqual(await once(child, 'close'), [0, null], said);
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
  test(`a file that goes on after its last test has failed, and its failure names the open resource: ${what}`, async (t) => {
    const [one, file, ...others] = await failuresOf(t, body, FAST);
    assert.deepEqual([one!.name, one!.failure, others], ['one', null, []]);
    assert.match(file!.failure!, /exit code 1\nstill running 30 s after its last test, with these open: /);
    assert.match(file!.failure!, open);
  });
}

test('a test that waits for ever ends its file, and the failure names the test', async (t) => {
  const body = `test('one', () => {});
    test('two', () => new Promise(() => void setInterval(() => {}, 1e9)));
    test('three', () => {});`;
  const [one, file, ...others] = await failuresOf(t, body, FAST);
  assert.deepEqual([one!.name, one!.failure, others], ['one', null, []]);
  assert.match(
    file!.failure!,
    /exit code 1\nstill running 600 s after the start of "two", with these open: .*Timeout/,
  );
});
