// `sign-prepare` killed at random moments: what is in the folder after each kill, and what it has cost.
// - Each kill is SIGKILL, up to a second after the run's first request to the service; every sixth up to a second after its start.
// - After each one `signs.json` is read as the next run reads it, and every clip that it names must be whole.
// - The lock of a killed program is made 11 s older, because the next run takes it over when it is 10 s old.
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { SandboxAddresses } from '../../../demo/sandbox/index.ts';
import { Edition } from '../../../proxy/prepare/edition.ts';
import { randomFrom } from '../random.ts';
import { countingGateway, addressOf, sitemapOf, startProgram, TEXTS, textsOf } from './site.ts';

const MOST_MS = 1_000;
const LOCK_SECONDS = 11;

/** Clips that `signs.json` names and that are not whole. */
async function brokenIn(folder: string): Promise<number> {
  if (!existsSync(join(folder, 'signs.json'))) return 0;
  const edition = await Edition.open(folder, null);
  let broken = 0;
  for (const { file, bytes } of edition.manifest.texts)
    if ((await edition.readClip(file))?.bytes !== bytes) broken += 1;
  return broken;
}

function ageLocks(folder: string): void {
  const before = Date.now() / 1000 - LOCK_SECONDS;
  for (const name of readdirSync(folder))
    if (name.endsWith('.lock')) utimesSync(join(folder, name), before, before);
}

export async function benchKills(sandbox: SandboxAddresses, kills: number, pages: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'prepared-kills-'));
  const gateway = await countingGateway(sandbox);
  const server = createServer(({ url }, response) => {
    const first = /^\/page\/(\d+)$/.exec(url!)?.[1];
    if (!first && url !== '/sitemap.xml') return void response.writeHead(404).end();
    const body = first
      ? `<main>${textsOf(Number(first))
          .map((text) => `<p>${text}</p>`)
          .join('')}</main>`
      : sitemapOf(site, pages);
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html>${body}`);
  });
  const site = await addressOf(server);
  const random = randomFrom(7);
  const [all, begun] = [pages * TEXTS, performance.now()];
  let [killed, broken, ended] = [0, 0, 0];
  try {
    gateway.fail(true);
    while (killed < kills && ended === 0) {
      const program = startProgram(site, folder, gateway, sandbox.apiKey, 'ignore');
      const exit = once(program, 'exit');
      const before = gateway.counts.requests;
      const isOver = (): boolean => program.exitCode !== null;
      while (killed % 6 !== 5 && gateway.counts.requests === before && !isOver()) await wait(5);
      await wait(random() * MOST_MS);
      if (isOver()) ended += 1;
      else killed += Number(program.kill('SIGKILL'));
      await exit;
      broken += await brokenIn(folder);
      ageLocks(folder);
    }
    const last = startProgram(site, folder, gateway, sandbox.apiKey);
    const [status] = (await once(last, 'exit')) as [number | null];
    const { texts } = (await Edition.open(folder, null)).manifest;
    const files = readdirSync(join(folder, 'clips'));
    const again = [...gateway.signed.values()].reduce((sum, times) => sum + times - 1, 0);
    console.log('\nKilled at random moments (goal: nothing broken, nothing lost)');
    console.table({
      kills: killed,
      'clips entered and not whole, after all kills': broken + (await brokenIn(folder)),
      'exit status of the last run': status,
      'texts of the site': all,
      'texts in the edition': texts.length,
      'clips in the folder': files.filter((file) => file.endsWith('.mp4')).length,
      'unfinished files, which a run removes after an hour': files.filter((file) => file.endsWith('.part'))
        .length,
      [`texts asked for again, of at most ${4 * killed} under way at the kills`]: again,
      minutes: Number(((performance.now() - begun) / 60_000).toFixed(1)),
    });
  } finally {
    for (const open of [server, gateway.server]) {
      open.close();
      open.closeAllConnections();
    }
    rmSync(folder, { recursive: true });
  }
}
