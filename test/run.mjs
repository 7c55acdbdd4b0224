// `npm test`: everything that is checked, with one number at the end. Policy: a browser, ffprobe and Redis are found or got, never
// done without; types, lint and format count as one test each, every other test as one; a runner that dies, overruns or finds
// no test is a failure; one bad step does not keep the others from being told. Pages play in real time and leave most of two
// cores idle, so two of them play side by side, each with a sandbox and a proxy of its own, and never more; what opens none (the
// other node tests, then types, format, lint) has the time that they leave and is put behind them (running/behind.mjs). A failed
// file is run once more, alone, at the end (results/second-run.mjs). The last line is `N passed, N failed`.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { obtainChromium } from './browser/obtain-chromium.mjs';
import { obtainFfprobe } from './ffprobe/obtain-ffprobe.mjs';
import { obtainRedis } from './redis/obtain-redis.mjs';
import { afterSecondRun, filesToRunAgain } from './results/second-run.mjs';
import { readVerdicts } from './results/verdicts.mjs';
import { run } from './running/command.mjs';

/** Of one file of node tests, in ms: the slowest takes a minute, and on a slow and busy machine five. */
const FILE_HANGS = 600_000;
const resultsFolder = '.build/test-results';

let verdicts = [];
function tell({ suite, name, failure }) {
  verdicts.push({ suite, name, failure });
  if (failure !== null) console.log(`\n✖ ${suite === name ? name : `${suite}: ${name}`}\n${failure}\n`);
}

/** Runs a step, which resolves with its verdicts, and tells them. */
async function timed(title, step) {
  const start = Date.now();
  const mine = await step();
  for (const one of mine) tell(one);
  const failed = mine.filter(({ failure }) => failure !== null).length;
  const counts = mine.length > 0 ? `${mine.length - failed} passed, ${failed} failed, ` : '';
  console.log(`${title}: ${counts}${((Date.now() - start) / 1000).toFixed(1)} s`);
}

/** A step that is one test: it passes when its command does. */
const check = (name, command, args, how) =>
  timed(name, async () => [{ suite: name, name, failure: await run(command, args, how) }]);

/** Runs a runner that writes a verdict for each test into a file; resolves with them. */
async function verdictsOf(name, argsFor, { env, behind }) {
  const file = join(resultsFolder, `${name.replaceAll(/[^a-z0-9]+/g, '-')}.jsonl`);
  const how = { env: { SIGN_TEST_VERDICTS: file, ...env }, behind };
  const problem = await run(process.execPath, argsFor(file), how);
  const found = readVerdicts(file);
  const explained = found.some(({ failure }) => failure !== null);
  if (problem !== null && !explained) return [...found, { suite: name, name, failure: problem }];
  return found.length > 0 ? found : [{ suite: name, name, failure: 'no test was found' }];
}

const filesOf = (ending) =>
  readdirSync('test', { recursive: true })
    .filter((file) => file.endsWith(ending))
    .map((file) => join('test', file))
    .sort();

/** What runs test files, each of a kind. */
const runners = {
  'node tests': {
    files: filesOf('.test.ts'),
    args: (files) => (results) => [
      ...['--import', 'tsx', '--test', '--test-concurrency=2', `--test-timeout=${FILE_HANGS}`],
      ...['--test-reporter=./test/results/node-reporter.mjs', `--test-reporter-destination=${results}`],
      ...files,
    ],
  },
  'browser tests': {
    files: filesOf('.browser.ts'),
    args: (files) => () => ['node_modules/@web/test-runner/dist/bin.js', '--files', ...files],
  },
};

/** Node tests that open pages in a browser of their own. */
const opensPages = (file) => /^test\/(page|players|playback\/remux\/media-source)\b/.test(file);

const suite = (name, { args }, files, how) => timed(name, () => verdictsOf(name, args(files), how));

/**
 * All pages, two side by side: half of the browser tests each, and then the next of what else opens pages, so that both end
 * at about the same time whatever a half takes; from the end of the alphabet, because the players there take longest.
 */
async function playPages(how) {
  const { 'browser tests': browserTests, 'node tests': nodeTests } = runners;
  const others = nodeTests.files.filter(opensPages);
  const side = async (name, from) => {
    const half = browserTests.files.filter((_, index) => index % 2 === from);
    await suite(name, browserTests, half, how);
    for (let file = others.pop(); file; file = others.pop()) await suite(file, nodeTests, [file], how);
  };
  await Promise.all([side('browser tests, one half', 0), side('browser tests, the other', 1)]);
}

/** All that opens no page. */
async function compute({ env }) {
  const nodeTests = runners['node tests'];
  const quiet = nodeTests.files.filter((file) => !opensPages(file));
  await suite('node tests', nodeTests, quiet, { env, behind: true });
  const bin = (name) => join('node_modules/.bin', name);
  await check('types', bin('tsc'), ['-b'], { behind: true });
  await check('imports', 'npm', ['run', 'lint:imports'], { behind: true });
  await check('format', bin('prettier'), ['--check', '.'], { behind: true });
  await check('lint', bin('eslint'), ['.'], { behind: true });
}

/** Runs the files that failed once more, and tells what that changes. */
async function secondRun(how) {
  for (const [name, { files, args }] of Object.entries(runners)) {
    const again = filesToRunAgain(
      verdicts,
      Object.values(runners).flatMap(({ files }) => files),
    );
    const mine = again.filter((file) => files.includes(file));
    if (mine.length === 0) continue;
    const second = await verdictsOf(`${name}, second run`, args(mine), how);
    const { counting, unsteady } = afterSecondRun(verdicts, second, mine);
    verdicts = counting;
    for (const { suite, name } of unsteady) console.log(`unsteady: ${suite}: ${name}`);
    const still = counting.filter(({ suite, failure }) => mine.includes(suite) && failure !== null);
    for (const { suite, name, failure } of still)
      console.log(`\n✖ ${suite}: ${name}, second run\n${failure}\n`);
    console.log(`${name}, second run of ${mine.length}: ${unsteady.length} unsteady, ${still.length} failed`);
  }
}

async function main() {
  const browser = obtainChromium((step) => console.log(`browser: ${step}`));
  console.log(`browser: ${browser}`);
  process.env.CHROME_PATH = browser;
  obtainFfprobe((step) => console.log(`ffprobe: ${step}`));
  obtainRedis((step) => console.log(`redis: ${step}`));
  rmSync(resultsFolder, { recursive: true, force: true });
  mkdirSync(resultsFolder, { recursive: true });

  let unbuilt = null;
  await timed('build', async () => {
    unbuilt = await run('npm', ['run', 'build']);
    return unbuilt === null ? [] : [{ suite: 'build', name: 'build', failure: unbuilt }];
  });
  if (unbuilt !== null) return;

  const said = resolve(resultsFolder, 'said');
  const recorder = `--import=${pathToFileURL(resolve('test/secrets/record.mjs')).href}`;
  /** What every proxy of the tests says is kept, and looked through at the end for the secrets that it was given. */
  const recording = {
    SIGN_TEST_RECORDS: said,
    NODE_OPTIONS: [process.env.NODE_OPTIONS, recorder].filter(Boolean).join(' '),
  };
  /** Threads and processes of the sandbox need not be compiled by each test anew. */
  process.env.SANDBOX_BUILD = resolve('dist/sandbox');
  const how = { env: recording };
  await Promise.all([playPages(how), compute(how)]);
  await secondRun(how);
  await check('secrets', process.execPath, ['test/secrets/scan.mjs', said]);
}

try {
  await main();
} catch (error) {
  tell({ suite: 'test run', name: 'test run', failure: error.stack });
}
const failed = verdicts.filter(({ failure }) => failure !== null).length;
console.log(`${verdicts.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
