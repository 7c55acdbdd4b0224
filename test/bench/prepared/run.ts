// `npm run bench:prepared [pages] [views] [kills]`: a prepared edition, from the first request to a visitor's first frame.
// Run `npm run build` before it.
// - A site of `pages` pages (default 200) with 20 texts each is prepared against the sandbox, while one request in a hundred
//   fails. The program is killed once at a third of the texts.
// - A page of 20 texts is then opened `views` times (default 1,000) and signed to its end, at 16 times the speed; what reaches
//   the service is counted. A view is a document of its own, 20 at a time in frames of one tab, and its pictures are small.
// - The site serves `signs.json` as docs/prepared.md says: compressed, and revalidated at each load.
// - Prepared and live pages take turns in the measurement of the first frame, each in a tab of its own; a live page has new texts.
// - On another folder the program is killed `kills` times (default 30) at random moments (kills.ts).
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Browser } from 'puppeteer-core';
import { startSandbox } from '../../../demo/sandbox/index.ts';
import { Edition } from '../../../proxy/prepare/edition.ts';
import { createSignProxy, readConfig } from '../../../proxy/index.ts';
import { openOwnBrowser } from '../../browser/open-browser.ts';
import { median } from '../median.ts';
import { benchKills } from './kills.ts';
import {
  countingGateway,
  FAULTS,
  type Gateway,
  addressOf,
  sitemapOf,
  startProgram,
  TEXTS,
  textsOf,
} from './site.ts';

const [pages = 200, views = 1_000, kills = 30] = process.argv.slice(2).map(Number);
const ROUNDS = 15;
const AT_A_TIME = 20;

const html = (first: number, attributes: string, script = true): string => {
  const texts = textsOf(first)
    .map((text) => `<p>${text}</p>`)
    .join('');
  const load = script ? '<script type="module" src="/sign/elements.js"></script>' : '';
  const element = `<sign-translate for="main" resolution="480p" idle-after="none" ${attributes}></sign-translate>`;
  return `<!doctype html><html lang="en"><link rel="icon" href="data:,">${load}${element}<main id="main">${texts}</main>`;
};

const edition = mkdtempSync(join(tmpdir(), 'prepared-bench-'));
const clips = (): number =>
  readdirSync(join(edition, 'clips')).filter((file) => file.endsWith('.mp4')).length;

async function prepareSite(site: string, gateway: Gateway, apiKey: string): Promise<void> {
  const all = pages * TEXTS;
  const runProgram = async (killAt: number): Promise<number | null> => {
    const child = startProgram(site, edition, gateway, apiKey);
    const watch = setInterval(() => gateway.signed.size >= killAt && child.kill('SIGKILL'), 20);
    const [code] = (await once(child, 'exit')) as [number | null];
    clearInterval(watch);
    return code;
  };
  gateway.fail(true);
  const begun = performance.now();
  await runProgram(all / 3);
  const kept = clips();
  let runs = 1;
  for (let code: number | null = 1; code !== 0 && runs < 10; runs += 1) code = await runProgram(Infinity);
  const minutes = (performance.now() - begun) / 60_000;
  gateway.fail(false);
  const made = await Edition.open(edition, null);
  const { texts } = made.manifest;
  let broken = 0;
  for (const { file } of texts) if (!file.endsWith('.mp4') || !(await made.readClip(file))) broken += 1;
  const twice = [...gateway.signed.values()].filter((times) => times > 1).length;
  console.table({
    'texts of the site': all,
    'texts in the edition': texts.length,
    'texts in it twice': texts.length - new Set(texts.map(({ text }) => text)).size,
    'clips that are not whole': broken,
    'clips kept when it was killed': kept,
    'texts signed twice, of at most 4 under way at the kill': twice,
    'requests and videos that failed': gateway.counts.failed,
    'runs of the program': runs,
    minutes: Number(minutes.toFixed(1)),
  });
  const list = readFileSync(join(edition, 'signs.json'));
  console.log('\nsigns.json, which a page loads once: bytes');
  console.table({ plain: list.length, gzip: gzipSync(list).length, brotli: brotliCompressSync(list).length });
}

/** Milliseconds from the click to the first frame. */
async function firstFrame(browser: Browser, address: string): Promise<number> {
  const page = await browser.newPage();
  try {
    page.setDefaultTimeout(100_000);
    await page.goto(address);
    await page.waitForFunction(() => customElements.get('sign-translate'));
    return await page.evaluate(async () => {
      const element = document.querySelector('sign-translate')!;
      const started = new Promise<number>((resolve) => {
        element.addEventListener('sign-start', () => resolve(performance.now()), { once: true });
      });
      const clicked = performance.now();
      void element.play();
      return (await started) - clicked;
    });
  } finally {
    await page.close();
  }
}

/** Opens a tab of pages and signs each to its end. Returns how many texts were signed. */
async function signWhole(browser: Browser, address: string): Promise<number> {
  const page = await browser.newPage();
  try {
    page.setDefaultTimeout(300_000);
    await page.setViewport({ width: 1600, height: 900 });
    await page.goto(address);
    return await page.evaluate(async () => {
      const signed = [...document.querySelectorAll('iframe')].map(async (frame) => {
        const { document: view, customElements: defined } = frame.contentWindow as Window & typeof globalThis;
        await defined.whenDefined('sign-translate');
        const element = view.querySelector('sign-translate')!;
        element.playbackRate = 16;
        const over = new Promise<number>((resolve) => {
          element.addEventListener('sign-queuechange', ({ detail: { queue } }) => {
            const isOver = queue.every(({ state }) => state === 'signed' || state === 'failed');
            if (queue.length > 0 && isOver) resolve(queue.filter(({ state }) => state === 'signed').length);
          });
        });
        void element.play();
        return over;
      });
      return (await Promise.all(signed)).reduce((sum, count) => sum + count, 0);
    });
  } finally {
    await page.close();
  }
}

const sandbox = await startSandbox({ render: { framesPerWord: 1 } });
const gateway = await countingGateway(sandbox.addresses, new Set(textsOf(0)));
const { apiUrl, wsUrl, apiKey } = sandbox.addresses;
const behind = { SIGN_API_URL: gateway.address, SIGN_WS_URL: gateway.address.replace('http', 'ws') };
const proxyOf = (env: Record<string, string>) =>
  createSignProxy({
    ...readConfig({ SIGN_API_KEY: apiKey, SIGN_REQUESTS_PER_MINUTE: '1000000', ...env }),
    elementsDir: 'dist/cdn',
  });
const proxies = { prepared: proxyOf(behind), live: proxyOf({ SIGN_API_URL: apiUrl, SIGN_WS_URL: wsUrl }) };
const sites: Server[] = [];
const LIST_TAG = '"approved"';
/** `signs.json` when all of it is approved. */
let list: Buffer | null = null;

async function openSite(kind: 'prepared' | 'live'): Promise<string> {
  const server = createServer((request, response) => {
    const url = request.url!;
    const type = url.endsWith('.json')
      ? 'application/json'
      : url.endsWith('.mp4')
        ? 'video/mp4'
        : 'text/html';
    const [, folder, number] = /^\/(page|live|signed|views)\/(\d+)$/.exec(url) ?? [];
    const answer = (): string | Buffer => {
      if (url === '/sitemap.xml') return sitemapOf(address, pages);
      if (folder === 'views')
        return `<iframe src="/signed/${TEXTS}" width="300" height="170"></iframe>`.repeat(Number(number));
      if (url.startsWith('/signs/')) return readFileSync(join(edition, url.slice('/signs/'.length)));
      return html(
        Number(number),
        folder === 'signed' ? 'prepared="/signs/signs.json"' : '',
        folder !== 'page',
      );
    };
    if (url === '/signs/signs.json' && list) {
      const isKnown = request.headers['if-none-match'] === LIST_TAG;
      const headers = { 'content-type': type, 'cache-control': 'no-cache', etag: LIST_TAG };
      if (isKnown) return void response.writeHead(304, headers).end();
      return void response.writeHead(200, { ...headers, 'content-encoding': 'br' }).end(list);
    }
    if (url === '/robots.txt') return void response.writeHead(404).end();
    if (url.startsWith('/sign/')) return proxies[kind].handler(request, response);
    response.writeHead(200, { 'content-type': type }).end(answer());
  });
  proxies[kind].attach(server);
  sites.push(server);
  const address = await addressOf(server);
  return address;
}

try {
  const [site, live] = [await openSite('prepared'), await openSite('live')];
  console.log(
    `\nA site of ${pages} pages prepared, ${FAULTS * 100} % faults, one kill (goal: all in, none twice but what was under way)`,
  );
  await prepareSite(site, gateway, apiKey);
  const made = await Edition.open(edition, null);
  await made.update((texts) => {
    for (const [hash, text] of texts) texts.set(hash, { ...text, state: 'approved' });
  });
  list = brotliCompressSync(readFileSync(join(edition, 'signs.json')));

  const browser = await openOwnBrowser();
  try {
    const times: { prepared: number[]; live: number[] } = { prepared: [], live: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      times.prepared.push(await firstFrame(browser, `${site}/signed/0`));
      times.live.push(await firstFrame(browser, `${live}/live/${1_000_000 + round * TEXTS}`));
    }
    const [ours, theirs] = [median(times.prepared), median(times.live)];
    console.log('\nClick to first frame');
    console.table({
      live: { 'median ms': theirs.toFixed(0), ratio: '1.00' },
      prepared: { 'median ms': ours.toFixed(0), ratio: (ours / theirs).toFixed(2) },
    });

    Object.assign(gateway.counts, { requests: 0, upgrades: 0 });
    let signed = 0;
    for (let opened = 0; opened < views; opened += AT_A_TIME)
      signed += await signWhole(browser, `${site}/views/${Math.min(AT_A_TIME, views - opened)}`);
    console.log(`\n${views} page views of ${TEXTS} texts, signed to their end (goal: 0 requests)`);
    console.table({
      'texts signed': signed,
      requests: gateway.counts.requests,
      sockets: gateway.counts.upgrades,
    });
  } finally {
    await browser.close();
  }
  if (kills > 0) await benchKills(sandbox.addresses, kills, pages);
} finally {
  for (const server of [...sites, gateway.server]) {
    server.close();
    server.closeAllConnections();
  }
  for (const proxy of Object.values(proxies)) await proxy.close();
  await sandbox.close();
  rmSync(edition, { recursive: true });
}
