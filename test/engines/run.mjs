// `npm run test:chromium`, `test:firefox`, `test:webkit` and `test:older`: the browser tests in another browser than `npm test`.
// - The repository must be built; the tests are compiled once, as for `npm test`. The argument is the name of a configuration
//   beside this file.
// - Firefox and WebKitGTK paint only one window, so two processes of each run half of the files, each on a screen of its own.
// - The tests that left-out.mjs names are pending; one that it names and that is not pending is a failure.
// - The last line is `N passed, N failed`; above it are the failures, the tests that are left out, and their number as a row of a
//   table.
// - One file: `npx wtr --config test/engines/firefox.config.mjs --files …`, which compiles it by itself.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { compilePages, pageFiles } from '../running/compile-pages.mjs';
import { readVerdicts } from '../results/verdicts.mjs';
import { judge, leftOut } from './left-out.mjs';

const BROWSERS = { chromium: 1, firefox: 2, webkit: 2, older: 1 };

const [engine] = process.argv.slice(2);
const parts = Array.from({ length: BROWSERS[engine] }, (_, at) => ({
  part: `${at}/${BROWSERS[engine]}`,
  verdicts: `.build/engine-${engine}-${at}.jsonl`,
}));

async function runPart({ part, verdicts }) {
  rmSync(verdicts, { force: true });
  const env = { ...process.env, SIGN_TEST_COMPILED: '1', SIGN_TEST_PART: part, SIGN_TEST_VERDICTS: verdicts };
  const args = ['node_modules/@web/test-runner/dist/bin.js', '--config', `test/engines/${engine}.config.mjs`];
  const [code] = await once(spawn(process.execPath, args, { env, stdio: 'inherit' }), 'exit');
  const found = readVerdicts(verdicts);
  const isExplained = code === 0 || found.some(({ failure }) => failure !== null);
  const name = `part ${part}`;
  return isExplained ? found : [...found, { suite: name, name, failure: `ended with exit code ${code}` }];
}

await compilePages([...pageFiles(), 'test/engines/autoplay-refused.ts']);
const { passed, failed, pending } = judge(engine, (await Promise.all(parts.map(runPart))).flat());
for (const { file, tests, reason, bug } of leftOut[engine]) {
  console.log(`\nleft out of ${file}: ${reason} (${bug})`);
  for (const title of tests) console.log(`- ${title}`);
}
for (const { suite, name, failure } of failed) console.log(`\n✖ ${suite}: ${name}\n${failure}`);
console.log(
  `\n| tests that are left out | ${pending.length} |\n${passed.length} passed, ${failed.length} failed`,
);
process.exitCode = failed.length > 0 || passed.length === 0 ? 1 : 0;
