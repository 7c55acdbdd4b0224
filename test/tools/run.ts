// `npm run test:tools`: the tools of other people, set up as the documents say: dev servers, the compilers of Vue and Angular,
//   Jest, Vitest, Playwright; and the program in PHP of docs/proxy.md.
// - Settings and programs are copied from the documents. Only the addresses differ. The repository must be built.
// - The last line is `N passed, N failed`.
import { readFileSync } from 'node:fs';
import { createSignProxy, readConfig } from '../../dist/proxy/index.js';
import { startSandbox } from '../../dist/sandbox/index.js';
import { freePort } from '../backend/free-port.mjs';
import painting from '../backend/painting.mjs';
import { proxyVariables } from '../backend/proxy-variables.mjs';
import { obtainChromium } from '../browser/obtain-chromium.mjs';
import { launchFlags } from '../browser/launch-flags.mjs';
import { openOwnBrowser } from '../browser/open-browser.ts';
import { samples } from '../docs/samples.ts';
import { runPhp } from '../php.ts';
import { install, project, remove, runTool, tools, whileServing } from './project.ts';

/** The code of a document that has these words in it. */
function codeOf(file: string, words: string): string {
  const [sample, ...more] = samples.filter(
    (one) => one.file === `docs/${file}.md` && one.code.includes(words),
  );
  if (!sample || more.length > 0) throw new Error(`one sample of ${file} has ${words}`);
  return sample.code;
}

const sandbox = await startSandbox({ render: painting });
/** The proxy. It allows pages of the host that the request names, so a dev server must not change `Host`. */
const proxy = createSignProxy(readConfig(proxyVariables(sandbox.addresses)));
const target = await proxy.listen();
const browser = await openOwnBrowser();

const page = (
  script: string,
): string => `<!doctype html><html lang="en"><meta charset="utf-8" /><title>News</title>
<link rel="icon" href="data:," /><p id="news">The library opens at nine.</p>
<sign-translate for="news" transport="v3" resolution="480p" idle-after="none"></sign-translate>${script}`;

/**
 * Opens the page and signs a text over a socket; throws when there is a warning on the console, or the component that the page has
 * does not write what is signed.
 */
async function signsIn(address: string, writes: boolean): Promise<void> {
  const context = await browser.createBrowserContext();
  try {
    const opened = await context.newPage();
    const problems: string[] = [];
    const written: string[] = [];
    opened.on('console', (message) => {
      const isOfLit = message.text().startsWith('Lit is in dev mode');
      if (['error', 'warn'].includes(message.type()) && !isOfLit) problems.push(message.text());
      if (message.type() === 'log') written.push(message.text());
    });
    opened.on('pageerror', (error) => problems.push(String(error)));
    await opened.goto(address);
    const text = await opened
      .evaluate(async () => {
        await customElements.whenDefined('sign-translate');
        return (await document.querySelector('sign-translate')!.sign('Welcome.')).text;
      })
      .catch((error: unknown) => String(error));
    if (writes && !written.includes('Welcome.')) problems.push(`written: ${written.join()}`);
    if (text !== 'Welcome.' || problems.length > 0) throw new Error([text, ...problems].join('\n'));
  } finally {
    await context.close();
  }
}

const MODULE = '<script type="module" src="/src/main.js"></script>';
const ofComponent = (root: string): string =>
  `<!doctype html><html lang="en"><title>News</title><link rel="icon" href="data:," />${root}${MODULE}`;
const MAIN = "import 'sign-elements/define/sign-translate';\n";
const forwarding = (words: string): string =>
  codeOf('dev-servers', words).replace('http://127.0.0.1:8787', target);

async function servesWith(
  name: string,
  tool: string,
  args: readonly string[],
  files: Readonly<Record<string, string>>,
  writes = false,
): Promise<void> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const folder = project(name, files);
  await whileServing(folder, tool, [...args, '--host', '127.0.0.1', '--port', String(port)], origin, () =>
    signsIn(origin, writes),
  );
}

/** The sample of a unit test, and a check of its result. */
const unitTest = `${codeOf('testing-pages', 'document.createElement')}
test('the page signs the notice', async () => {
  document.body.append(signer);
  expect(signer.shadowRoot).not.toBe(null);
  expect((await signer.sign('Welcome.')).text).toBe('Welcome.');
  expect(asked).toEqual(['Welcome.']);
  signer.remove();
});
`;
const jestConfig = codeOf('testing-pages', 'transformIgnorePatterns');

/** The answer to a request with this ticket of a proxy that requires tickets, signed with `key`. */
async function answerTo(ticket: string, key: string): Promise<string> {
  const required = { SIGN_TICKETS: 'required', SIGN_TICKET_KEY: key };
  const asking = createSignProxy(readConfig({ ...proxyVariables(sandbox.addresses), ...required }));
  try {
    const response = await fetch(`${await asking.listen()}/sign/v2/generate`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Sign-Ticket': ticket },
      body: JSON.stringify({
        content: { type: 'text', data: 'Welcome.' },
        output: { format: 'mp4', delivery: { method: 'download' } },
        context: { application: 'tools' },
      }),
    });
    return `${response.status} ${await response.text()}`;
  } finally {
    await asking.close();
  }
}

const tests: [title: string, run: () => Promise<void> | void][] = [
  [
    'the documents name the versions that are tried here',
    () => {
      const texts = ['dev-servers', 'testing-pages'].map((name) => readFileSync(`docs/${name}.md`, 'utf8'));
      for (const [name, tool] of [
        ['Vite', 'vite'],
        ['webpack-dev-server', 'webpack-dev-server'],
        ['Jest', 'jest'],
        ['Vitest', 'vitest'],
        ['Playwright', '@playwright/test'],
      ] as const)
        if (!texts.join('\n').includes(`${name} ${tools[tool]}`)) throw new Error(`${name} ${tools[tool]}`);
    },
  ],
  [
    'Vite forwards requests and sockets to the proxy',
    () =>
      servesWith('vite', 'vite', ['--strictPort'], {
        'vite.config.js': forwarding('server: {'),
        'index.html': page(MODULE),
        'src/main.js': MAIN,
      }),
  ],
  [
    'where Vite changes Host, a page that uses sockets is told that the proxy refuses it',
    async () => {
      const refused = servesWith('vite-host', 'vite', ['--strictPort'], {
        'vite.config.js': forwarding('server: {').replace('ws: true', 'ws: true, changeOrigin: true'),
        'index.html': page(MODULE),
        'src/main.js': MAIN,
      });
      const said = await refused.then(String, (error: Error) => error.message);
      if (!said.includes('the proxy refuses this origin')) throw new Error(said);
    },
  ],
  [
    'webpack-dev-server forwards requests and sockets to the proxy',
    () =>
      servesWith('webpack', 'webpack', ['serve', '--mode', 'development'], {
        'webpack.config.js': forwarding('devServer: {'),
        'public/index.html': page('<script src="/main.js"></script>'),
        'src/index.js': MAIN,
      }),
  ],
  [
    'Vue takes the tags of a component for elements, and calls its handler',
    () =>
      servesWith(
        'vue',
        'vite',
        ['--strictPort'],
        {
          // Vite takes the settings of both documents.
          'vite.config.js':
            "import forwarding from './forwarding.js';\nimport vue from './vue.js';\nexport default { ...forwarding, ...vue };\n",
          'forwarding.js': forwarding('server: {'),
          'vue.js': codeOf('frameworks', '@vitejs/plugin-vue'),
          'index.html': ofComponent('<div id="app"></div>'),
          'src/main.js':
            "import { createApp } from 'vue';\nimport News from './News.vue';\ncreateApp(News).mount('#app');\n",
          'src/News.vue': codeOf('frameworks', '<script setup lang="ts">'),
        },
        true,
      ),
  ],
  [
    'Angular calls the handler of a component',
    () =>
      servesWith(
        'angular',
        'vite',
        ['--strictPort'],
        {
          'vite.config.js': forwarding('server: {'),
          'tsconfig.json': '{ "compilerOptions": { "experimentalDecorators": true } }',
          'index.html': ofComponent('<app-news></app-news>'),
          'src/main.js': `import '@angular/compiler';
            import { provideZonelessChangeDetection } from '@angular/core';
            import { bootstrapApplication } from '@angular/platform-browser';
            import { News } from './news.ts';
            await bootstrapApplication(News, { providers: [provideZonelessChangeDetection()] });`,
          'src/news.ts': codeOf('frameworks', '@angular/core'),
        },
        true,
      ),
  ],
  [
    'Jest runs the unit test, compiled to CommonJS',
    () => {
      const files = { 'jest.config.js': jestConfig, 'news.test.js': unitTest };
      return runTool(project('jest', files), 'jest', ['--no-watchman']);
    },
  ],
  [
    'Jest runs the unit test as ES modules',
    () => {
      const config = "export default { testEnvironment: 'jsdom', transform: {} };";
      const folder = project('jest-modules', { 'jest.config.js': config, 'news.test.js': unitTest });
      return runTool(folder, 'jest', ['--no-watchman'], { NODE_OPTIONS: '--experimental-vm-modules' });
    },
  ],
  [
    'Vitest runs the unit test in happy-dom and in jsdom',
    async () => {
      const folder = project('vitest', { 'news.test.js': unitTest });
      for (const dom of ['happy-dom', 'jsdom'])
        await runTool(folder, 'vitest', ['run', '--globals', '--environment', dom]);
    },
  ],
  [
    'Playwright runs the test in a browser',
    async () => {
      const port = await freePort();
      const origin = `http://127.0.0.1:${port}`;
      const settings = { executablePath: obtainChromium(console.error), args: launchFlags };
      const folder = project('playwright', {
        'vite.config.js': forwarding('server: {'),
        'notice.html': page(MODULE),
        'src/main.js': MAIN,
        'tests/notice.spec.ts': codeOf('testing-pages', '@playwright/test').replace(
          'http://localhost:3000/notice',
          `${origin}/notice.html`,
        ),
        'playwright.config.js': `export default { testDir: 'tests', use: { launchOptions: ${JSON.stringify(settings)} } };`,
      });
      const args = ['--strictPort', '--host', '127.0.0.1', '--port', String(port)];
      await whileServing(folder, 'vite', args, `${origin}/notice.html`, () =>
        runTool(folder, 'playwright', ['test']),
      );
    },
  ],
  [
    'PHP signs a ticket that the proxy takes, and none with another key',
    async () => {
      const key = 'key-of-the-tickets-of-this-site';
      const ticket = await runPhp(`${codeOf('proxy', 'hash_hmac')}\necho sign_ticket('${key}');`);
      const answers = await Promise.all([key, `another-${key}`].map((one) => answerTo(ticket, one)));
      if (!/^200 /.test(answers[0]!) || !/^401 .*ticket_refused/.test(answers[1]!))
        throw new Error(answers.join('\n'));
    },
  ],
];

await install();
let failed = 0;
for (const [title, run] of tests) {
  const problem = await Promise.resolve()
    .then(run)
    .then(
      () => null,
      (error: Error) => error.message,
    );
  if (problem !== null) failed += 1;
  console.log(`${problem === null ? '✔' : '✖'} ${title}${problem === null ? '' : `\n${problem}`}`);
}
await browser.close();
await proxy.close();
await sandbox.close();
remove();
console.log(`${tests.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
