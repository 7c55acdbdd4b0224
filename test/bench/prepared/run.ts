// `npm run bench:prepared [pages] [views]`: a prepared edition, from the first request to a visitor's first frame. It builds nothing.
// - A site of so many pages (default 200) with 20 texts each is prepared against the sandbox. One request in a hundred fails
//   with 503, one video in a hundred is cut off, and the program is killed once at a third of the texts.
// - The page of 20 texts is then opened so many times (default 1,000) and signed to its end, at 16 times the speed; what reaches
//   the service is counted. A view is a document of its own, 20 at a time in frames of one tab.
// - Both ways to the first frame take turns, each in a page of its own; the texts of the live one are new each time.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createServer, request as send, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'puppeteer-core';
import { startSandbox, type SandboxAddresses } from '../../demo/sandbox/index.ts';
import { Edition } from '../../proxy/prepare/edition.ts';
import { createSignProxy, readConfig } from '../../proxy/index.ts';
import { openBrowser } from '../browser/open-browser.ts';
import { median } from './median.ts';

const [pages = 200, views = 1_000] = process.argv.slice(2).map(Number);
const TEXTS = 20;
const ROUNDS = 15;
const AT_A_TIME = 20;
const FAULTS = 0.01;

const words = 'come sit wait read ask tell bring take open close'.split(' ');
const sentence = (number: number): string => {
  const spelt = [...String(number)].map((digit) => words[Number(digit)]!).join(' ');
  return `${spelt[0]!.toUpperCase()}${spelt.slice(1)} ${words[number % 10]}.`;
};
const html = (first: number, attributes: string, script = true): string => {
  const texts = Array.from({ length: TEXTS }, (_, i) => `<p>${sentence(first + i)}</p>`).join('');
  const load = script ? '<script type="module" src="/sign/elements.js"></script>' : '';
  const element = `<sign-translate for="main" resolution="480p" idle-after="none" ${attributes}></sign-translate>`;
  return `<!doctype html><html lang="en"><link rel="icon" href="data:,">${load}${element}<main id="main">${texts}</main>`;
};

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The service behind a gateway that counts and, while it is told to, fails. */
async function countingGateway({ apiUrl, mediaUrl }: SandboxAddresses) {
  const counts = { requests: 0, upgrades: 0, failed: 0 };
  /** How often each text was signed. */
  const signed = new Map<string, number>();
  let fails = false;
  let seed = 1;
  const isUnlucky = (): boolean => {
    seed = (seed * 48_271) % 2_147_483_647;
    const unlucky = fails && seed / 2_147_483_647 < FAULTS;
    if (unlucky) counts.failed += 1;
    return unlucky;
  };
  const media = new URL(mediaUrl).origin;
  const server = createServer((incoming, outgoing) => {
    const isMedia = incoming.url!.startsWith('/media-of-service/');
    if (!isMedia) counts.requests += 1;
    const target = isMedia ? media + incoming.url!.slice('/media-of-service'.length) : apiUrl + incoming.url!;
    const unlucky = isUnlucky();
    if (unlucky && !isMedia)
      return void outgoing.writeHead(503, { 'content-type': 'application/json' }).end('{}');
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const body = Buffer.concat(chunks);
      const { host: _, ...headers } = incoming.headers;
      const passed = send(target, { method: incoming.method, headers }, (response) => {
        const { location } = response.headers;
        if (response.statusCode === 303 && location) {
          const text = (JSON.parse(body.toString()) as { content: { data: string } }).content.data;
          signed.set(text, (signed.get(text) ?? 0) + 1);
          response.headers.location = location.replace(media, `${address}/media-of-service`);
        }
        outgoing.writeHead(response.statusCode!, response.headers);
        if (unlucky)
          response.once('data', (chunk: Buffer) =>
            outgoing.write(chunk.subarray(0, 99), () => outgoing.destroy()),
          );
        else response.pipe(outgoing);
      });
      passed.on('error', () => outgoing.destroy());
      passed.end(body);
    });
  });
  server.on('upgrade', (_, socket) => {
    counts.upgrades += 1;
    socket.destroy();
  });
  const address = await listen(server);
  return { address, counts, signed, fail: (on: boolean) => void (fails = on), server };
}

type Gateway = Awaited<ReturnType<typeof countingGateway>>;

const edition = mkdtempSync(join(tmpdir(), 'prepared-bench-'));
const clips = (): number =>
  readdirSync(join(edition, 'clips')).filter((file) => file.endsWith('.mp4')).length;

async function prepareSite(site: string, gateway: Gateway, apiKey: string): Promise<void> {
  const all = pages * TEXTS;
  const runProgram = async (killAt: number): Promise<number | null> => {
    const args = [
      'dist/proxy/sign-prepare.js',
      '--resolution',
      '480p',
      '--out',
      edition,
      `${site}/sitemap.xml`,
    ];
    const env = { ...process.env, SIGN_API_URL: gateway.address, SIGN_API_KEY: apiKey };
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
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

/** Opens a tab of pages and signs each to its end: how many texts were signed. */
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
const gateway = await countingGateway(sandbox.addresses);
const { apiUrl, wsUrl, apiKey } = sandbox.addresses;
const behind = { SIGN_API_URL: gateway.address, SIGN_WS_URL: gateway.address.replace('http', 'ws') };
const proxyOf = (env: Record<string, string>) =>
  createSignProxy({
    ...readConfig({ SIGN_API_KEY: apiKey, SIGN_REQUESTS_PER_MINUTE: '1000000', ...env }),
    elementsDir: 'dist/cdn',
  });
const proxies = { prepared: proxyOf(behind), live: proxyOf({ SIGN_API_URL: apiUrl, SIGN_WS_URL: wsUrl }) };
const sites: Server[] = [];

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
      if (url === '/sitemap.xml')
        return Array.from({ length: pages }, (_, i) => `<loc>${address}/page/${i * TEXTS}</loc>`).join('');
      if (folder === 'views')
        return '<iframe src="/signed/0" width="300" height="170"></iframe>'.repeat(Number(number));
      if (url.startsWith('/signs/')) return readFileSync(join(edition, url.slice('/signs/'.length)));
      return html(
        Number(number),
        folder === 'signed' ? 'prepared="/signs/signs.json"' : '',
        folder !== 'page',
      );
    };
    if (url === '/robots.txt') return void response.writeHead(404).end();
    if (url.startsWith('/sign/')) return proxies[kind].handler(request, response);
    response.writeHead(200, { 'content-type': type }).end(answer());
  });
  proxies[kind].attach(server);
  sites.push(server);
  const address = await listen(server);
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

  const browser = await openBrowser();
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
} finally {
  for (const server of [...sites, gateway.server]) {
    server.close();
    server.closeAllConnections();
  }
  for (const proxy of Object.values(proxies)) await proxy.close();
  await sandbox.close();
  rmSync(edition, { recursive: true });
}
