// The browser tests, every test/**/*.browser.ts.
// - The real proxy and sandbox of dist/ answer, so a build comes first (`npm test` sees to it). Each page has an API key and a
//   proxy of its own (test/backend), so files do not disturb each other.
// - Eight files at once, the long ones first: a page waits for its clips to play most of the time, and with five half of two cores
//   stood idle. Each has a window of its own, because a browser stops painting a page that another one covers.
// - Nothing is loaded from beyond loopback.
import { esbuildPlugin } from '@web/dev-server-esbuild';
import { chromeLauncher, defaultReporter } from '@web/test-runner';
import { freePort } from './test/backend/free-port.mjs';
import { runnerBackend } from './test/backend/runner-backend.mjs';
import { launchFlags } from './test/browser/launch-flags.mjs';
import { obtainChromium } from './test/browser/obtain-chromium.mjs';
import { filesIn } from './test/engines/window-files.mjs';
import { browserReporter } from './test/results/browser-reporter.mjs';
import { valuesAsTextPlugin } from './test/results/values-as-text.mjs';
import { compiledPage, pageFiles } from './test/running/compile-pages.mjs';
import { inShortRun } from './test/running/short-run.mjs';

/** Files that take more than a quarter of a minute, the longest first: one that began late would run alone at the end. */
const LONG = [
  'elements/stream-drops',
  'elements/stream',
  'playback/clips/fallback',
  'elements/recovery',
  'elements/sign-translate',
  'elements/reading',
  'elements/controls',
  'elements/announcement/announcement',
  'playback/live/live-player',
  'elements/picture-in-picture',
  'playback/clips/disturbed',
  'playback/clips/idle',
  'playback/clips/joined',
  'elements/transports',
  'playback/clips/encodings',
  'playback/silence/silence',
  'playback/live/native-engine',
  'playback/live/sequence-jump',
  'playback/live/dash-restart',
  'elements/prepared',
  'elements/left-behind',
  'playback/live/failing',
  'playback/clips/b-frames',
].map((name) => `test/${name}.browser.ts`);
/** `npm test` and test/engines/run.mjs have compiled them. */
const isCompiled = process.env.SIGN_TEST_COMPILED !== undefined;
/** Of several runners, which this is: `0/2` is the first of two. */
const [part, parts] = (process.env.SIGN_TEST_PART ?? '0/1').split('/').map(Number);
/** True for the first of several runners. */
export const isFirstPart = part === 0;

/**
 * Where the runner finds these files of tests, in their order; of several runners each takes its share.
 * @param {readonly string[]} files from the repository's root
 */
export const pagesOf = (files) =>
  files.filter((_, at) => at % parts === part).map((file) => (isCompiled ? compiledPage(file) : file));

/** Every file, the long ones first. */
export const allFiles = [...LONG, ...pageFiles().filter((file) => !LONG.includes(file))];

/** A launcher of the Chromium at this path. */
export const chromium = (executablePath) =>
  chromeLauncher({
    launchOptions: {
      executablePath,
      headless: true,
      args: launchFlags,
      // A report of each request to the runner took a thirteenth of the CPU time, and no test reads one.
      networkEnabled: false,
      issuesEnabled: false,
    },
    createPage: async ({ browser }) => {
      const page = await (await browser.createBrowserContext()).newPage();
      // The runner waits ten minutes for a page that has crashed.
      page.on('error', ({ message }) => console.error(`${page.url()}: ${message}`));
      return page;
    },
    concurrency: 8,
  });

/** `npm test` sets it. */
const isShort = process.env.SIGN_TEST_SHORT !== undefined;
const path = obtainChromium(console.log);
const port = await freePort();
const backend = runnerBackend(`http://localhost:${port}`);
const verdicts = process.env.SIGN_TEST_VERDICTS;
export default {
  files: pagesOf(filesIn(path, isShort ? allFiles.filter(inShortRun) : allFiles)),
  hostname: 'localhost',
  port,
  nodeResolve: { exportConditions: ['production'] },
  plugins: [
    esbuildPlugin({ ts: true, target: isCompiled ? 'auto' : 'es2022' }),
    valuesAsTextPlugin,
    backend.plugin,
  ],
  middleware: [backend.middleware],
  browsers: [chromium(path)],
  concurrency: 8,
  coverageConfig: {
    include: ['src/**/*.ts'],
    reportDir: 'coverage/browser',
    reporters: ['html', 'text-summary'],
  },
  testFramework: { config: { timeout: 90_000 } },
  // A page that has run a file runs another, and its storage would still name the panels that were left open.
  testRunnerHtml: (framework) =>
    `<!DOCTYPE html><html><head><script>localStorage.clear()</script></head><body><script type="module" src="${framework}"></script></body></html>`,
  // Of a whole file; on a busy machine the longest take two minutes.
  testsFinishTimeout: 600_000,
  reporters: [defaultReporter(), backend.reporter, ...(verdicts ? [browserReporter(verdicts)] : [])],
};
