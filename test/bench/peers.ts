// `npm run bench:peers`: the same page with our elements and with players of other projects.
// - Peers are installed from npm into a folder of their own, at the versions below, and bundled as a site would do it.
// - All pages have one article, one strict policy in report-only mode and one growing stream of the sandbox; `<sign-translate>`
//   signs a text in place of it, and its time includes the sandbox's own work for that text.
// - Bytes are those of scripts and style sheets, compressed with Brotli by this bench for all alike. Media is not counted.
// - Each contender is loaded in a new browser context, without a cache; the rounds take turns. Medians are printed.
// - npm has only the loader of VLibras. Its requests to its own host are refused here, and count as requests without bytes.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';
import type { Browser } from 'puppeteer-core';
import { startBackend } from '../backend/backend.mjs';
import { openOwnBrowser } from '../browser/open-browser.ts';
import { listen } from '../listening.ts';
import { fetchManifest, manifestUrlOf } from '../players/stream-session.ts';
import { V3Client } from '../sandbox/v3/socket.ts';
import { median } from './median.ts';

const ROUNDS = 5;
/** Time after the load of a page until its requests are counted. The network is never idle, because players poll the stream. */
const SETTLED_MS = 2000;
const GIVEN_UP_MS = 20_000;
const peers = { 'hls-video-element': '1.5.11', '@mux/mux-player': '3.14.0', 'vlibras-nextjs': '1.1.2' };
/** Puts VLibras on the page as its loader, a component of React, is meant to be used. */
const vlibras = `import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import VLibras from 'vlibras-nextjs';
createRoot(document.getElementById('vlibras')).render(createElement(VLibras));`;

interface Contender {
  readonly tag: string;
  /** The attributes, made from the addresses of the stream and of the proxy. */
  attributes(stream: string, proxy: string): string;
  /** Path of the script tag. */
  readonly script: string;
  /**
   * The call that makes `element` play `stream`, an address. Our element begins by itself, so it gets the address here. A loader
   * has none.
   */
  readonly play?: string;
}

const play = 'element.play()';
const ours = '/dist/cdn/sign-elements.js';
const contenders: Readonly<Record<string, Contender | null>> = {
  'no player': null,
  'hls-video-element': {
    tag: 'hls-video',
    attributes: (stream) => `src="${stream}" muted preload="none"`,
    script: '/peers/hls-video-element.js',
    play,
  },
  'mux-player': {
    tag: 'mux-player',
    attributes: (stream) => `src="${stream}" stream-type="live" muted preload="none" disable-tracking`,
    script: '/peers/@mux/mux-player.js',
    play,
  },
  'VLibras, its loader': {
    tag: 'div',
    attributes: () => 'id="vlibras"',
    script: '/peers/vlibras.js',
  },
  '<sign-live-player>': {
    tag: 'sign-live-player',
    attributes: () => 'muted controls',
    script: ours,
    play: '(element.src = stream, element.play())',
  },
  '<sign-translate>': {
    tag: 'sign-translate',
    attributes: (_, proxy) => `proxy="${proxy}" for="article" controls`,
    script: ours,
    play: 'element.sign("Hello.")',
  },
};

const article = Array.from({ length: 60 }, (_, n) => `<h2>Part ${n}</h2><p>Apply by day ${n}.</p>`).join('');

/** Installs and bundles the peers; returns the folder of their bundles. */
async function bundlePeers(work: string): Promise<string> {
  writeFileSync(join(work, 'package.json'), JSON.stringify({ private: true, dependencies: peers }));
  const args = ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync('npm', args, { cwd: work, stdio: ['ignore', 'ignore', 'inherit'] });
  const outdir = join(work, 'peers');
  writeFileSync(join(work, 'vlibras.js'), vlibras);
  await build({
    absWorkingDir: work,
    entryPoints: {
      'hls-video-element': 'hls-video-element',
      '@mux/mux-player': '@mux/mux-player',
      vlibras: './vlibras.js',
    },
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    outdir,
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
  return outdir;
}

const seen = (): void => {
  const page = { long: 0, longest: 0, reports: 0 };
  Object.assign(globalThis, { seen: page });
  addEventListener('securitypolicyviolation', () => (page.reports += 1));
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      page.long += 1;
      page.longest = Math.max(page.longest, duration);
    }
  }).observe({ type: 'longtask', buffered: true });
};

/** Runs in the page: plays the element; resolves with milliseconds to the first frame that any video of it paints, or null. */
const firstFrame = ({ tag, play = '' }: Contender, stream: string): string => `(async () => {
  const stream = ${JSON.stringify(stream)};
  const element = document.querySelector('${tag}');
  const videosIn = (root) => [...root.querySelectorAll('*')].flatMap((one) =>
    one.localName === 'video' ? [one] : one.shadowRoot ? videosIn(one.shadowRoot) : []);
  const start = performance.now();
  const watched = new Set();
  return new Promise((resolve) => {
    const look = () => {
      for (const video of videosIn(document)) {
        if (watched.has(video)) continue;
        watched.add(video);
        video.requestVideoFrameCallback(() => resolve(performance.now() - start));
      }
      setTimeout(look, 4);
    };
    Promise.resolve(${play}).catch(() => {});
    look();
    setTimeout(resolve, ${GIVEN_UP_MS}, null);
  });
})()`;

type Cost = Record<
  'kB' | 'requests' | 'kB to a frame' | 'CSP reports' | 'long tasks' | 'longest' | 'frame',
  number
>;

async function costOf(browser: Browser, { address, contender }: (typeof addresses)[number]): Promise<Cost> {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const files: Promise<Buffer | Uint8Array>[] = [];
  page.on('response', (response) => {
    if (!['script', 'stylesheet'].includes(response.request().resourceType())) return;
    files.push(response.buffer());
  });
  let refused = 0;
  page.on('requestfailed', (request) => {
    if (request.resourceType() === 'script') refused += 1;
  });
  await page.evaluateOnNewDocument(seen);
  await page.goto(address);
  await delay(SETTLED_MS);
  const requests = files.length;
  const frame = contender?.play
    ? (((await page.evaluate(firstFrame(contender, stream))) as number | null) ?? NaN)
    : NaN;
  const { long, longest, reports } = (await page.evaluate('seen')) as Record<string, number>;
  // The sandbox runs in this process too: compressing earlier would delay its stream.
  const sizes = (await Promise.all(files)).map((bytes) => brotliCompressSync(bytes).length / 1000);
  const sum = (some: readonly number[]): number => some.reduce((all, one) => all + one, 0);
  const cost = {
    ...{ kB: sum(sizes.slice(0, requests)), requests: requests + refused, 'kB to a frame': sum(sizes) },
    ...{ 'CSP reports': reports!, 'long tasks': long!, longest: longest!, frame },
  };
  await context.close();
  return cost;
}

const work = mkdtempSync(join(tmpdir(), 'peers-'));
const bundles = await bundlePeers(work);

const policyFor = (proxy: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    'img-src data:',
    `connect-src 'self' ${proxy} ${proxy.replace(/^http/, 'ws')} http://127.0.0.1:*`,
    'media-src blob: http://127.0.0.1:*',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');

const pages = new Map<string, string>();
let policy = '';

function serveFile(response: ServerResponse, file: string): void {
  const type = file.endsWith('.css') ? 'text/css' : 'text/javascript';
  response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(readFileSync(file));
}

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://page');
  const page = pages.get(pathname);
  const file = pathname.startsWith('/peers/') ? join(bundles, pathname.slice(7)) : pathname.slice(1);
  if (page !== undefined) {
    const head = { 'content-type': 'text/html', 'content-security-policy-report-only': policy };
    response.writeHead(200, head).end(page);
  } else if (/^\/(peers|dist)\//.test(pathname) && existsSync(file)) serveFile(response, file);
  else response.writeHead(404).end();
});
const port = await listen(server);
const origin = `http://127.0.0.1:${port}`;

const backend = await startBackend([origin]);
const { proxy } = backend.addresses;
policy = policyFor(new URL(proxy).origin);
const client = await new V3Client(backend.sandbox.addresses.wsUrl).opened();
client.start({ digital_signer: 'RAE', resolution: '480p' }, 'stream');
const stream = manifestUrlOf(await client.next());
await fetchManifest(stream);

const addresses = Object.entries(contenders).map(([name, contender], n) => {
  const sheet =
    contender?.script === ours ? '<link rel="stylesheet" href="/dist/cdn/sign-elements.css">' : '';
  const tags = contender
    ? `${sheet}<${contender.tag} ${contender.attributes(stream, proxy)}></${contender.tag}><script type="module" src="${contender.script}"></script>`
    : '';
  pages.set(
    `/${n}`,
    `<!doctype html><html lang="en"><title>peers</title><link rel="icon" href="data:,">
    <main id="article">${article}</main>${tags}`,
  );
  return { name, contender, address: `${origin}/${n}` };
});

const browser = await openOwnBrowser([
  '--autoplay-policy=no-user-gesture-required',
  // Requests to other machines are refused.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
]);
const costs = new Map<string, Cost[]>(addresses.map(({ name }) => [name, []]));
for (let round = 0; round < ROUNDS; round += 1) {
  for (const one of addresses) costs.get(one.name)!.push(await costOf(browser, one));
}
console.table(
  Object.fromEntries(
    [...costs].map(([name, all]) => {
      const of = (what: keyof Cost): number => median(all.map((one) => one[what]));
      return [
        name,
        {
          'kB with the page': of('kB').toFixed(1),
          requests: of('requests'),
          'kB to the first frame': of('kB to a frame').toFixed(1),
          'CSP reports': of('CSP reports'),
          'long tasks': of('long tasks'),
          'longest, ms': of('longest').toFixed(0),
          'play to first frame, ms': Number.isNaN(of('frame')) ? '–' : of('frame').toFixed(0),
        },
      ];
    }),
  ),
);
await browser.close();
client.send({ type: 'session.end' });
await client.closed();
await backend.close();
server.close();
server.closeAllConnections();
rmSync(work, { recursive: true });
