// What counts as a test that passed in a browser, from sessions as web-test-runner passes them.
import assert from 'node:assert/strict';
import { join, resolve } from 'node:path';
import test from 'node:test';
import { temporaryFolder } from '../temporary-folder.ts';
import { browserReporter } from './browser-reporter.mjs';
import { readVerdicts } from './verdicts.mjs';

const testFile = resolve('test/elements/small.browser.ts');
const passing = { name: 'passes', passed: true, skipped: false };

function verdictsOf(session: { errors?: object[]; testResults?: object }): unknown[] {
  const folder = temporaryFolder();
  const file = join(folder, 'results.jsonl');
  const sessionsForTestFile = [{ testFile, errors: [], ...session }];
  browserReporter(file).reportTestFileResults({ sessionsForTestFile });
  return readVerdicts(file).map(({ suite, name, failure }) => ({ suite, name, failure }));
}

const suite = 'test/elements/small.browser.ts';

test('every test counts once, by the path of its groups', () => {
  const error = { message: 'expected 1 to equal 2', stack: '  at small.browser.ts:3:1' };
  const testResults = {
    tests: [passing],
    suites: [{ name: 'group', suites: [], tests: [{ name: 'fails', passed: false, skipped: false, error }] }],
  };
  assert.deepEqual(verdictsOf({ testResults }), [
    { suite, name: 'passes', failure: null },
    { suite, name: 'group › fails', failure: `${error.message}\n${error.stack}` },
  ]);
});

test('a skipped test is a failure', () => {
  const testResults = { suites: [], tests: [{ name: 'later', passed: true, skipped: true }] };
  assert.deepEqual(verdictsOf({ testResults }), [{ suite, name: 'later', failure: 'the test is skipped' }]);
});

test('a page that does not load is a failure, and so is an error outside any test', () => {
  const errors = [{ message: 'Could not import your test module' }];
  const failed = { suite, name: suite, failure: 'Could not import your test module' };
  assert.deepEqual(verdictsOf({ errors }), [failed]);
  const testResults = { suites: [], tests: [passing] };
  assert.deepEqual(verdictsOf({ errors, testResults }), [failed, { suite, name: 'passes', failure: null }]);
});

test('a file without a test is a failure', () => {
  const testResults = { suites: [], tests: [] };
  assert.deepEqual(verdictsOf({ testResults }), [{ suite, name: suite, failure: 'the file has no test' }]);
});
