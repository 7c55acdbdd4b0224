// Bytes over the wire before the first sign: what the proxy sends of ours, as the browser counted it (brotli, headers
// included). The demo page itself, the socket and the video are the site's and the service's, and not counted.
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
    await page.goto(demo.address);
    await page.evaluate(async () => {
      const element = document.querySelector('sign-translate') as HTMLElement & {
        sign(text: string): Promise<unknown>;
      };
      await customElements.whenDefined('sign-translate');
      await element.sign('Hello');
    });
    const files = [...ours.values()];
    const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
    console.table([...files, { path: 'total', bytes: total, encoding: '' }]);
    console.log(`goal ${GOAL} bytes, ratio ${(total / GOAL).toFixed(2)}`);
  } finally {
    await demo.close();
  }
}
