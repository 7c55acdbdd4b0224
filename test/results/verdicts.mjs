// What a test runner found out, as lines of JSON in a file: `{ suite, name, failure }`, `failure` null for a test that
// passed. Policy: runners report to a file and not to the screen, where anything else may print; a line is written as
// soon as it is known, so a runner that dies leaves what it knew.
import { existsSync, readFileSync } from 'node:fs';

/** One verdict as a line of the file. */
export const verdict = (suite, name, failure) => `${JSON.stringify({ suite, name, failure })}\n`;

/** All verdicts of a file; none when the runner did not get as far as writing one. */
export function readVerdicts(file) {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}
