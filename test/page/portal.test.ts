// Wrong answers in place of chunks of the cdn build, in a real browser: the login page of a network, the page that a server gives
// for every address with status 200, an empty answer, and half of the file.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import type { ResponseForRequest } from 'puppeteer-core';
import type { SignEventDetails } from '../../src/elements/sign-events.ts';
import { nameOf } from './chunk-name.ts';
import { openSite } from './site.ts';

const site = await openSite();
after(() => site.close());
const tag = `<script type="module" src="${site.backend.addresses.proxy}/elements.js"></script>`;
const headers = { 'access-control-allow-origin': '*' };

/** A page whose chunks get this answer as long as `server.isWrong`, and what its signer reports. */
async function openWrong(html: string, answer: Partial<ResponseForRequest>) {
  const { page } = await site.open(`${tag}${html}`);
  await page.evaluate(() => customElements.whenDefined('sign-translate').then(() => {}));
  await page.evaluate('globalThis.__name = (named) => named');
  await page.evaluate(() => {
    // The next try follows after the shortest wait.
    let last = 0;
    Math.random = () => (last += 1e-9);
    const seen: string[] = [];
    Object.assign(globalThis, { seen, warnings: 0 });
    const say = (what: string): void => void (seen.at(-1) === what || seen.push(what));
    const signer = document.querySelector('sign-translate')!;
    signer.addEventListener('sign-statechange', ({ detail }) => say(detail.state));
    signer.addEventListener('sign-error', (event) => {
      const { error } = (event as CustomEvent<SignEventDetails['sign-error']>).detail;
      say(`${error.severity} ${error.code}`);
      if (error.severity === 'warning') (globalThis as unknown as { warnings: number }).warnings += 1;
    });
  });
  await page.setCacheEnabled(false);
  await page.setRequestInterception(true);
  const server = { isWrong: true, asked: 0 };
  page.on('request', (request) => {
    if (!server.isWrong || nameOf(request.url()) === undefined) return void request.continue();
    server.asked += 1;
    void request.respond({ status: 200, headers, ...answer });
  });
  const seen = async (): Promise<string[]> => (await page.evaluate('seen')) as string[];
  return { page, server, seen };
}

/** Resolves when a second try has failed. */
const failing = (page: Awaited<ReturnType<typeof openWrong>>['page']): Promise<unknown> =>
  page.waitForFunction('warnings > 1');

for (const [what, answer] of [
  ['a login page', { contentType: 'text/html', body: '<!doctype html><h1>Log in</h1>' }],
  ['a page called a script', { contentType: 'text/javascript', body: '<!doctype html><h1>Log in</h1>' }],
  ['an empty script', { contentType: 'text/javascript', body: '' }],
  ['half a script', { contentType: 'text/javascript', body: 'import{a as b}from"./shared.js";export{' }],
  ['text', { contentType: 'text/plain', body: 'export {}' }],
] as const) {
  test(`code that comes as ${what} is requested again, and the text is signed without a reload`, async () => {
    const { page, server, seen } = await openWrong(
      '<sign-translate idle-after="none"></sign-translate>',
      answer,
    );
    const signed = page.$eval('sign-translate', async (signer) => (await signer.sign('At last')).text);
    await failing(page);
    server.isWrong = false;
    assert.equal(await signed, 'At last');
    assert.deepEqual((await seen()).slice(0, 3), ['connecting', 'reconnecting', 'warning load_failed']);
    await page.close();
  });

  test(`a reading whose code comes as ${what} shows a message, and begins when the code has come`, async () => {
    const { page, server, seen } = await openWrong(
      '<p id="text">Words of the page.</p><sign-translate for="text" idle-after="none"></sign-translate>',
      answer,
    );
    const read = page.$eval(
      'sign-translate',
      (signer) =>
        new Promise<string>((resolve) => {
          signer.addEventListener('sign-end', ({ detail }) => resolve(detail.text));
          void signer.play();
        }),
    );
    await failing(page);
    const shown = await page.$eval('sign-translate', (signer) => [
      signer.shadowRoot!.querySelector('[part~=message]')?.textContent.trim(),
      signer.matches(':state(reconnecting)'),
    ]);
    assert.deepEqual(shown, ['The signs are coming…', true]);
    assert.ok(server.asked > 0);
    server.isWrong = false;
    assert.equal(await read, 'Words of the page.');
    assert.equal((await seen()).includes('session load_failed'), false);
    await page.close();
  });
}
