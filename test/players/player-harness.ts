// Opens stock players in a real browser, each in a page of its own, from the players' own published files.
// - Nothing of ours plays here.
// - The stamps of the frames show what a player painted.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { openBrowser } from '../browser/open-browser.ts';
import { listen } from '../listening.ts';
import { obtainPackages } from '../npm/obtain-packages.mjs';

export const hlsPlayers = ['hls.js', 'hls.js light', 'Shaka, HLS'] as const;
export const dashPlayers = ['Shaka, DASH', 'dash.js'] as const;
export type PlayerName = (typeof hlsPlayers)[number] | (typeof dashPlayers)[number];

/** One painted frame: its stamp, and its time in milliseconds of the page's own clock. */
interface Painted {
  readonly clip: number;
  readonly frame: number;
  readonly at: number;
}

export interface PlayerPage {
  readonly page: Page;
  /** Every painted frame so far, in order. */
  painted(): Promise<Painted[]>;
  /**
   * Resolves when a frame with the stamp of `clip` and at least `frame` was painted; rejects with the position and state of the
   * video after a minute and a half.
   */
  untilPainted(clip: number, frame: number): Promise<void>;
  /** Resolves when the video has ended; rejects with its position and state after a minute and a half. */
  untilEnded(): Promise<void>;
  /** Position and state of the video, for the message of a wait that failed. */
  standing(): Promise<object>;
  /** What the player reported as an error. */
  complaints(): Promise<string[]>;
}

export interface PlayerHarness {
  /** Opens a player on a manifest. */
  open(player: PlayerName, url: string, lowLatency: boolean): Promise<PlayerPage>;
  close(): Promise<void>;
}

const html =
  '<!doctype html><title>player</title><video muted></video><script type="module" src="/page.js"></script>';
const script = { 'content-type': 'text/javascript' };

/** The folder that has dash.js. */
const obtainDash = (): string => obtainPackages('dashjs', { dashjs: '5.2.1' }, console.error);

/** The page's own scripts, and the players' files under `/players/`. */
function fileOf(pathname: string): string | null {
  if (pathname === '/page.js') return 'test/players/player-page.js';
  if (pathname === '/stamp.js') return '.build/demo/sandbox/stamp.js';
  const player = /^\/players\/((?:hls\.js|shaka-player|dashjs)\/dist\/[\w/.-]+\.js)$/.exec(pathname)?.[1];
  if (player === undefined || player.includes('..')) return null;
  return join(player.startsWith('dashjs/') ? obtainDash() : '.', 'node_modules', player);
}

/** Runs in the page: position and state of a video that does not go on. */
function standing(): object {
  const { currentTime, duration, paused, seeking, readyState, buffered } = document.querySelector('video')!;
  const spans = Array.from({ length: buffered.length }, (_, i) => [buffered.start(i), buffered.end(i)]);
  const { complaints, seen } = window as unknown as { complaints: string[]; seen: Painted[] };
  const painted = [seen.length, seen.at(-1)];
  return {
    currentTime,
    duration,
    paused,
    seeking,
    readyState,
    buffered: spans,
    painted,
    complaints: complaints.slice(0, 5),
  };
}

export async function openPlayerHarness(): Promise<PlayerHarness> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://harness');
    const file = fileOf(pathname);
    if (file !== null) response.writeHead(200, script).end(readFileSync(file));
    else if (pathname === '/') response.writeHead(200, { 'content-type': 'text/html' }).end(html);
    else response.writeHead(404).end();
  });
  const port = await listen(server);
  const origin = `http://127.0.0.1:${port}`;
  const browser = await openBrowser();

  return {
    async open(player, url, lowLatency) {
      // This runs before the page waits for the player.
      if (player === 'dash.js') obtainDash();
      const context = await browser.createBrowserContext();
      const page = await context.newPage();
      page.setDefaultTimeout(90_000);
      const query = new URLSearchParams({ player, url, 'low-latency': String(lowLatency) });
      await page.goto(`${origin}/?${query.toString()}`);
      const orTell = async (waited: Promise<unknown>, what: string): Promise<void> => {
        try {
          await waited;
        } catch {
          throw new Error(`${player} has not ${what}: ${JSON.stringify(await page.evaluate(standing))}`);
        }
      };
      return {
        page,
        painted: () =>
          page.evaluate(() => (window as unknown as { painted(): Promise<Painted[]> }).painted()),
        untilPainted: (clip, frame) =>
          orTell(
            page.waitForFunction(
              (wanted, least) =>
                (window as unknown as { seen: Painted[] }).seen.some(
                  (one) => one.clip === wanted && one.frame >= least,
                ),
              { polling: 100 },
              clip,
              frame,
            ),
            `painted frame ${frame} of clip ${clip}`,
          ),
        untilEnded: () =>
          orTell(
            page.waitForFunction(() => document.querySelector('video')?.ended),
            'ended',
          ),
        standing: () => page.evaluate(standing),
        complaints: () => page.evaluate(() => (window as unknown as { complaints: string[] }).complaints),
      };
    },
    async close() {
      await browser.close();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
