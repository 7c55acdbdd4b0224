// Bytes over the wire that the proxy sends of ours, as the browser counted them (brotli, headers included): with the page,
// which every visitor loads, and from there to the first sign, which only those load who ask for one. The demo page itself,
// the socket and the video are the site's and the service's, and not counted.
import { openDemo } from '../page/demo-page.ts';

const GOAL = 20_000;

export async function benchBytesLoaded(): Promise<void> {
  const demo = await openDemo();
  try {
    const page = await demo.newPage();
    const session = await page.createCDPSession();
    await session.send('Network.enable');
    const ours = new Map<string, { path: string; bytes: number; encoding: string }>();
    session.on('Network.responseReceived', ({ requestId, response }) => {
      const { pathname } = new URL(response.url);
      if (!pathname.startsWith('/sign/') || !pathname.endsWith('.js')) return;
      const encoding = response.headers['content-encoding'] ?? 'none';
      ours.set(requestId, { path: pathname, bytes: 0, encoding });
    });
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const file = ours.get(requestId);
      if (file) file.bytes = encodedDataLength;
    });
    await page.goto(demo.address, { waitUntil: 'networkidle0' });
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
    console.log(`goal ${GOAL} bytes with the page, ratio ${(total / GOAL).toFixed(2)}`);
  } finally {
    await demo.close();
  }
}
