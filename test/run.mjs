// `npm test`: the checks and the tests of a change (running/short-run.mjs), and `npm test -- --all`: every test. The last line is
// `N passed, N failed`. A browser, FFmpeg and Redis are found or installed: the tests do not run without them.
// - Types, lint, imports and format count as one test each, every other test as one. A runner that dies, takes too long or finds
//   no test is a failure; one failed step does not keep the others from being run. Nothing is run again.
// - The build uses little more than one core: the checks and the node tests that read only the sources run beside it, at a lower
//   priority. Browser tests look at each frame, so nothing else starts beside them. Then two groups run at once: two node tests
//   that open pages, and three processes of all other node tests. With more of them a slow machine takes as long, and each test
//   waits longer.
// - Node tests with pages share one Chromium (browser/shared-browser.mjs): each start takes four seconds of a core.
// - Browser tests are compiled once (running/compile-pages.mjs), and so are node tests, of which small ones share a process
//   (running/compile.mjs).
// - Most of it runs in Chromium's headless shell, if there is one and CHROME_PATH is not set. With `--all` a few files also run in
//   Chromium itself, and in Firefox and WebKitGTK where they are installed. `npm run test:chromium`, `test:firefox` and
//   `test:webkit` run all browser tests there.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromiumWithWindows, obtainChromium, obtainHeadlessShell } from './browser/obtain-chromium.mjs';
import { installedFirefox } from './engines/obtain-firefox.mjs';
import { installedWebKit } from './engines/obtain-webkit.mjs';
import { filesIn } from './engines/window-files.mjs';
import { obtainFfmpeg } from './ffmpeg/obtain-ffmpeg.mjs';
import { obtainRedis } from './redis/obtain-redis.mjs';
import { readVerdicts, slowest } from './results/verdicts.mjs';
import { run } from './running/command.mjs';
import { compileTests } from './running/compile.mjs';
import { compiledPage, compilePages, pageFiles } from './running/compile-pages.mjs';
import { inShortRun } from './running/short-run.mjs';
import { withBrowser } from './browser/shared-browser.mjs';

/** Of one file of node tests, in ms: the slowest takes three minutes, and on a slow or busy machine several times as long. */
const FILE_HANGS = 1_500_000;
const resultsFolder = '.build/test-results';
const runsAll = process.argv.includes('--all');
const wanted = (file) => runsAll || inShortRun(file);

const verdicts = [];
function record(one) {
  const { suite, name, failure } = one;
  verdicts.push(one);
  if (failure !== null) console.log(`\n✖ ${suite === name ? name : `${suite}: ${name}`}\n${failure}\n`);
}

/** Runs a step and prints the verdicts with which it resolves. */
async function timed(title, step) {
  const start = Date.now();
  const mine = await step();
  for (const one of mine) record(one);
  const failed = mine.filter(({ failure }) => failure !== null).length;
  const counts = mine.length > 0 ? `${mine.length - failed} passed, ${failed} failed, ` : '';
  console.log(`${title}: ${counts}${((Date.now() - start) / 1000).toFixed(1)} s`);
}

/** A step that is one test: it passes when its command does. */
const check = (name, command, args, how) =>
  timed(name, async () => [{ suite: name, name, failure: await run(command, args, how) }]);

/** Runs a runner that writes a verdict for each test into a file; resolves with them. Each of `files` must have one. */
async function verdictsOf(name, files, argsFor, { env, behind }) {
  const file = join(resultsFolder, `${name.replaceAll(/[^a-z0-9]+/g, '-')}.jsonl`);
  const how = { env: { SIGN_TEST_VERDICTS: file, ...env }, behind };
  const problem = await run(process.execPath, argsFor(file), how);
  const found = readVerdicts(file);
  const explained = found.some(({ failure }) => failure !== null);
  if (problem !== null && !explained) return [...found, { suite: name, name, failure: problem }];
  const suites = new Set(found.map(({ suite }) => suite));
  const silent = files.filter((one) => !suites.has(one));
  return [
    ...found,
    ...silent.map((suite) => ({ suite, name: suite, failure: 'no test of the file was run' })),
  ];
}

const filesOf = (ending) =>
  readdirSync('test', { recursive: true })
    .filter((file) => file.endsWith(ending))
    .map((file) => join('test', file))
    .sort();

const nodeTests = filesOf('.test.ts').filter(wanted);
/** Node tests that open pages in a browser of their own. */
const opensPages = (file) => /^test\/(page|players|playback\/mp4\/media-source)\b/.test(file);

/** Compiles node tests and runs them, `concurrency` processes at once. */
const runNodeTests = (name, files, concurrency, how) =>
  timed(name, async () => {
    const compiled = await compileTests(files);
    return verdictsOf(
      name,
      files,
      (results) => [
        'test/running/run-node-tests.mjs',
        ...[String(concurrency), String(FILE_HANGS), results, ...compiled],
      ],
      how,
    );
  });

const playPages = (name, files, args, env) =>
  timed(name, () =>
    verdictsOf(name, files, () => ['node_modules/@web/test-runner/dist/bin.js', ...args], {
      env: { ...env, SIGN_TEST_COMPILED: '1' },
    }),
  );

/** The files on what differs most between browsers: joined clips, a live stream, other players' controls, windows. */
const OTHER_BROWSERS = [
  [
    'chromium',
    () => process.env.CHROME_PATH !== chromiumWithWindows(),
    ['engines/abilities', 'elements/picture-in-picture', 'elements/windows'],
  ],
  [
    'firefox',
    () => installedFirefox() !== null,
    ['engines/abilities', 'elements/players-of-others', 'elements/slots'],
  ],
  ['webkit', () => installedWebKit() !== null, ['engines/abilities']],
];

async function playAllPages(env) {
  const files = pageFiles();
  await compilePages([...files, 'test/engines/autoplay-refused.ts']);
  const played = filesIn(process.env.CHROME_PATH, files).filter(wanted);
  await playPages('browser tests', played, [], runsAll ? env : { ...env, SIGN_TEST_SHORT: '1' });
}

async function playInOtherBrowsers(env) {
  for (const [engine, isThere, names] of OTHER_BROWSERS) {
    if (!isThere()) continue;
    const some = names.map((name) => `test/${name}.browser.ts`);
    const args = ['--config', `test/engines/${engine}.config.mjs`, '--files', ...some.map(compiledPage)];
    await playPages(`browser tests in ${engine}`, some, args, env);
  }
}

/** Node tests that open pages. */
const openPages = (env) =>
  withBrowser((shared) =>
    runNodeTests('node tests with pages', nodeTests.filter(opensPages), 2, { env: { ...env, ...shared } }),
  );

/** Files that use nothing of the build; only as many as end soon after the build. */
const NEEDS_NO_BUILD = [
  /^test\/(?:elements|playback(?!\/mp4\/media-source)|protocol|session(?!\/(?:rest\/rest-end-to-end|sandbox)\.)|strings)\//,
  /^test\/(?:proxy\/(?:limits|relay|routes|upstream)|sandbox\/painter)\//,
];
const needsNoBuild = (file) => NEEDS_NO_BUILD.some((one) => one.test(file));

/** Node tests of the sources: they use the time that the build leaves. */
const runSourceTests = (env) =>
  runNodeTests('node tests of the sources', nodeTests.filter(needsNoBuild), 2, { env, behind: true });

/** All other node tests. */
const runOthers = (env) =>
  runNodeTests(
    'node tests',
    nodeTests.filter((file) => !opensPages(file) && !needsNoBuild(file)),
    3,
    { env },
  );

/** The checks that read only the sources. */
async function readSources() {
  await check('imports', 'npm', ['run', 'lint:imports'], { behind: true });
  await check('format', 'npm', ['run', 'lint:format'], { behind: true });
  await check('lint', 'npm', ['run', 'lint:code'], { behind: true });
}

/** The types of the tests too, some of which import dist/: so it runs after the build. */
const checkTypes = () => check('types', 'npm', ['run', 'types']);

async function main() {
  const say = (step) => console.log(`browser: ${step}`);
  const chromium = obtainChromium(say);
  const shell = process.env.CHROME_PATH ? null : obtainHeadlessShell(say);
  console.log(`browser: ${[chromium, shell].filter(Boolean).join(', ')}`);
  process.env.CHROME_PATH = shell ?? chromium;
  obtainFfmpeg((step) => console.log(`ffmpeg: ${step}`));
  obtainRedis((step) => console.log(`redis: ${step}`));
  rmSync(resultsFolder, { recursive: true, force: true });
  mkdirSync(resultsFolder, { recursive: true });

  const records = resolve(resultsFolder, 'said');
  const recorder = `--import=${pathToFileURL(resolve('test/secrets/record.mjs')).href}`;
  /** Records everything that the proxies of the tests write, and searches it at the end for the secrets that they have got. */
  const recording = {
    SIGN_TEST_RECORDS: records,
    NODE_OPTIONS: [process.env.NODE_OPTIONS, recorder].filter(Boolean).join(' '),
  };
  /** The compiler and the linter are Go programs: with rarer collections they take a fifth less CPU time, and 300 MB more. */
  process.env.GOGC ??= '400';
  let unbuilt = null;
  const build = timed('build', async () => {
    unbuilt = await run('npm', ['run', 'build']);
    return unbuilt === null ? [] : [{ suite: 'build', name: 'build', failure: unbuilt }];
  });
  const sourceTests = runSourceTests(recording);
  await Promise.all([build, readSources()]);
  if (unbuilt !== null) return sourceTests;

  /** The built sandbox, so that tests do not each compile the sources of its threads and processes again. */
  process.env.SANDBOX_BUILD = resolve('dist/sandbox');
  const early = [sourceTests, checkTypes()];
  await playAllPages(recording);
  if (runsAll) early.push(playInOtherBrowsers(recording));
  await Promise.all([...early, openPages(recording), runOthers(recording)]);
  await check('secrets', process.execPath, ['test/secrets/scan.mjs', records]);
}

try {
  await main();
} catch (error) {
  record({ suite: 'test run', name: 'test run', failure: error.stack });
}
console.log('slowest files:');
for (const [suite, ms] of slowest(verdicts, 10)) console.log(`  ${(ms / 1000).toFixed(1)} s  ${suite}`);
const failed = verdicts.filter(({ failure }) => failure !== null).length;
console.log(`${verdicts.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
