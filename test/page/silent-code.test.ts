// Chunks of the cdn build whose requests are not answered, in a real browser.
// - A held request represents a half-open connection: nothing comes, and nothing fails.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import type { HTTPRequest } from 'puppeteer-core';
import { until } from '../until.ts';
import { nameOf } from './chunk-name.ts';
import { openSite } from './site.ts';

const site = await openSite();
after(() => site.close());
const tag = `<script type="module" src="${site.backend.addresses.proxy}/elements.js"></script>`;

for (const [what, isLate] of [
  ['are never answered: the state is connecting, and online asks for it anew', false],
  ['are answered late, when it was asked for anew: the text is signed once', true],
] as const) {
  test(`the first requests for the code of a text ${what}`, async () => {
    const { page } = await site.open(`${tag}<sign-translate idle-after="none"></sign-translate>`);
    await page.evaluate(() => customElements.whenDefined('sign-translate').then(() => {}));
    await page.evaluate('globalThis.__name = (named) => named');
    await page.setCacheEnabled(false);
    await page.setRequestInterception(true);
    const held: HTTPRequest[] = [];
    let isSilent = true;
    page.on('request', (request) => {
      const isHeld = isLate ? nameOf(request.url()) === 'clips' : isSilent;
      if (isHeld) held.push(request);
      else void request.continue();
    });
    const signed = page.$eval('sign-translate', async (signer) => {
      const states: string[] = [];
      signer.addEventListener('sign-statechange', ({ detail }) => states.push(detail.state));
      Object.assign(globalThis, { states });
      return (await signer.sign('Into the silence')).text;
    });
    await until(
      () => held.length,
      (count) => count === (isLate ? 1 : 2),
    );
    assert.deepEqual(await page.evaluate('states'), ['connecting']);
    isSilent = false;
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    if (isLate) {
      await until(
        () => held.length,
        (count) => count === 2,
      );
      void held[0]!.continue();
    }
    assert.equal(await signed, 'Into the silence');
    const states = ['connecting', 'reconnecting', 'connecting', 'ready', 'signing', 'ready'];
    assert.deepEqual(await page.evaluate('states'), states);
    await page.close();
  });
}

test('when the code of a text and the next three requests to its server get no answer, the text is signed as soon as they get one', async () => {
  const { page } = await site.open(`${tag}<sign-translate idle-after="none"></sign-translate>`);
  await page.evaluate(() => customElements.whenDefined('sign-translate').then(() => {}));
  await page.evaluate('globalThis.__name = (named) => named');
  await page.evaluate(() => {
    // 8 s pass in 0.2 s until no request is held any more: an answer may take longer than that on a busy machine.
    const { setTimeout: plain } = window;
    const { timeout } = AbortSignal;
    const passing = (ms: number): number => (ms === 8_000 && !('isAnswered' in window) ? 200 : ms);
    const quick = (run: () => void, ms = 0): number => plain(run, passing(ms));
    Object.assign(window, { setTimeout: quick });
    AbortSignal.timeout = (ms) => timeout.call(AbortSignal, passing(ms));
  });
  await page.setCacheEnabled(false);
  await page.setRequestInterception(true);
  const held: string[] = [];
  page.on('request', (request) => {
    const name = nameOf(request.url()) ?? '';
    const times = held.filter((each) => each === name).length;
    if (times < (name === 'shared' ? 3 : /^(clips|session)$/.test(name) ? 1 : 0)) held.push(name);
    else void request.continue();
  });
  const signed = page.$eval('sign-translate', async (signer) => (await signer.sign('At last')).text);
  await until(() => held.filter((name) => name === 'shared').length === 3);
  await page.evaluate(() => void Object.assign(window, { isAnswered: true }));
  assert.equal(await signed, 'At last');
  assert.equal(held.filter((name) => name === 'shared').length, 3);
  await page.close();
});
