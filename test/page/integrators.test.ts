// The cdn build as integrators use it: joined with other scripts, named by its hash, added late, in a frame, and in two versions
// on one page.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import test, { after } from 'node:test';
import { build } from 'esbuild';
import type { Page } from 'puppeteer-core';
import { openSite } from './site.ts';

const site = await openSite();
after(() => site.close());
const { proxy } = site.backend.addresses;

/** The proxy of the page's element when it is defined. */
const proxyOfElement = (page: Page): Promise<string | undefined> =>
  page.evaluate(async () => {
    await customElements.whenDefined('sign-translate');
    return document.querySelector('sign-translate')?.proxy;
  });

const read = (path: string): string => readFileSync(`dist/cdn/${path}`, 'utf8');

test('a plain script that was joined with others finds the elements by data-elements, and reports when that is missing', async () => {
  site.scripts.set('/all.js', `var before = 1;\n${read('sign-elements.classic.js')}`);
  const { page, problems } = await site.open(
    `<sign-translate></sign-translate><script src="/all.js" data-elements="${proxy}/elements.js"></script>`,
  );
  assert.equal(await proxyOfElement(page), proxy);
  assert.deepEqual(problems, []);
  await page.close();
  const without = await site.open('<sign-translate></sign-translate><script src="/all.js"></script>');
  assert.equal(without.problems.length, 1);
  assert.match(String(without.problems[0]), /<script data-elements="https/);
  await without.page.close();
});

test('an entry loads by the name with its hash under `integrity`, takes its proxy from there, and signs', async () => {
  const hashes = (await (await fetch(`${proxy}/integrity.json`)).json()) as Record<string, string>;
  assert.equal(Object.keys(hashes).length, 2);
  for (const [name, hash] of Object.entries(hashes)) {
    const type = name.includes('classic') ? '' : 'type="module"';
    const { page, problems } = await site.open(
      `<sign-translate></sign-translate><script ${type} src="${proxy}/${name}" integrity="${hash}" crossorigin></script>`,
    );
    assert.equal(await proxyOfElement(page), proxy, name);
    const signed = await page.evaluate(() => document.querySelector('sign-translate')!.sign('Hello'));
    assert.equal(signed.text, 'Hello');
    assert.deepEqual(problems, []);
    await page.close();
  }
});

test('of two versions on one page the first stays and signs, and the other is reported', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const files = readdirSync('dist/cdn/chunks').filter((name) => name.endsWith('.js'));
  for (const path of ['sign-elements.js', ...files.map((name) => `chunks/${name}`)])
    site.scripts.set(`/older/${path}`, read(path).replaceAll(version, '0.0.9'));
  const warnings: string[] = [];
  const { page, problems } = await site.open(
    `<sign-translate proxy="${proxy}"></sign-translate><script type="module" src="/older/sign-elements.js"></script>`,
  );
  page.on('console', (message) => void (message.type() === 'warn' && warnings.push(message.text())));
  await page.evaluate(() => customElements.whenDefined('sign-translate').then(() => {}));
  await page.addScriptTag({ type: 'module', url: `${proxy}/elements.js` });
  const signed = await page.evaluate(() => document.querySelector('sign-translate')!.sign('Hello'));
  assert.equal(signed.text, 'Hello');
  assert.match(
    warnings.join('\n'),
    new RegExp(`<sign-translate>: 0\\.0\\.9 was defined first and stays\\. Load it or ${version}`),
  );
  assert.deepEqual(problems, []);
  await page.close();
});

for (const [how, name] of [
  ['a module', 'elements.js'],
  ['a plain script', 'elements.classic.js'],
] as const) {
  test(`${how} that a consent manager adds late signs what the page has set before, and places what it asks for`, async () => {
    const { page, problems } = await site.open(
      '<p id="news">Snow.</p><sign-translate></sign-translate><div data-sign-translate data-for="news"></div>',
    );
    const signed = await page.evaluate(
      async (src, type) => {
        const signer = document.querySelector('sign-translate')!;
        const end = new Promise<string>((resolve) => {
          document.body.addEventListener('sign-end', ({ detail }) => resolve(detail.text), { once: true });
        });
        // Properties and attributes that were set before the script count.
        Object.assign(signer, { text: 'Thank you', playbackRate: 2 });
        signer.setAttribute('idle-after', 'none');
        document.head.append(Object.assign(document.createElement('script'), { src, type }));
        return [await end, signer.playbackRate, signer.idleAfter] as const;
      },
      `${proxy}/${name}`,
      name === 'elements.js' ? 'module' : '',
    );
    assert.deepEqual(signed, ['Thank you', 2, 'none']);
    await page.waitForSelector('div > sign-translate[for=news]:defined');
    assert.deepEqual(problems, []);
    await page.close();
  });
}

test('an element in a frame signs, and in a frame without an origin it says that the proxy refuses it', async () => {
  const frame = await site.open(
    `<sign-translate idle-after="none"></sign-translate><script type="module" src="${proxy}/elements.js"></script>`,
  );
  const src = frame.page.url();
  await frame.page.close();
  const { page } = await site.open('<p>Around it</p>');
  await page.setBypassCSP(true);
  await page.reload();
  const sign = async (sandbox: string): Promise<string> => {
    await page.evaluate(
      (address, flags) => {
        const element = Object.assign(document.createElement('iframe'), { src: address });
        element.setAttribute('sandbox', flags);
        document.body.replaceChildren(element);
      },
      src,
      sandbox,
    );
    const handle = await page.waitForSelector('iframe');
    const content = await handle!.contentFrame();
    return content.evaluate(async () => {
      await customElements.whenDefined('sign-translate');
      return document
        .querySelector('sign-translate')!
        .sign('Hello')
        .then(
          ({ text }) => text,
          (error: { code: string }) => error.code,
        );
    });
  };
  assert.equal(await sign('allow-scripts allow-same-origin'), 'Hello');
  assert.equal(await sign('allow-scripts'), 'origin_refused');
  await page.close();
});

for (const kind of ['type="module" src="PROXY/elements.js"', 'src="PROXY/elements.classic.js"']) {
  const tag = kind.replace('PROXY', proxy);
  test(`a consent manager that adds a script <script ${kind}> to the head of a loaded page puts a signer on it`, async () => {
    for (const [first, signers] of [
      [`<script ${tag}></script>`, 1],
      [`<script ${tag} data-for="other"></script>`, 2],
      [`<script ${tag}></script><sign-translate placement="top-left" launcher></sign-translate>`, 2],
    ] as const) {
      const { page, problems } = await site.open(`<p id="news">Snow.</p><p id="other">Rain.</p>${first}`);
      await page.waitForNetworkIdle({ idleTime: 100 });
      await page.evaluate((html) => {
        const made = document.createRange().createContextualFragment(html);
        document.head.append(made);
      }, `<script ${tag} data-for="news" data-placement="bottom-right"></script>`);
      await page.waitForSelector('body > sign-translate[for=news][placement=bottom-right]:defined');
      assert.equal(await page.$$eval('sign-translate', ({ length }) => length), signers, first);
      assert.deepEqual(problems, []);
      await page.close();
    }
  });
}

for (const kind of ['type="module" src="PROXY/elements.js"', 'src="PROXY/elements.classic.js"']) {
  test(`signers that <script ${kind}> places use its proxy, also where a bundle has defined the elements first`, async () => {
    const { outputFiles } = await build({
      entryPoints: ['dist/define.js'],
      ...{ bundle: true, format: 'iife', write: false, logLevel: 'error' },
    });
    site.scripts.set('/bundle.js', outputFiles[0]!.text);
    const { page, problems } = await site.open(
      `<script src="/bundle.js"></script><p id="news">Snow.</p><p id="more">Rain.</p>
       <div data-sign-translate data-for="more"></div><script ${kind.replace('PROXY', proxy)} data-for="news"></script>`,
    );
    for (const part of ['news', 'more']) {
      const signer = await page.waitForSelector(`sign-translate[for=${part}]:defined`);
      assert.equal(await signer!.evaluate((element) => element.proxy), proxy);
      assert.equal(await signer!.evaluate(async (element) => (await element.sign('Hello')).text), 'Hello');
    }
    assert.deepEqual(problems, []);
    await page.close();
  });
}

for (const [what, head, body] of [
  ['of the script', 'data-for="news"', ''],
  ['of a div', '', '<div data-sign-translate data-for="news"></div>'],
] as const) {
  test(`an async module that runs before the body begins puts the signer ${what} on the page`, async () => {
    const { page, problems } = await site.open('');
    // The server sends the page slowly, its head first.
    await page.evaluate((tag) => {
      document.open();
      document.write(`<!doctype html><html lang="en"><head>${tag}`);
      return customElements.whenDefined('sign-translate').then(() => {});
    }, `<script type="module" async src="${proxy}/elements.js" ${head}></script>`);
    await page.waitForNetworkIdle({ idleTime: 0 });
    assert.equal(await page.evaluate(() => document.body), null);
    await page.evaluate((rest) => {
      document.write(rest);
      document.close();
    }, `<body><p id="news">Snow.</p>${body}`);
    await page.waitForSelector('body sign-translate[for=news]:defined');
    assert.deepEqual(problems, []);
    await page.close();
  });
}
