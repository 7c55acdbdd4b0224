// The cdn build on a page of another origin: as a module, as a plain script, twice, and where it cannot work.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test, { after } from 'node:test';
import { openSite } from './site.ts';

const site = await openSite();
after(() => site.close());
const { proxy } = site.backend.addresses;

/** The proxy that the page's element uses when it is defined; it has no `proxy` attribute. */
async function proxyOfElement(): Promise<string | undefined> {
  await customElements.whenDefined('sign-translate');
  return document.querySelector('sign-translate')?.proxy;
}

for (const [what, tag] of [
  ['a module script', `<script type="module" src="${proxy}/elements.js"></script>`],
  ['a plain script', `<script src="${proxy}/elements.classic.js"></script>`],
  ['a plain async script', `<script async src="${proxy}/elements.classic.js?v=1"></script>`],
  ['a plain deferred script', `<script defer src="${proxy}/elements.classic.js"></script>`],
  ['a plain script behind the element', `<p></p><script src="${proxy}/elements.classic.js"></script>`],
] as const) {
  test(`${what} from the proxy defines the element, which takes its proxy from there`, async () => {
    const { page, problems } = await site.open(`<sign-translate></sign-translate>${tag}`);
    assert.equal(await page.evaluate(proxyOfElement), proxy);
    assert.deepEqual(problems, []);
    await page.close();
  });
}

test('with a launcher only the plain script is loaded, at most 6 kB, until the button is pressed', async () => {
  const tag = `<script src="${proxy}/elements.classic.js"></script>`;
  const launcher = '<sign-translate placement="bottom-right" launcher></sign-translate>';
  const { page, problems } = await site.open(tag + launcher);
  const button = await page.waitForSelector('sign-translate >>> .launcher', { visible: true });
  const scripts = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.js'))
      .map((entry) => (entry as PerformanceResourceTiming).name),
  );
  assert.deepEqual(scripts, [`${proxy}/elements.classic.js`]);
  assert.ok(readFileSync('dist/cdn/sign-elements.classic.js.br').length <= 6_000);
  await button!.press('Enter');
  await page.waitForSelector('sign-translate >>> .head', { visible: true });
  const state = await page.evaluate(() => {
    const { shadowRoot, open } = document.querySelector('sign-translate')!;
    return { open, launchers: shadowRoot!.querySelectorAll('.launcher').length };
  });
  assert.deepEqual(state, { open: true, launchers: 0 });
  const close = await page.$('sign-translate >>> .close');
  await close!.press('Enter');
  await page.waitForSelector('sign-translate >>> .launcher', { visible: true });
  assert.deepEqual(problems, []);
  await page.close();
});

test('with a launcher the module loads the panel when the button is pressed, and the button follows the language of the page', async () => {
  const { page, problems } = await site.open(
    `<sign-translate placement="bottom-right" launcher remember="none" controls></sign-translate>
     <script type="module" src="${proxy}/elements.js"></script>`,
  );
  const text = (words: string): Promise<unknown> =>
    page.waitForFunction(
      (wanted) =>
        document.querySelector('sign-translate')!.shadowRoot!.querySelector('.launcher')?.textContent ===
        wanted,
      {},
      words,
    );
  await text('Sign language');
  const files = (): Promise<string[]> =>
    page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => name.replace(/.*\/|-[\da-f]{6}\.js$/g, '')),
    );
  assert.deepEqual(
    (await files()).filter((name) => /panel|control-bar/.test(name)),
    ['closed-panel'],
  );
  await page.evaluate(() => (document.documentElement.lang = 'cy'));
  await text('Iaith arwyddion');
  await page.$eval('sign-translate', (signer) => signer.focus());
  await page.keyboard.press('Enter');
  await page.waitForSelector('sign-translate >>> .head', { visible: true });
  assert.ok((await files()).includes('panel'));
  assert.equal(await page.$('sign-translate >>> .launcher'), null);
  await page.waitForFunction(() => document.querySelector('sign-translate')!.shadowRoot!.activeElement);
  assert.deepEqual(problems, []);
  await page.close();
});

test('the plain script loads the elements when the page opens a panel or adds an element', async () => {
  const tag = `<script src="${proxy}/elements.classic.js"></script>`;
  for (const isOpened of [true, false]) {
    const { page } = await site.open(`${tag}<sign-translate placement="top-left" launcher></sign-translate>`);
    await page.evaluate((isOpened) => {
      if (isOpened) document.querySelector('sign-translate')!.toggleAttribute('open', true);
      else document.body.append(document.createElement('sign-announcement'));
    }, isOpened);
    await page.evaluate(() => customElements.whenDefined('sign-translate').then(() => {}));
    await page.close();
  }
});

test("from the site's own copy of the package the proxy is /sign", async () => {
  const tag = '<script src="/dist/cdn/sign-elements.classic.js"></script>';
  const { page, problems } = await site.open(`<sign-translate></sign-translate>${tag}`);
  assert.equal(await page.evaluate(proxyOfElement), '/sign');
  assert.deepEqual(problems, []);
  await page.close();
});

test('a classic script keeps its query string, so that a new version has a new address', async () => {
  const { page } = await site.open(`<script src="${proxy}/elements.classic.js?v=7"></script>`);
  await page.evaluate(() => customElements.whenDefined('sign-translate').then(() => {}));
  const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
  assert.ok(loaded.includes(`${proxy}/elements.js?v=7`), loaded.join(' '));
  await page.close();
});

test('the texts of the plain script have the right letters on a page in Latin-1', async () => {
  // The server names no encoding of the script, and the page is in Latin-1.
  const { page } = await site.open(
    `<script charset="windows-1252" src="/dist/cdn/sign-elements.classic.js"></script>
     <sign-translate lang="de" placement="bottom-right" launcher remember="none"></sign-translate>`,
  );
  const button = await page.waitForSelector('sign-translate >>> .launcher');
  assert.equal(await button!.evaluate(({ textContent }) => textContent), 'Gebärdensprache');
  await page.close();
});

test('the classic script loaded as a module reports what is wrong', async () => {
  const { page, problems } = await site.open(
    `<script type="module" src="${proxy}/elements.classic.js"></script>`,
  );
  assert.equal(problems.length, 1);
  assert.match(String(problems[0]), /sign-elements: .*neither as a module/);
  await page.close();
});

for (const mode of ['translate', 'stream']) {
  test(`in mode ${mode} a text is signed on a page whose scripts add members to Object.prototype`, async () => {
    const { page, problems } = await site.open(`<sign-translate mode="${mode}"></sign-translate>`);
    await page.evaluate((src) => {
      Object.assign(Object.prototype, { each: Function.prototype, 'x-size': 3 });
      document.head.append(Object.assign(document.createElement('script'), { type: 'module', src }));
    }, `${proxy}/elements.js`);
    const [signed, kept] = await page.evaluate(async () => {
      await customElements.whenDefined('sign-translate');
      const { text } = await document.querySelector('sign-translate')!.sign('Good morning');
      return [text, ({} as { 'x-size'?: number })['x-size']] as const;
    });
    assert.equal(signed, 'Good morning');
    assert.equal(kept, 3, 'the page keeps its members');
    assert.deepEqual(problems, []);
    await page.close();
  });
}

test('data- attributes put a signer on the page: those of the script, those of a div, and those in place of `for`', async () => {
  for (const [html, part] of [
    ['<p id="news">Snow.</p>', `data-for="news" data-idle-after="none"`],
    ['<p id="news">Snow.</p><div data-sign-translate data-for="news" data-idle-after="none"></div>', ''],
    ['<p id="news">Snow.</p><sign-translate data-for="news" data-idle-after="none"></sign-translate>', ''],
  ] as const) {
    for (const kind of ['type="module" src="PROXY/elements.js"', 'src="PROXY/elements.classic.js"']) {
      const src = kind.replace('PROXY', site.backend.addresses.proxy);
      const { page, said } = await site.open(`${html}<script ${src} ${part}></script>`);
      await page.waitForSelector('sign-translate[for=news][idle-after=none]:defined');
      await page.waitForNetworkIdle();
      const asked = await page.evaluate(
        () =>
          performance.getEntriesByType('resource').filter(({ name }) => /place-signers/.test(name)).length,
      );
      assert.deepEqual([asked, said], [1, []]);
      await page.close();
    }
  }
});

for (const kind of ['type="module" src="PROXY/elements.js"', 'src="PROXY/elements.classic.js"']) {
  test(`with <script ${kind}> no data- attribute of a text becomes a handler, a style or the proxy of the signer`, async () => {
    const harm =
      'data-for="news" data-onclick="document.title = 1" data-onfocus="0" data-style="position: fixed" data-proxy="https://other.example"';
    const { page, problems } = await site.open(`<p id="news">Snow.</p><div data-sign-translate ${harm}></div>
      <input data-sign-translate ${harm} src="https://other.example/elements.js"><sign-translate ${harm}></sign-translate><script ${kind.replace('PROXY', proxy)} data-for="p" data-onclick="0"></script>`);
    for (const where of [
      'div > sign-translate[for=news]',
      'input > sign-translate',
      'body > sign-translate[for=news]',
      '[for=p]',
    ])
      await page.waitForSelector(where);
    const names = await page.$$eval('sign-translate', (signers) =>
      signers.flatMap((signer) => signer.getAttributeNames().filter((name) => !name.startsWith('data-'))),
    );
    assert.deepEqual([...new Set(names)], ['for']);
    assert.deepEqual(problems, []);
    await page.close();
  });
}

test('a script that is twice on the page, or two copies of the elements, put one signer in a place, and the first stays', async () => {
  const own = '/dist/cdn/sign-elements.js';
  for (const [place, data] of [
    ['<p>Between</p>', 'data-for="news" data-idle-after="none"'],
    ['<div data-sign-translate data-for="news" data-idle-after="none"></div>', ''],
  ] as const) {
    const { page, problems } = await site.open(
      `<p id="news">Snow.</p><script type="module" src="${proxy}/elements.js" ${data}></script>${place}`,
    );
    const first = await page.waitForSelector('sign-translate[for=news]:defined');
    await page.evaluate(
      (src, isOfScript) => {
        const again = Object.assign(document.createElement('script'), { src, type: 'module' });
        if (isOfScript) Object.assign(again.dataset, { for: 'news', idleAfter: 'none' });
        document.body.append(again);
      },
      own,
      data !== '',
    );
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({ name }) => /dist\/cdn\/.*place-signers/.test(name)),
    );
    await page.evaluate((src) => import(src).then(() => {}), own);
    await page.waitForNetworkIdle();
    assert.equal(await page.$$eval('sign-translate', ({ length }) => length), 1);
    assert.equal(await first!.evaluate(({ isConnected }) => isConnected), true);
    assert.deepEqual(problems, []);
    await page.close();
  }
});
