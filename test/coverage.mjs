// `npm run coverage`: which lines the tests run, in coverage/node and coverage/browser. It needs a build.
// - The node tests are compiled, as in `npm test`. c8 counts by V8's own coverage and the source maps.
// - The browser tests are counted by web-test-runner, in Chromium.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { obtainChromium } from './browser/obtain-chromium.mjs';
import { compileTests } from './running/compile.mjs';

process.env.CHROME_PATH = obtainChromium(console.log);
process.env.SANDBOX_BUILD = resolve('dist/sandbox');
const files = readdirSync('test', { recursive: true })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => join('test', file));
const compiled = await compileTests(files);

const bin = (name) => join('node_modules/.bin', name);
const run = (command, args) => spawnSync(command, args, { stdio: 'inherit' }).status;
const reports = ['--reporter=html', '--reporter=text-summary'];
const sources = ['src', 'proxy', 'demo/sandbox'].map((folder) => `--include=${folder}/**`);
const ended = [
  run(bin('c8'), [
    ...[...reports, ...sources, '--exclude-after-remap', '--reports-dir=coverage/node'],
    ...[process.execPath, '--enable-source-maps', '--test', '--test-concurrency=2', '--test-reporter=dot'],
    ...compiled,
  ]),
  run(bin('wtr'), ['--coverage']),
];
process.exitCode = ended.every((status) => status === 0) ? 0 : 1;
