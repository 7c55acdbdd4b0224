// The results of a test runner, as lines of JSON in a file: `{ suite, name, failure, ms }`, `failure` null for a test that passed.
// - Runners report to a file and not to the screen, where anything else may print.
// - A line is written as soon as it is known, so a runner that dies leaves the results so far.
import { existsSync, readFileSync } from 'node:fs';

/** One verdict as a line of the file. `ms` is how long it took, 0 where it is part of another test. */
export const verdict = (suite, name, failure, ms = 0) =>
  `${JSON.stringify({ suite, name, failure, ms: Math.round(ms) })}\n`;

/** All verdicts of a file; an empty list when the runner has written none. */
export function readVerdicts(file) {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

/** The suites that took longest, with their milliseconds. */
export function slowest(verdicts, count) {
  const sums = new Map();
  for (const { suite, ms = 0 } of verdicts) sums.set(suite, (sums.get(suite) ?? 0) + ms);
  return [...sums].sort(([, a], [, b]) => b - a).slice(0, count);
}
