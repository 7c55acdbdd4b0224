// Code of a live player, and of the stream of a text, that does not load, in the cdn build in a real browser.
// - Each try that fails is a warning.
// - After a minute the error is `load_failed`, and the player requests the code again by itself.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import type { SignEventDetails } from '../../src/elements/sign-events.ts';
import { until } from '../until.ts';
import { nameOf } from './chunk-name.ts';
import { openSite } from './site.ts';

const site = await openSite();
after(() => site.close());
const tag = `<script type="module" src="${site.backend.addresses.proxy}/elements.js"></script>`;

for (const [chunk, name, value] of [
  ['rest-client', 'session', 'an-event'],
  ['hls.light.min', 'src', '/an-event.m3u8'],
] as const) {
  test(`while ${chunk} is missing there is a warning for each try, load_failed after a minute, and further requests until it is back`, async () => {
    const { page } = await site.open(`${tag}<sign-live-player></sign-live-player>`);
    await page.evaluate(() => customElements.whenDefined('sign-live-player').then(() => {}));
    await page.setCacheEnabled(false);
    await page.setRequestInterception(true);
    let isGone = true;
    let asksForEvent = false;
    page.on('request', (request) => {
      asksForEvent ||= request.url().includes(value);
      if (isGone && nameOf(request.url()) === chunk) void request.respond({ status: 404 });
      else void request.continue();
    });
    // The compiler of the tests names inner functions by this helper, which a page does not have.
    await page.evaluate('globalThis.__name = (named) => named');
    await page.$eval(
      'sign-live-player',
      (player, attribute, text) => {
        // A minute passes in a second.
        const { setTimeout: plain } = window;
        const fast = (run: () => void, ms = 0): number => plain(run, ms / 60);
        const errors: string[] = [];
        const warnings: string[] = [];
        player.addEventListener('sign-error', (event) => {
          const { error } = (event as CustomEvent<SignEventDetails['sign-error']>).detail;
          (error.severity === 'warning' ? warnings : errors).push(error.code);
        });
        Object.assign(window, { setTimeout: fast, errors, warnings });
        player.setAttribute(attribute, text);
      },
      name,
      value,
    );
    const errors = (): Promise<string[]> => page.evaluate('errors') as Promise<string[]>;
    assert.equal((await until(errors, ({ length }) => length > 0))[0], 'load_failed');
    const warnings = (await page.evaluate('warnings')) as string[];
    assert.ok(warnings.length > 5, 'each try that failed is a warning');
    assert.deepEqual([...new Set(warnings)], ['load_failed']);
    const { length: before } = await errors();
    await until(errors, ({ length }) => length > before);
    assert.deepEqual([...new Set(await errors()), asksForEvent], ['load_failed', false]);
    isGone = false;
    await until(() => asksForEvent);
    await page.close();
  });
}

test('when hls.js is missing while a text in stream mode needs it, each try is a warning, and the text is signed when it is back', async () => {
  const { page } = await site.open(`${tag}<sign-translate idle-after="none" mode="stream"></sign-translate>`);
  await page.evaluate(() => customElements.whenDefined('sign-translate').then(() => {}));
  await page.setCacheEnabled(false);
  await page.setRequestInterception(true);
  page.on('request', (request) => {
    const isGone = nameOf(request.url()) === 'hls.light.min';
    // It fails for a request that was under way when the page got its network back.
    void (isGone ? request.respond({ status: 404 }) : request.continue()).catch(() => {});
  });
  // The compiler of the tests names inner functions by this helper, which a page does not have.
  await page.evaluate('globalThis.__name = (named) => named');
  await page.evaluate(() => {
    const errors: string[] = [];
    document.addEventListener('sign-error', (event) => {
      const { error } = (event as CustomEvent<SignEventDetails['sign-error']>).detail;
      errors.push(`${error.severity} ${error.code}`);
    });
    Object.assign(window, { errors });
  });
  const signed = page.$eval('sign-translate', async (element) => (await element.sign('In a stream')).text);
  const errors = (): Promise<string[]> => page.evaluate('errors') as Promise<string[]>;
  const reported = await until(errors, ({ length }) => length > 1);
  assert.deepEqual([...new Set(reported)], ['warning load_failed']);
  // Also because a playlist goes on while a busy machine passes each of the requests on.
  await page.setRequestInterception(false);
  assert.equal(await signed, 'In a stream', JSON.stringify(await errors()));
  await page.close();
});
