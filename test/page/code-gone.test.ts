// Code that is missing for longer than it is tried, in the cdn build in a real browser: the requested part appears when the code
// is back.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import type { Page } from 'puppeteer-core';
import { until } from '../until.ts';
import { nameOf } from './chunk-name.ts';
import { openSite } from './site.ts';

const site = await openSite();
after(() => site.close());
const { proxy } = site.backend.addresses;

/** Answers requests for these addresses with 502 until the returned function is called. A minute passes in a second. */
async function take(
  page: Page,
  isTaken: (url: string) => boolean,
): Promise<{ asked: string[]; giveBack(): void }> {
  const asked: string[] = [];
  let isGone = true;
  await page.setCacheEnabled(false);
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    const url = request.url();
    if (isTaken(url)) asked.push(url);
    if (isGone && isTaken(url)) void request.respond({ status: 502 });
    else void request.continue();
  });
  // The compiler of the tests names inner functions by this helper, which a page does not have.
  await page.evaluate('globalThis.__name = (named) => named');
  await page.evaluate(() => {
    const { setTimeout: plain } = window;
    const fast = (run: () => void, ms = 0, ...rest: []): number => plain(run, ms / 60, ...rest);
    Object.assign(window, { setTimeout: fast });
  });
  return { asked, giveBack: () => (isGone = false) };
}

/** Waits until a minute of tries is over, which passes in a second. */
async function triesAreOver(page: Page, asked: readonly string[]): Promise<void> {
  await until(() => asked.length > 5);
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 120_000)));
}

for (const [what, chunk, add, comes] of [
  [
    'the button of a closed panel',
    'closed-panel',
    '<sign-live-player placement="bottom-right" launcher remember="none"></sign-live-player>',
    'sign-live-player >>> .launcher',
  ],
  [
    'the bar',
    'control-bar',
    '<sign-live-player controls></sign-live-player>',
    'sign-live-player >>> [part~=toggle]',
  ],
  [
    'a signer that the page asks for',
    'place-signers',
    '<div data-sign-translate data-lang="cy"></div>',
    'sign-translate[lang=cy]',
  ],
] as const) {
  test(`${what}, whose code was missing for more than a minute, appears when the code is back`, async () => {
    const { page } = await site.open(`<script type="module" src="${proxy}/elements.js"></script>`);
    await page.evaluate(() => customElements.whenDefined('sign-live-player').then(() => {}));
    const { asked, giveBack } = await take(page, (url) => nameOf(url) === chunk);
    await page.evaluate((html) => document.body.insertAdjacentHTML('beforeend', html), add);
    await triesAreOver(page, asked);
    giveBack();
    await page.waitForSelector(comes);
    await page.close();
  });
}

test('the button of the plain script that is pressed while the proxy is away opens the panel when the proxy is back', async () => {
  const launcher = '<sign-translate placement="bottom-right" launcher remember="none"></sign-translate>';
  const { page } = await site.open(`<script src="${proxy}/elements.classic.js"></script>${launcher}`);
  const button = await page.waitForSelector('sign-translate >>> .launcher', { visible: true });
  const { asked, giveBack } = await take(page, (url) => url.startsWith(`${proxy}/elements.js`));
  await button!.press('Enter');
  await until(() => asked.length > 0);
  giveBack();
  await page.waitForSelector('sign-translate >>> .head', { visible: true });
  assert.ok(asked.length > 1, 'it was asked for again');
  await page.close();
});
