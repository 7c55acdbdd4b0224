// How long a picture stands where one clip ends and the next begins: sampled at 60 Hz over 200 joins of clips of 26
// frames at 25 a second, of which each stands 40 ms, so 33 or 50 in samples. Beside it frames within a clip, and what a
// page would do without us: set the next `src`, or swap two videos, 28 joins each. All of it takes under five minutes.
import type * as joinsPage from './joins-page.ts';
import type { Joins, Way } from './joins-page.ts';
import { median } from './median.ts';
import { openSourcePage } from './source-page.ts';

/** Ways take turns, so that a busy moment of the machine is everybody's. */
const ROUNDS = 4;
/** In each round. */
const joinsOf = { 'one timeline': 50, 'two videos': 7, 'swapping src': 7 } as const satisfies Record<
  Way,
  number
>;

const percentile = (numbers: readonly number[], share: number): number =>
  numbers.toSorted((a, b) => a - b)[Math.ceil(numbers.length * share) - 1]!;

const row = (holds: readonly number[], { blank, lost }: { blank: number | string; lost: number }) => ({
  'median ms': median(holds).toFixed(0),
  'p95 ms': percentile(holds, 0.95).toFixed(0),
  holds: holds.length,
  'blank samples': blank,
  'frames lost': lost,
});

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

export async function benchJoins(): Promise<void> {
  const { page, close } = await openSourcePage();
  try {
    const played = new Map<Way, Joins[]>();
    for (let round = 0; round < ROUNDS; round++) {
      for (const [way, count] of Object.entries(joinsOf) as [Way, number][]) {
        const joins = await page.evaluate(
          async (name, joinCount, module) => {
            const { playJoins } = (await import(module)) as typeof joinsPage;
            return playJoins(name, joinCount);
          },
          way,
          count,
          '/test/bench/joins-page.ts',
        );
        played.set(way, [...(played.get(way) ?? []), joins]);
      }
    }
    const table: Record<string, ReturnType<typeof row>> = {};
    for (const [way, rounds] of played) {
      const inside = rounds.flatMap((one) => one.inside);
      const across = rounds.flatMap((one) => one.across);
      table[`${way}: within a clip`] = row(inside, {
        blank: '',
        lost: sum(rounds.map(({ lostInside }) => lostInside)),
      });
      table[`${way}: joins`] = row(across, {
        blank: sum(rounds.map(({ blank }) => blank)),
        lost: sum(rounds.map(({ lostAtJoins }) => lostAtJoins)),
      });
    }
    console.table(table);
  } finally {
    await close();
  }
}
