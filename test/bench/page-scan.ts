// What it costs to find the sentences of a long page: the total time and the longest time in which the page could do nothing else.
import type * as scanPage from './page-scan-page.ts';
import type { Scan } from './page-scan-page.ts';
import { median } from './median.ts';
import { openSourcePage } from './source-page.ts';

const ROUNDS = 5;
const PAGES = [
  [1250, 4],
  [20_000, 1],
] as const;
const MODULE = '/test/bench/page-scan-page.ts';

export async function benchPageScan(): Promise<void> {
  const { page, close } = await openSourcePage();
  try {
    const rows: Record<string, Record<string, number>> = {};
    for (const [paragraphs, sentences] of PAGES) {
      const scans: Scan[] = [];
      for (let round = 0; round <= ROUNDS; round += 1) {
        // What a round leaves behind would be collected in the next one.
        await page.reload();
        const found = await page.evaluate(
          async (module, ...size) => ((await import(module)) as typeof scanPage).scan(...size),
          MODULE,
          paragraphs,
          sentences,
        );
        // The first round includes the compilation.
        if (round > 0) scans.push(found);
      }
      const of = (read: (scan: Scan) => number): number => Number(median(scans.map(read)).toFixed(1));
      rows[`${paragraphs} paragraphs, ${scans[0]!.sentences} sentences`] = {
        'first sentence, ms': of(({ firstMs }) => firstMs),
        'busy, ms': of(({ busyMs }) => busyMs),
        'longest slice, ms': of(({ longestMs }) => longestMs),
        'until all is read, ms': of(({ wallMs }) => wallMs),
      };
    }
    console.table(rows);
  } finally {
    await close();
  }
}
