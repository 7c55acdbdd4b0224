// A clip whose every answer breaks off after the same number of bytes, in a real Chromium with the built elements.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { openSite } from './site.ts';

const site = await openSite();
after(() => site.close());
const LONGEST = 25_000;

test('a clip whose answers all break off is fetched further from where each broke off, and signed', async () => {
  const { page } = await site.open(
    `<script type="module" src="${site.backend.addresses.proxy}/elements.js"></script>
    <sign-translate idle-after="none" resolution="480p"></sign-translate>`,
  );
  site.backend.sandbox.setFaults([{ fault: 'media_cut', after_bytes: LONGEST }]);
  await page.evaluate(() => customElements.whenDefined('sign-translate').then(() => {}));
  const [text, bytes] = await page.$eval('sign-translate', async (signer) => {
    const { text } = await signer.sign('A clip of a few words');
    return [text, signer.stats!.bytes] as const;
  });
  assert.equal(text, 'A clip of a few words');
  assert.ok(bytes > LONGEST && bytes < 2 * LONGEST, `${bytes} bytes`);
  await page.close();
});
