// A failed comparison of elements or functions is reported, and does not keep the runner waiting.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import test from 'node:test';
import { temporaryFolder } from '../temporary-folder.ts';
import { readVerdicts } from './verdicts.mjs';

test('tests that compare elements or functions are reported with what they compared', async (t) => {
  const folder = temporaryFolder();
  const verdicts = join(folder, 'verdicts.jsonl');
  const { SIGN_TEST_COMPILED: _, SIGN_TEST_PART: __, ...variables } = process.env;
  const args = ['node_modules/@web/test-runner/dist/bin.js', '--files', 'test/results/compared-elements.ts'];
  const env = { ...variables, SIGN_TEST_VERDICTS: verdicts };
  const [code] = await once(
    spawn(process.execPath, args, { env, stdio: 'ignore', signal: t.signal }),
    'exit',
  );
  assert.equal(code, 1);
  const found = readVerdicts(verdicts).map(({ name, failure }) => [
    name,
    failure?.split('\n')[0]?.slice(0, 14),
  ]);
  assert.deepEqual(found, [
    ['compares elements', 'expected <body'],
    ['group › compares functions', 'expected { run'],
  ]);
});
