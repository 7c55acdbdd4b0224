// What it costs to find the sentences of a long page: the total time and the longest time in which the page could do nothing else.
// - The times are those of the browser's own trace. A page that counts them keeps its main thread busy without end: V8 then has no
//   time to collect between two slices, and does it within one.
import type * as scanPage from './page-scan-page.ts';
import type { Scan } from './page-scan-page.ts';
import { median } from './median.ts';
import { openSourcePage } from './source-page.ts';
import { mainThreadTasks } from './trace-tasks.ts';

const ROUNDS = 5;
const PAGES = [
  [1250, 4],
  [20_000, 1],
] as const;
const MODULE = '/test/bench/page-scan-page.ts';

interface Round extends Scan {
  readonly busyMs: number;
  readonly longestMs: number;
  readonly collectionMs: number;
}

export async function benchPageScan(): Promise<void> {
  const { page, close } = await openSourcePage();
  const traced = async (paragraphs: number, sentences: number): Promise<Round> => {
    const trace = await mainThreadTasks(page, ['scan-begins', 'scan-ends'], () =>
      page.evaluate(
        async (module, ...size) => ((await import(module)) as typeof scanPage).scan(...size),
        MODULE,
        paragraphs,
        sentences,
      ),
    );
    const { value, tasks, collections } = trace;
    return {
      ...value,
      busyMs: [...tasks, ...collections].reduce((sum, ms) => sum + ms, 0),
      longestMs: Math.max(...tasks),
      collectionMs: Math.max(0, ...collections),
    };
  };
  try {
    const rows: Record<string, Record<string, number>> = {};
    for (const [paragraphs, sentences] of PAGES) {
      const rounds: Round[] = [];
      for (let round = 0; round <= ROUNDS; round += 1) {
        // The garbage of a round would be collected in the next one.
        await page.reload();
        const found = await traced(paragraphs, sentences);
        // The first round includes the compilation.
        if (round > 0) rounds.push(found);
      }
      const of = (read: (round: Round) => number): number => Number(median(rounds.map(read)).toFixed(1));
      rows[`${paragraphs} paragraphs, ${rounds[0]!.sentences} sentences`] = {
        'first sentence, ms': of(({ firstMs }) => firstMs),
        'busy, ms': of(({ busyMs }) => busyMs),
        'longest slice, ms': of(({ longestMs }) => longestMs),
        'longest collection between slices, ms': of(({ collectionMs }) => collectionMs),
        'until all is read, ms': of(({ wallMs }) => wallMs),
      };
    }
    console.table(rows);
  } finally {
    await close();
  }
}
