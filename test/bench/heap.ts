// What 500 signed texts leave in a page: JavaScript heap after the garbage collector, videos, sockets.
// - The whole element, from the built files, through the real proxy.
// - The first ten texts are warm-up.
// - Texts are signed one after the other, ten at a time, at double speed, so that a join lies between them.
// - The figures before and after are of the same page while nothing runs in it.
import type { Page } from 'puppeteer-core';
import { openSite } from '../page/site.ts';

const TEXTS = 500;
const WARM = 10;

interface Rest {
  readonly heap: number;
  readonly videos: number;
  readonly sockets: number;
}

export async function benchHeap(): Promise<void> {
  const site = await openSite();
  try {
    site.backend.sandbox.setLimits({ max_messages_per_minute: 100_000 });
    const { proxy } = site.backend.addresses;
    const { page } = await site.open(
      `<script type="module" src="${proxy}/elements.js"></script>
       <sign-translate resolution="480p" idle-after="none"></sign-translate>`,
    );
    await page.evaluate(() => customElements.whenDefined('sign-translate').then(() => {}));
    await sign(page, WARM);
    const before = await atRest(page, site.backend.sandbox.openSockets);
    await sign(page, TEXTS);
    const after = await atRest(page, site.backend.sandbox.openSockets);
    const row = ({ heap, videos, sockets }: Rest) => ({
      'heap MB': (heap / 1e6).toFixed(2),
      videos,
      sockets,
    });
    console.table({ [`after ${WARM} texts`]: row(before), [`after ${TEXTS} more`]: row(after) });
    console.log(`grown by ${((after.heap - before.heap) / 1e6).toFixed(2)} MB, goal 2`);
  } finally {
    await site.close();
  }
}

/** Signs this many texts, ten at a time. */
async function sign(page: Page, texts: number): Promise<void> {
  for (let done = 0; done < texts; done += 10) {
    await page.evaluate(async () => {
      const element = document.querySelector('sign-translate')!;
      element.playbackRate = 2;
      // Short texts, whose clips the service has made before.
      await Promise.all([...'ABCDEFGHIJ'].map((text) => element.sign(text)));
    });
  }
}

async function atRest(page: Page, sockets: number): Promise<Rest> {
  const session = await page.createCDPSession();
  await session.send('HeapProfiler.enable');
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  const videos = await page.evaluate(() => {
    const { shadowRoot } = document.querySelector('sign-translate')!;
    return shadowRoot!.querySelectorAll('video').length;
  });
  return { heap: usedSize, videos, sockets };
}
