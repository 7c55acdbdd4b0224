// `npm run test:frameworks`: the packed package in a copy of each example, installed, built and driven in Chromium.
// - `npm run test:frameworks -- vue vite` runs only these. The repository must be built; npm must reach its registry.
// - The example without a framework is built by other bundlers too, by webpack also for a page with Trusted Types, and served by
//   Vite; and by Vite for a page that takes the script from the proxy.
// - The built page: attributes, properties, a call by a reference, an event with its detail, and no error or warning on the
//   console.
// - The dev server: a change of the source is shown, in the same element where the framework can do that.
// - The last line is `N passed, N failed`.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'puppeteer-core';
import { startBackend } from '../backend/backend.mjs';
import { freePort } from '../backend/free-port.mjs';
import { openOwnBrowser } from '../browser/open-browser.ts';
import { examples, type Example } from './examples.ts';

const START_MS = 120_000;
const work = mkdtempSync(join(tmpdir(), 'frameworks-'));
const packed = JSON.parse(
  execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', work], {
    encoding: 'utf8',
  }),
) as [{ filename: string }];
const archive = join(work, packed[0].filename);

const port = await freePort();
const origin = `http://127.0.0.1:${port}`;
const backend = await startBackend([origin]);
/** The variable that gives each project's dev server the address of the proxy. */
const environment = { ...process.env, SIGN_PROXY: new URL(backend.addresses.proxy).origin };

/** Runs a command in a folder; throws with what it printed. */
function run(folder: string, command: string, ...args: string[]): void {
  try {
    execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: 'pipe', env: environment });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${command} ${args.join(' ')}\n${stdout}${stderr}`, { cause: error });
  }
}

/** A copy of the example that has the packed package installed. */
function install({ name, folder, versions = {}, bundler }: Example): string {
  const project = join(work, name);
  cpSync(resolve('demo/examples', folder), project, {
    recursive: true,
    filter: (file) => !/node_modules|\/dist$/.test(file),
  });
  const file = join(project, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Record<
    'dependencies' | 'devDependencies' | 'scripts',
    Record<string, string>
  >;
  for (const list of [manifest.dependencies, manifest.devDependencies]) {
    for (const name of Object.keys(list)) list[name] = versions[name] ?? list[name]!;
  }
  manifest.dependencies['sign-elements'] = `file:${archive}`;
  if (bundler) {
    Object.assign(manifest.devDependencies, bundler.packages);
    manifest.scripts['build'] = bundler.build;
    Object.assign(manifest, bundler.settings);
  }
  writeFileSync(file, JSON.stringify(manifest));
  run(project, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund');
  return project;
}

/** Runs the project's server while `use` runs. */
async function serve(
  project: string,
  { program = 'vite/bin/vite.js', host = '--host' }: Example,
  args: readonly string[],
  use: (origin: string) => Promise<void>,
): Promise<void> {
  const at = [
    host,
    '127.0.0.1',
    '--port',
    String(port),
    ...(program.startsWith('vite') ? ['--strictPort'] : []),
  ];
  const server = spawn(process.execPath, [join('node_modules', program), ...args, ...at], {
    cwd: project,
    env: environment,
    stdio: 'ignore',
    // Some servers are several processes; they are ended as a group.
    detached: true,
  });
  const ended = once(server, 'exit');
  try {
    const end = Date.now() + START_MS;
    while (!(await fetch(origin).catch(() => null))?.ok) {
      if (Date.now() > end || server.exitCode !== null)
        throw new Error(`${program} ${args.join(' ')} does not answer`);
      await delay(100);
    }
    await use(origin);
  } finally {
    if (server.exitCode === null) process.kill(-server.pid!);
    await ended;
  }
}

type Signer = HTMLElementTagNameMap['sign-translate'];

/** Throws unless both values are equal. */
function expect(what: string, found: unknown, expected: unknown): void {
  const [one, other] = [found, expected].map((value) => JSON.stringify(value));
  if (one !== other) throw new Error(`${what}: ${one}, not ${other}`);
}

/** Waits until `shown` is true in the page. `what` names it in the error. */
const seen = (page: Page, what: string, shown: () => unknown) =>
  page.waitForFunction(shown).catch((error: Error) => {
    throw new Error(`${what}: ${error.message}`, { cause: error });
  });

async function driveBuilt(page: Page): Promise<void> {
  await seen(page, 'the element has its properties', () => {
    const signer = document.querySelector<Signer>('sign-translate');
    return signer?.shadowRoot && signer.generateOptions;
  });
  const found = await page.evaluate(() => {
    const signer = document.querySelector<Signer>('sign-translate')!;
    const { generateOptions, controls, idleAfter } = signer;
    return [signer.for, generateOptions, controls, idleAfter];
  });
  expect('attributes and properties', found, ['news', { tone: 'calm' }, true, 'none']);
  await page.click('#sign');
  await seen(page, 'a text is signed', () => document.querySelector('output')?.textContent === 'Welcome.');
  await page.click('#swap');
  await seen(
    page,
    'another signer',
    () => document.querySelector<Signer>('sign-translate')?.signer === 'JAY',
  );
}

async function driveDev(page: Page, file: string, remakes: boolean): Promise<void> {
  await seen(page, 'the element is defined', () => document.querySelector('sign-translate')?.shadowRoot);
  // A dev server that still prepares packages loads the page once more, and a change in between reaches no page.
  await page.waitForNetworkIdle();
  await page.evaluate(() => Object.assign(document.querySelector('sign-translate')!, { kept: true }));
  writeFileSync(file, readFileSync(file, 'utf8').replace('Sign a welcome', 'Sign it again'));
  await seen(
    page,
    'the change of the source',
    () => document.getElementById('sign')?.textContent?.trim() === 'Sign it again',
  );
  const kept = await page.evaluate(() => 'kept' in document.querySelector('sign-translate')!);
  expect('the element is the same one', kept, !remakes);
}

const wanted = process.argv.slice(2);
const chosen = examples.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const browser = await openOwnBrowser();

async function inPage(url: string, drive: (page: Page) => Promise<void>): Promise<void> {
  const problems: string[] = [];
  const context = await browser.createBrowserContext();
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(START_MS);
    page.on('console', (message) => {
      const isOfLit = message.text().startsWith('Lit is in dev mode');
      if (['error', 'warn'].includes(message.type()) && !isOfLit) problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(String(error)));
    await page.goto(url);
    await drive(page).catch((error: Error) => {
      throw new Error([error.message, ...problems].join('\n'), { cause: error });
    });
  } finally {
    await context.close();
  }
  expect('errors and warnings', problems, []);
}

let failed = 0;
for (const example of chosen) {
  const start = Date.now();
  const { built = ['preview'], dev = [], source, remakes = false } = example;
  const problem = await (async () => {
    const project = install(example);
    run(project, 'npm', 'run', 'build');
    await serve(project, example, built, (at) => inPage(at, driveBuilt));
    if (source === undefined) return;
    const file = join(project, source);
    await serve(project, example, dev, (at) => inPage(at, (page) => driveDev(page, file, remakes)));
  })().then(
    () => null,
    (error: Error) => error.message,
  );
  if (problem !== null) failed += 1;
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  console.log(
    `${problem === null ? '✔' : '✖'} ${example.name}: ${seconds} s${problem === null ? '' : `\n${problem}`}`,
  );
}
await browser.close();
await backend.close();
rmSync(work, { recursive: true });
console.log(`${chosen.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
