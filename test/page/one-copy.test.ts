// One copy of each chunk of the cdn build on a page, whatever failed before, in a real browser.
// - A chunk that has failed is requested under another address, and so are later chunks. For a browser another address is another
//   module, with a state of its own.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { nameOf } from './chunk-name.ts';
import { openSite } from './site.ts';

const site = await openSite();
after(() => site.close());
const { proxy } = site.backend.addresses;

test('equal announcements share one request, also when a chunk has failed between them', async () => {
  const { page } = await site.open(
    `<script type="module" src="${proxy}/elements.js"></script><sign-translate idle-after="none"></sign-translate>`,
  );
  await page.evaluate(() => customElements.whenDefined('sign-translate').then(() => {}));
  await page.setCacheEnabled(false);
  await page.setRequestInterception(true);
  const asked: string[] = [];
  const held: (() => void)[] = [];
  let isRefused = false;
  page.on('request', (request) => {
    const name = nameOf(request.url()) ?? '';
    asked.push(name);
    if (request.method() === 'POST' && held.length === 0) held.push(() => void request.continue());
    else if (name === 'clips' && !isRefused) {
      isRefused = true;
      void request.respond({ status: 503 });
    } else {
      if (request.method() === 'POST') held.push(() => {});
      void request.continue();
    }
  });
  await page.evaluate('globalThis.__name = (named) => named');
  await page.evaluate(() => {
    const announced: Promise<unknown>[] = [];
    const announce = (): void => {
      const element = document.createElement('sign-announcement');
      document.body.append(element);
      announced.push(element.announce({ type: 'static-message', destination: 'KGX' } as never));
    };
    Object.assign(globalThis, { announce, announced });
    announce();
  });
  await page.waitForRequest((request) => request.method() === 'POST');
  assert.equal(
    await page.$eval('sign-translate', async (signer) => (await signer.sign('Between')).text),
    'Between',
  );
  assert.equal(isRefused, true);
  await page.evaluate('announce()');
  held[0]!();
  await page.evaluate('Promise.all(announced)');
  assert.deepEqual([held.length, asked.filter((name) => name === 'announcement-controller').length], [1, 1]);
  await page.close();
});
