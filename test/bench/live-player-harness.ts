// The set-up in which the live player is compared: a real browser with one page that loads this repository's sources, beside
// hls.js and Shaka as their makers publish them, and one growing stream of the real sandbox.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Page } from 'puppeteer-core';
import { startSandbox } from '../../demo/sandbox/index.ts';
import { openBrowser } from '../browser/open-browser.ts';
import { listen } from '../listening.ts';
import { fetchManifest, manifestUrlOf } from '../players/stream-session.ts';
import { V3Client } from '../sandbox/v3/socket.ts';
import { sourceModule } from './source-module.ts';

const FRAME_MS = 40;

export interface LivePlayerHarness {
  readonly page: Page;
  /** Address of the stream's HLS manifest. */
  readonly url: string;
  /** When this frame of the stream was due, in milliseconds since 1970. */
  dueOf(frame: number): number;
  close(): Promise<void>;
}

const files: Readonly<Record<string, string>> = {
  'hls.js/light': 'hls.js/dist/hls.light.min.mjs',
  'hls.js': 'hls.js/dist/hls.min.mjs',
  'shaka-player/dist/shaka-player.dash-es2021.js': 'shaka-player/dist/shaka-player.dash-es2021.js',
};
const imports = Object.fromEntries(Object.entries(files).map(([name, file]) => [name, `/players/${file}`]));
const html = `<!doctype html><html lang="en"><title>players</title>
<script type="importmap">${JSON.stringify({ imports })}</script>
<script type="module" src="/test/bench/live-player-page.ts"></script>`;

/** The file of this path as JavaScript; null when there is none. */
function scriptAt(pathname: string): string | null {
  const player = pathname.replace('/players/', '');
  if (Object.values(files).includes(player)) return readFileSync(`node_modules/${player}`, 'utf8');
  return sourceModule(pathname);
}

/** Time of frame 0, the first frame of the first segment. */
async function originOf(url: string): Promise<number> {
  const playlist = await (await fetchManifest(url)).text();
  const date = /#EXT-X-PROGRAM-DATE-TIME:(.*)/.exec(playlist)?.[1];
  if (date === undefined || !playlist.includes('#EXT-X-MEDIA-SEQUENCE:0\n')) {
    throw new Error(`no first segment with a date in ${playlist}`);
  }
  return Date.parse(date);
}

/** @param scale of the pictures of the stream, where 1 is the size that the service delivers */
export async function openLivePlayerHarness(scale = 1): Promise<LivePlayerHarness> {
  const sandbox = await startSandbox({ render: { stamp: true, scale } });
  const client = await new V3Client(sandbox.addresses.wsUrl).opened();
  client.start({ digital_signer: 'RAE', resolution: '480p' }, 'stream');
  const url = manifestUrlOf(await client.next());
  const origin = await originOf(url);

  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://page');
    const script = pathname === '/' ? null : scriptAt(pathname);
    if (script !== null) response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    else if (pathname === '/') response.writeHead(200, { 'content-type': 'text/html' }).end(html);
    else response.writeHead(404).end();
  });
  const port = await listen(server);
  const browser = await openBrowser();
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${port}`);
  await page.waitForFunction('window.livePlayers');
  await page.evaluate('livePlayers.prepare()');
  return {
    page,
    url,
    dueOf: (frame) => origin + frame * FRAME_MS,
    async close() {
      await browser.close();
      server.close();
      server.closeAllConnections();
      client.send({ type: 'session.end' });
      await client.closed();
      await sandbox.close();
    },
  };
}
