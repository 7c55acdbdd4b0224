// Bytes of our scripts over the wire, as the browser counts them (brotli, headers included): with the page, and up to the first
// sign over V3.
// - The page has one signer, which signs nothing by itself. The page, the socket and the video are not ours, and not counted.
// - The baseline is the goal; test/package/sizes.test.ts holds the sizes without headers.
import { openSite } from '../page/site.ts';

const GOALS = { page: 16_000, sign: 52_000 };

export async function benchBytesLoaded(): Promise<void> {
  const site = await openSite();
  const { proxy } = site.backend.addresses;
  try {
    const { page } = await site.open('<body></body>');
    await page.setCacheEnabled(false);
    const session = await page.createCDPSession();
    await session.send('Network.enable');
    const ours = new Map<string, { path: string; bytes: number; encoding: string }>();
    session.on('Network.responseReceived', ({ requestId, response }) => {
      const { pathname } = new URL(response.url);
      if (!response.url.startsWith(proxy) || !pathname.endsWith('.js')) return;
      const encoding = response.headers['content-encoding'] ?? 'none';
      ours.set(requestId, { path: pathname, bytes: 0, encoding });
    });
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const file = ours.get(requestId);
      if (file) file.bytes = encodedDataLength;
    });
    await page.evaluate((address) => {
      document.body.append(document.createElement('sign-translate'));
      document.head.append(
        Object.assign(document.createElement('script'), { type: 'module', src: `${address}/elements.js` }),
      );
    }, proxy);
    await page.waitForNetworkIdle();
    const withPage = ours.size;
    await page.evaluate(async () => {
      const element = document.querySelector('sign-translate') as HTMLElement & {
        sign(text: string): Promise<unknown>;
      };
      await customElements.whenDefined('sign-translate');
      await element.sign('Hello');
    });
    const files = [...ours.values()];
    const sumOf = (some: typeof files): number => some.reduce((sum, { bytes }) => sum + bytes, 0);
    const total = sumOf(files.slice(0, withPage));
    console.table([
      ...files.map((file, i) => ({ ...file, when: i < withPage ? 'with the page' : 'at the first text' })),
      { path: 'with the page', bytes: total },
      { path: 'to the first sign', bytes: sumOf(files) },
    ]);
    const ratio = (bytes: number, goal: number): string =>
      `${goal} bytes, ratio ${(bytes / goal).toFixed(2)}`;
    console.log(
      `goal with the page ${ratio(total, GOALS.page)}; to the first sign ${ratio(sumOf(files), GOALS.sign)}`,
    );
  } finally {
    await site.close();
  }
}
