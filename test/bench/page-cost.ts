// Measures the cost of a signer for a page until a visitor uses it: bytes, requests, tasks of 50 ms and more, layout shifts; and
// the heap of an app after 100 routes, each with a signer of its own.
// - The page without a signer is the baseline of the same run.
import type { Page } from 'puppeteer-core';
import { openSite, type Site } from '../page/site.ts';

const ROUTES = 100;
const article = Array.from(
  { length: 60 },
  (_, n) =>
    `<h2>Part ${n}</h2><p>You must apply by day ${n}. You may appeal within a month of our answer.</p>`,
).join('');

const inCorner =
  '<sign-translate for="main" placement="bottom-right" launcher remember="none" controls></sign-translate>';
const moduleOf = (proxy: string): string => `<script type="module" src="${proxy}/elements.js"></script>`;

/** The body of the article without a signer and with one, by what is added. */
export function signedArticles(proxy: string): Record<string, string> {
  const plain = `<script src="${proxy}/elements.classic.js"></script>`;
  const added = {
    'no signer': '',
    'a button in a corner, plain script': inCorner + plain,
    'a button in a corner, module': inCorner + moduleOf(proxy),
    'in the page, module': `<sign-translate for="main" controls></sign-translate>${moduleOf(proxy)}`,
  };
  return Object.fromEntries(
    Object.entries(added).map(([name, tags]) => [
      name,
      `<body><main id="main"><h1>Appeals</h1>${article}</main>${tags}</body>`,
    ]),
  );
}

interface Cost {
  readonly 'bytes with headers': number;
  readonly requests: number;
  readonly 'long tasks': number;
  readonly 'longest, ms': number;
  readonly 'layout shift': number;
}

async function costOf(site: Site, path: string): Promise<Cost> {
  const page = await site.browser.newPage();
  await page.setCacheEnabled(false);
  const wire = await page.createCDPSession();
  const asked = new Set<string>();
  let bytes = 0;
  wire.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.url.startsWith(site.backend.addresses.proxy)) asked.add(requestId);
  });
  wire.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (asked.has(requestId)) bytes += encodedDataLength;
  });
  await wire.send('Network.enable');
  await page.evaluateOnNewDocument(() => {
    const seen = { long: 0, longest: 0, shift: 0 };
    Object.assign(globalThis, { seen });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) {
        seen.long += 1;
        seen.longest = Math.max(seen.longest, duration);
      }
    }).observe({ type: 'longtask', buffered: true });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        seen.shift += (entry as PerformanceEntry & { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(path, { waitUntil: 'networkidle0' });
  const seen = (await page.evaluate('seen')) as { long: number; longest: number; shift: number };
  await page.close();
  return {
    'bytes with headers': bytes,
    requests: asked.size,
    'long tasks': seen.long,
    'longest, ms': Math.round(seen.longest),
    'layout shift': Number(seen.shift.toFixed(4)),
  };
}

/** Bytes of the heap after the garbage is collected. */
async function heapOf(page: Page): Promise<number> {
  await page.evaluate('gc()');
  return (await page.metrics()).JSHeapUsedSize ?? 0;
}

async function heapOverRoutes(site: Site, script: string): Promise<string> {
  const { page } = await site.open(`<body><main id="view"></main><div id="place"></div>${script}</body>`);
  await page.waitForFunction(() => customElements.get('sign-translate'));
  const change = (routes: number): Promise<void> =>
    page.evaluate(async (count) => {
      for (let route = 0; route < count; route += 1) {
        const main = document.createElement('main');
        main.id = 'view';
        main.append(Object.assign(document.createElement('p'), { textContent: `This is route ${route}.` }));
        document.querySelector('main')!.replaceWith(main);
        const signer = document.createElement('sign-translate');
        signer.setAttribute('for', 'view');
        document.querySelector('#place')!.replaceChildren(signer);
        for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
      }
    }, routes);
  await change(10);
  const before = await heapOf(page);
  await change(ROUTES);
  const more = (await heapOf(page)) - before;
  await page.close();
  return `${(more / 1024).toFixed(0)} kB`;
}

export async function benchPageCost(): Promise<void> {
  const site = await openSite();
  const { proxy } = site.backend.addresses;
  try {
    const rows: Record<string, Cost> = {};
    for (const [name, body] of Object.entries(signedArticles(proxy))) {
      const { page } = await site.open(
        `<head><link rel="stylesheet" href="/dist/cdn/sign-elements.css"></head>${body}`,
      );
      const address = page.url();
      await page.close();
      rows[name] = await costOf(site, address);
    }
    console.table(rows);
    console.log(`heap after ${ROUTES} routes: ${await heapOverRoutes(site, moduleOf(proxy))} more`);
  } finally {
    await site.close();
  }
}
