// Tests that need a real page: every test/**/*.browser.ts, one file at a time. Policy: each page has an account of the sandbox
// and a proxy of its own, so that no page's faults, limits or sockets are another's; the real proxy and sandbox of dist/ answer, so a build comes first
// (`npm test` sees to it); nothing is loaded from beyond loopback.
import { esbuildPlugin } from '@web/dev-server-esbuild';
import { chromeLauncher, defaultReporter } from '@web/test-runner';
import { freePort } from './test/backend/free-port.mjs';
import { runnerBackend } from './test/backend/runner-backend.mjs';
import { launchFlags } from './test/browser/launch-flags.mjs';
import { obtainChromium } from './test/browser/obtain-chromium.mjs';
import { browserReporter } from './test/results/browser-reporter.mjs';

const port = await freePort();
const backend = runnerBackend(`http://localhost:${port}`);
const verdicts = process.env.SIGN_TEST_VERDICTS;
export default {
  files: 'test/**/*.browser.ts',
  hostname: 'localhost',
  port,
  nodeResolve: { exportConditions: ['production'] },
  plugins: [esbuildPlugin({ ts: true, target: 'es2022' }), backend.plugin],
  middleware: [backend.middleware],
  browsers: [
    chromeLauncher({
      launchOptions: { executablePath: obtainChromium(console.log), headless: true, args: launchFlags },
      concurrency: 1,
    }),
  ],
  concurrency: 1,
  testFramework: { config: { timeout: 90_000 } },
  // Of a whole file; on a busy machine the longest take two minutes.
  testsFinishTimeout: 600_000,
  reporters: [defaultReporter(), backend.reporter, ...(verdicts ? [browserReporter(verdicts)] : [])],
};
