// Reporter of web-test-runner: a verdict for each test in each browser, as node-reporter.mjs gives them.
// - A page that did not load, an error outside any test and a file without tests are failures of their file.
import { appendFileSync } from 'node:fs';
import { sourceOfPage } from '../running/compile-pages.mjs';
import { verdict } from './verdicts.mjs';

/** The failure of a test that is pending. */
export const SKIPPED = 'the test is skipped';

/** The failure as text. web-test-runner's stacks do not include the message. */
function describeError({ message, stack } = {}) {
  const parts = stack?.includes(message) ? [stack] : [message, stack];
  return parts.filter(Boolean).join('\n') || 'failed without a message';
}

function* testsOf({ tests, suites }, path = []) {
  for (const test of tests) yield { ...test, name: [...path, test.name].join(' › ') };
  for (const suite of suites) yield* testsOf(suite, [...path, suite.name]);
}

function* verdictsOf(session) {
  const suite = sourceOfPage(session.testFile);
  for (const error of session.errors) yield verdict(suite, suite, describeError(error));
  const tests = session.testResults ? [...testsOf(session.testResults)] : [];
  for (const { name, passed, skipped, error, duration } of tests) {
    const failure = skipped ? SKIPPED : passed ? null : describeError(error);
    yield verdict(suite, name, failure, duration);
  }
  if (tests.length === 0 && session.errors.length === 0) yield verdict(suite, suite, 'the file has no test');
}

/** Appends to `file`. A file's console output stays on the screen, through web-test-runner's own logger. */
export const browserReporter = (file) => ({
  reportTestFileResults({ sessionsForTestFile }) {
    for (const session of sessionsForTestFile) appendFileSync(file, [...verdictsOf(session)].join(''));
  },
});
