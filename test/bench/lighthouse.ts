// Lighthouse's scores of an article on a phone, with a signer and without one.
// - The page without a signer is the baseline of the same run. Each score is the median of three runs, because the one of
//   performance is of times, and the machine may be busy.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { launchFlags } from '../browser/launch-flags.mjs';
import { obtainChromium } from '../browser/obtain-chromium.mjs';
import { obtainPackages } from '../npm/obtain-packages.mjs';
import { openSite } from '../page/site.ts';
import { median } from './median.ts';
import { signedArticles } from './page-cost.ts';

const ROUNDS = 3;
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

type Scores = Record<(typeof CATEGORIES)[number], number>;

const head = `<title>How to appeal</title><meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="description" content="How to apply, and how to appeal against our answer.">`;

/** Points from 0 to 100. */
async function scoresOf(cli: string, address: string): Promise<Scores> {
  const options = ['--quiet', '--output=json', '--output-path=stdout', '--disable-full-page-screenshot'];
  const flags = `--chrome-flags=--headless ${launchFlags.join(' ')}`;
  const env = { ...process.env, CHROME_PATH: obtainChromium(console.error) };
  const { stdout } = await promisify(execFile)(process.execPath, [cli, address, ...options, flags], {
    env,
    maxBuffer: 1e8,
  });
  const { categories } = JSON.parse(stdout) as { categories: Record<string, { score: number }> };
  return Object.fromEntries(CATEGORIES.map((name) => [name, categories[name]!.score * 100])) as Scores;
}

export async function benchLighthouse(): Promise<void> {
  const folder = obtainPackages('lighthouse', { lighthouse: '13.5.0' }, console.error);
  const cli = join(folder, 'node_modules/lighthouse/cli/index.js');
  const site = await openSite();
  try {
    const rows: Record<string, Scores> = {};
    for (const [name, body] of Object.entries(signedArticles(site.backend.addresses.proxy))) {
      const { page } = await site.open(`<head>${head}</head>${body}`);
      const address = page.url();
      await page.close();
      const rounds: Scores[] = [];
      for (let n = 0; n < ROUNDS; n += 1) rounds.push(await scoresOf(cli, address));
      const points = CATEGORIES.map((category) => [
        category,
        Math.round(median(rounds.map((one) => one[category]))),
      ]);
      rows[name] = Object.fromEntries(points) as Scores;
    }
    console.table(rows);
  } finally {
    await site.close();
  }
}
