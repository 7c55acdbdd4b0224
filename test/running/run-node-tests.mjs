// Runs compiled node tests in the order in which they are given, each file in a process of its own, so that the long ones can
// begin first: `node --test` sorts by name.
// - Its arguments: how many files run at once, the time limit of a file in ms, the file that gets the results, and the test files.
import { createWriteStream } from 'node:fs';
import { run } from 'node:test';
import report from '../results/node-reporter.mjs';

const [atOnce, timeout, results, ...files] = process.argv.slice(2);
run({ files, concurrency: Number(atOnce), timeout: Number(timeout) })
  .on('test:fail', () => (process.exitCode = 1))
  .compose(report)
  .pipe(createWriteStream(results));
