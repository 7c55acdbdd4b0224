// A signer on a page that a visitor leaves and returns to, and on one that changes with a view transition.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import type { Page } from 'puppeteer-core';
import { openBrowserWithWindows } from '../browser/open-browser.ts';
import { openSite } from './site.ts';

const site = await openSite(openBrowserWithWindows);
after(() => site.close());
const script = `<script type="module" src="${site.backend.addresses.proxy}/elements.js"></script>`;

site.scripts.set(
  '/heard.js',
  `window.heard = []; window.isRestored = false;
   addEventListener('sign-start', ({ detail }) => heard.push(detail.text));
   addEventListener('sign-error', ({ detail }) => heard.push(detail.code));
   addEventListener('pageshow', ({ persisted }) => { isRestored = persisted; });`,
);
interface Heard {
  /** Texts whose first frame was shown and codes of errors, in order. */
  readonly heard: string[];
  readonly isRestored: boolean;
}

async function open(body: string): Promise<{ page: Page; problems: string[] }> {
  const opened = await site.open(`<script src="/heard.js"></script>${body}${script}`);
  await opened.page.waitForFunction(() => customElements.get('sign-translate'));
  return opened;
}
const heard = (page: Page): Promise<string[]> => page.evaluate(() => (globalThis as unknown as Heard).heard);
const untilHeard = (page: Page, count: number): Promise<unknown> =>
  page.waitForFunction((n) => (globalThis as unknown as Heard).heard.length >= n, {}, count);
const pressStart = async (page: Page): Promise<void> => {
  const start = await page.waitForSelector('sign-translate >>> [part~=start]', { visible: true });
  await start!.click();
};

test('a page restored from the back/forward cache has an idle signer, who signs from the beginning when a button is pressed', async () => {
  const { page, problems } = await open(
    '<article id="text"><p>One. Two.</p></article><sign-translate for="text" controls resolution="480p"></sign-translate>',
  );
  await pressStart(page);
  await untilHeard(page, 1);
  await page.goto('about:blank');
  await page.goBack();
  await page.waitForFunction(() => (globalThis as unknown as Heard).isRestored);
  const queue = await page.$eval('sign-translate', (signer) => signer.queue.length);
  assert.equal(queue, 0);
  await pressStart(page);
  await untilHeard(page, 3);
  assert.deepEqual(await heard(page), ['One.', 'One.', 'Two.']);
  // Chromium writes an error for each WebSocket that is open when the page enters the cache.
  assert.deepEqual(problems, []);
  await page.close();
});

test('a view transition that moves the signer to another part of the page does not disturb what is signed', async () => {
  const { page, problems } = await open(
    `<article id="text"><p>One. Two. Three.</p></article><main id="to"></main>
    <sign-translate for="text" controls resolution="480p"></sign-translate>`,
  );
  await pressStart(page);
  await untilHeard(page, 1);
  await page.evaluate(async () => {
    await document.startViewTransition(() =>
      document.querySelector('#to')!.append(document.querySelector('sign-translate')!),
    ).finished;
  });
  await untilHeard(page, 3);
  assert.deepEqual(await heard(page), ['One.', 'Two.', 'Three.']);
  assert.deepEqual(problems, []);
  await page.close();
});
