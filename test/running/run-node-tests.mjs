// Runs compiled node tests in the order in which they are given, each file in a process of its own: the long ones can begin first,
// where `node --test` sorts by name.
// - Its arguments: how many run at once, ms after which a file has failed, where the verdicts go, and the files.
import { createWriteStream } from 'node:fs';
import { run } from 'node:test';
import report from '../results/node-reporter.mjs';

const [atOnce, timeout, results, ...files] = process.argv.slice(2);
run({ files, concurrency: Number(atOnce), timeout: Number(timeout) })
  .on('test:fail', () => (process.exitCode = 1))
  .compose(report)
  .pipe(createWriteStream(results));
