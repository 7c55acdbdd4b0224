// The samples of docs/elements.md with which a page changes requests, texts, streams, icons and the console, and their effects.
// - The page has its proxy on its own origin, as behind a web server, because a proxy elsewhere allows no headers of a page.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { build } from 'esbuild';
import type { HTTPRequest, Page } from 'puppeteer-core';
import { ofLanguage } from '../docs/samples.ts';
import { openSite } from './site.ts';

const site = await openSite();
after(() => site.close());
const { proxy } = site.backend.addresses;

/** The sample of docs/elements.md that has these words. */
function codeOf(words: string, ...languages: string[]): string {
  const [sample, ...more] = ofLanguage(...languages).filter(
    ({ file, code }) => file === 'docs/elements.md' && code.includes(words),
  );
  assert.ok(sample && more.length === 0, `one sample with ${words}`);
  return sample.code;
}

/** Bundles the modules that the samples import into scripts of the site, by their names. */
async function bundle(scripts: Readonly<Record<string, string>>): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: Object.keys(scripts).map((name) => ({ in: `sample:${name}`, out: name })),
    plugins: [
      {
        name: 'samples',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^sample:/ }, ({ path }) => ({ path, namespace: 'sample' }));
          onLoad({ filter: /./, namespace: 'sample' }, ({ path }) => ({
            contents: scripts[path.split(':')[1]!]!,
            loader: 'ts',
            resolveDir: '.',
          }));
        },
      },
    ],
    alias: { 'sign-elements': './dist' },
    ...{ bundle: true, splitting: true, format: 'esm', target: 'es2022', write: false, outdir: '/' },
    logLevel: 'error',
  });
  for (const { path, text } of outputFiles) site.scripts.set(path, text);
}

const define = "import 'sign-elements/define';";
const [settings, texts] = [codeOf('cmcd:', 'js'), codeOf('cy:', 'js')];
await bundle({
  elements: define,
  settings: `${settings}\nwindow.isSet = true;`,
  texts: `${texts}\nwindow.isSet = true;`,
  debug: "import { configure } from 'sign-elements';\nconfigure({ log: 'debug' });\nwindow.isSet = true;",
  stats: `declare const signer: any;\n${codeOf('sign-stats', 'ts')}`,
});
const script = (name: string): string => `<script type="module" src="/${name}.js"></script>`;
const run = async (page: Page, name: string): Promise<void> => {
  await page.addScriptTag({ type: 'module', url: `/${name}.js` });
  await page.waitForFunction('window.isSet');
};

/** Passes requests for /sign of the site on to the proxy, as a web server in front of both does; calls `seen` with each. */
async function forward(page: Page, seen: (request: HTTPRequest) => void): Promise<void> {
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    const { pathname, search, origin } = new URL(request.url());
    if (origin !== site.origin || !pathname.startsWith('/sign/')) return void request.continue();
    seen(request);
    const { 'content-type': type } = request.headers();
    void fetch(proxy.replace(/\/sign$/, pathname) + search, {
      method: request.method(),
      body: request.postData() ?? null,
      headers: type ? { 'content-type': type } : {},
    }).then(async (answer) =>
      request.respond({
        status: answer.status,
        contentType: answer.headers.get('content-type') ?? '',
        body: Buffer.from(await answer.arrayBuffer()),
      }),
    );
  });
}

const labelOf = (page: Page, part: string): Promise<string | null> =>
  page.$eval(`sign-translate >>> [part~="${part}"]`, ({ ariaLabel }) => ariaLabel);

test('headers of the page are in a request to the proxy, and texts of the page are on the buttons', async () => {
  const { page, problems } = await site.open(
    `${script('elements')}<sign-translate proxy="/sign" transport="rest" resolution="480p" controls></sign-translate>`,
  );
  const sites: (string | undefined)[] = [];
  await forward(page, (request) => {
    if (request.method() === 'POST') sites.push(request.headers()['x-site']);
  });
  await page.waitForSelector('sign-translate >>> [part~="toggle"]');
  const before = await labelOf(page, 'toggle');
  await run(page, 'settings');
  await page.evaluate(() =>
    document
      .querySelector('sign-translate')!
      .sign('Hello')
      .then(() => {}),
  );
  await page.waitForFunction(
    (label) =>
      document.querySelector('sign-translate')!.shadowRoot!.querySelector('[part~="toggle"]')!.ariaLabel !==
      label,
    {},
    before,
  );
  assert.deepEqual([await labelOf(page, 'toggle'), sites, problems], ['Start', ['news'], []]);
  await page.close();
});

test('a page can set the texts of a group and of the panel in two languages', async () => {
  const { page, problems } = await site.open(
    `${script('elements')}<p id="news">Snow.</p>
     <sign-translate proxy="${proxy}" resolution="480p" for="news" placement="bottom-right" controls></sign-translate>`,
  );
  await run(page, 'texts');
  const title = (): Promise<unknown> =>
    page.$eval('sign-translate >>> [part~="title"]', ({ textContent }) => textContent);
  await page.$eval('sign-translate', (signer) => {
    signer.show();
    void signer.read();
  });
  await page.waitForSelector('sign-translate >>> [part~="stop"][aria-label="End"]');
  assert.equal(await title(), 'Sign language');
  await page.evaluate(() => (document.documentElement.lang = 'cy'));
  await page.waitForFunction(
    () =>
      document.querySelector('sign-translate')!.shadowRoot!.querySelector('[part~="title"]')?.textContent ===
      'BSL',
  );
  assert.deepEqual(problems, []);
  await page.close();
});

/** Plays a stream of the sandbox until its picture moves. */
const playStream = (page: Page): Promise<void> =>
  page.evaluate(async (prefix) => {
    await customElements.whenDefined('sign-live-player');
    const answer = await fetch(`${prefix}/v2/generate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        content: { type: 'text', data: 'Good morning' },
        output: { format: 'hls', delivery: { method: 'stream' } },
        context: { application: 'test' },
      }),
    });
    const { manifests } = (await answer.json()) as { manifests: { hls: string } };
    const player = Object.assign(document.createElement('sign-live-player'), { src: manifests.hls });
    const isPlaying = new Promise((resolve) => player.addEventListener('timeupdate', resolve));
    document.body.append(player);
    await isPlaying;
  }, proxy);

test('with options for hls.js the requests of a stream have CMCD data for a CDN', async () => {
  const { page, problems } = await site.open(script('elements'));
  await run(page, 'settings');
  const asked: string[] = [];
  page.on('request', (request) => void asked.push(request.url()));
  await playStream(page);
  const named = asked.filter((url) =>
    new URL(url).searchParams.get('CMCD')?.includes('cid="council-meeting"'),
  );
  assert.ok(named.length > 1, asked.join('\n'));
  assert.deepEqual(problems, []);
  await page.close();
});

test('with log `debug` hls.js writes on the console what it does, and otherwise it does not', async () => {
  for (const isWanted of [false, true]) {
    const { page, problems } = await site.open(script('elements'));
    const said: string[] = [];
    page.on('console', (message) => void said.push(message.text()));
    if (isWanted) await run(page, 'debug');
    await playStream(page);
    assert.equal(
      said.some((text) => text.startsWith('[')),
      isWanted,
      said.join('\n'),
    );
    assert.deepEqual(problems, []);
    await page.close();
  }
});

test('a mistake of the page is reported on the console, and with log `none` it is not', async () => {
  for (const isQuiet of [false, true]) {
    const { page } = await site.open(script('elements'));
    const said: string[] = [];
    page.on('console', (message) => void said.push(message.text()));
    if (isQuiet) await run(page, 'settings');
    await page.evaluate(async () => {
      await customElements.whenDefined('sign-translate');
      document.body.insertAdjacentHTML('beforeend', '<sign-translate resolution="9p"></sign-translate>');
      await document.querySelector('sign-translate')!.updateComplete;
    });
    const warnings = said.filter((text) => text.includes('resolution'));
    assert.equal(warnings.length, isQuiet ? 0 : 1, said.join('\n'));
    await page.close();
  }
});

test('sign-stats has the time to the first frame', async () => {
  const { page, problems } = await site.open(
    `${script('elements')}<sign-translate proxy="${proxy}" resolution="480p"></sign-translate>`,
  );
  const said: string[] = [];
  page.on('console', (message) => void said.push(message.text()));
  await page.evaluate('window.signer = document.querySelector("sign-translate")');
  await page.addScriptTag({ type: 'module', url: '/stats.js' });
  await page.evaluate(() =>
    document
      .querySelector('sign-translate')!
      .sign('Hello')
      .then(() => {}),
  );
  assert.match(said.join('\n'), /first frame after \d+\.\d\d s, 0 stalls/);
  assert.deepEqual(problems, []);
  await page.close();
});

test('an icon of the page is in the button, and its own button is at the end of the bar', async () => {
  const { page, problems } = await site.open(
    `${script('elements')}<p id="article">Snow.</p>${codeOf('icon-play', 'html')}`,
  );
  await page.waitForSelector('[slot="icon-play"]', { visible: true });
  const places = await page.evaluate(() => {
    const signer = document.querySelector('sign-translate')!;
    const [toggle, ...others] = [
      ...signer.shadowRoot!.querySelectorAll('[part~="toggle"], .controls [part~="button"]'),
    ].map((element) => element.getBoundingClientRect()) as [DOMRect, ...DOMRect[]];
    const [icon, own] = ['svg', '#bigger'].map((one) =>
      signer.querySelector(one)!.getBoundingClientRect(),
    ) as [DOMRect, DOMRect];
    return {
      isInside: icon.left > toggle.left && icon.right < toggle.right && icon.top > toggle.top,
      isLast: others.every(({ right, bottom }) => own.left >= right || own.top >= bottom),
    };
  });
  assert.deepEqual([places, problems], [{ isInside: true, isLast: true }, []]);
  await page.close();
});
