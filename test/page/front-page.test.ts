// The choices of the demo's front page: they change the signer and the two lines to paste, which work on a page of one's own.
import assert from 'node:assert/strict';
import test, { after, type TestContext } from 'node:test';
import type { Page } from 'puppeteer-core';
import { openBrowser } from '../browser/open-browser.ts';
import { consoleOf } from './console-of.ts';
import { openDemo } from './demo-page.ts';
import { letReadStamps, type WithStamps } from './seen-stamps.ts';
import { press } from './press-button.ts';

const demo = await openDemo();
after(() => demo.close());

async function visit(): Promise<{ page: Page; problems: string[] }> {
  const page = await demo.newPage();
  const { problems } = consoleOf(page);
  await page.setViewport({ width: 1440, height: 900 });
  await page.goto(demo.address);
  await page.waitForFunction(
    () => customElements.get('sign-translate') && document.querySelector('#snippet span'),
  );
  return { page, problems };
}

const lines = async (page: Page): Promise<string[]> =>
  (await page.$eval('#snippet', ({ textContent }) => textContent ?? '')).split('\n');
const choose = (page: Page, name: string, value: string): Promise<void> =>
  page.click(`#choices [name=${name}][value="${value}"]`);

test('a visitor sees the signer sign at once, without a click', async () => {
  const { page, problems } = await visit();
  await letReadStamps(page);
  await page.waitForFunction(
    async () => {
      const { media } = document.querySelector('sign-translate')!;
      const stamp = media && (await (globalThis as WithStamps).stampOf(media));
      return stamp && stamp.clip > 0 && stamp.frame > 0;
    },
    { polling: 40 },
  );
  assert.deepEqual(problems, []);
  await page.close();
});

test('with less motion nothing moves until the visitor asks for it', async () => {
  const page = await demo.newPage();
  await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
  await page.goto(demo.address);
  await page.waitForSelector('#snippet span');
  await page.click('#read');
  const first = await page.evaluate(
    () =>
      new Promise((resolve) =>
        document
          .querySelector('sign-translate')!
          .addEventListener('sign-start', ({ detail }) => resolve(detail.text), { once: true }),
      ),
  );
  assert.equal(first, 'Your page, in sign language');
  await page.close();
});

test('each choice changes the signer on the page and the two lines to paste', async () => {
  const { page, problems } = await visit();
  const script = `<script type="module" src="${new URL(demo.address).origin}/sign/elements.js"></script>`;
  assert.deepEqual(await lines(page), [script, '<sign-translate for="main" controls></sign-translate>']);
  for (const [name, value] of [
    ['signer', 'JAY'],
    ['mode', 'stream'],
    ['theme', 'night'],
    ['controls', 'none'],
    ['placement', 'bottom-right'],
  ] as const) {
    await choose(page, name, value);
  }
  const all = 'signer="JAY" mode="stream" placement="bottom-right" launcher class="night"';
  const plain = `<script src="${new URL(demo.address).origin}/sign/elements.classic.js"></script>`;
  assert.deepEqual(await lines(page), [
    plain,
    `<sign-translate for="main" ${all}><p slot="idle">Press play</p></sign-translate>`,
  ]);
  const onStage = await page.$eval('#signer', (element) =>
    ['signer', 'mode', 'placement', 'class', 'controls'].map((name) => element.getAttribute(name)),
  );
  assert.deepEqual(onStage, ['JAY', 'stream', 'bottom-right', 'night', null]);
  await choose(page, 'launcher', '');
  await page.waitForSelector('#signer >>> [part=head]');
  await choose(page, 'placement', '');
  await choose(page, 'tag', 'sign-announcement');
  assert.equal(
    (await lines(page))[1],
    '<sign-announcement timing="0915" destination="EDB" platform="4" class="night"></sign-announcement>',
  );
  await page.waitForSelector('sign-announcement#signer');
  assert.deepEqual(problems, []);
  await page.close();
});

test('the chosen theme is shown as text, and the copy button copies that text', async () => {
  const { page } = await visit();
  const { origin } = new URL(demo.address);
  await page
    .browserContext()
    .overridePermissions(origin, ['clipboard-read', 'clipboard-write', 'clipboard-sanitized-write']);
  const copied = async (button: string): Promise<string> => {
    await page.bringToFront();
    await page.click(button);
    await page.waitForFunction(() => document.querySelector('#notice')!.textContent === 'Copied.');
    return page.evaluate(() => navigator.clipboard.readText());
  };
  assert.equal(await copied('#copy'), (await lines(page)).join('\n'));
  for (const theme of ['harbour', 'night', 'signal']) {
    await choose(page, 'theme', theme);
    await page.waitForFunction(
      (name) => document.querySelector('#theme-css')!.textContent?.includes(`.${name}:state(signing)`),
      {},
      theme,
    );
  }
  await page.click('#theme-code summary');
  const css = await page.$eval('#theme-css', ({ textContent }) => textContent);
  assert.equal(await copied('#theme-code button'), css);
  await page.close();
});

/** Opens a page of one's own with these lines at the end of its body, with nothing loaded before. */
async function openOwn(t: TestContext, pasted: string): Promise<{ own: Page; loaded: Map<string, number> }> {
  const browser = await openBrowser();
  t.after(() => browser.close());
  const own = await browser.newPage();
  /** Bytes that came of each file of the proxy, with its headers. */
  const loaded = new Map<string, number>();
  const names = new Map<string, string>();
  const wire = await own.createCDPSession();
  wire.on('Network.responseReceived', ({ requestId, response }) => names.set(requestId, response.url));
  wire.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const { pathname } = new URL(names.get(requestId) ?? 'about:blank');
    if (pathname.startsWith('/sign/')) loaded.set(pathname, encodedDataLength);
  });
  await wire.send('Network.enable');
  await own.setRequestInterception(true);
  own.on('request', (request) => {
    if (!request.url().endsWith('/own.html')) return void request.continue();
    const body = `<!doctype html><html lang="en"><main><p>Our shop opens at nine.</p></main>${pasted}</html>`;
    void request.respond({ contentType: 'text/html', body });
  });
  await own.goto(new URL('own.html', demo.address).href);
  return { own, loaded };
}

/** Presses a button in the signer and resolves with the text that it then signs. */
async function signed(own: Page, ...parts: string[]): Promise<unknown> {
  const outcome = own.evaluate(
    () =>
      new Promise((resolve) => {
        const signer = document.querySelector('sign-translate')!;
        signer.addEventListener('sign-end', ({ detail }) => resolve(detail.text));
      }),
  );
  for (const part of parts) await press(own, part);
  return outcome;
}

test('the two lines sign a page of one’s own as they are', async (t) => {
  const { page } = await visit();
  const pasted = (await lines(page)).join('\n');
  await page.close();
  const { own } = await openOwn(t, pasted);
  assert.equal(await signed(own, 'start'), 'Our shop opens at nine.');
});

test('the two lines of a button in a corner load at most 6 kB until the button is pressed, and sign after that', async (t) => {
  const { page } = await visit();
  await choose(page, 'placement', 'bottom-right');
  const pasted = (await lines(page)).join('\n');
  await page.close();
  const { own, loaded } = await openOwn(t, pasted);
  await own.waitForSelector('sign-translate >>> .launcher');
  const sum = [...loaded.values()].reduce((all, bytes) => all + bytes, 0);
  t.diagnostic(`${sum} bytes with headers: ${[...loaded.keys()].join(', ')}`);
  assert.deepEqual([...loaded.keys()], ['/sign/elements.classic.js']);
  assert.ok(sum <= 6000, `${sum} bytes`);
  assert.equal(await signed(own, 'launcher', 'start'), 'Our shop opens at nine.');
});
