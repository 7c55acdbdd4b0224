// Measures how long the last frame of a clip stays on screen before the next clip begins, over 200 joins.
// - Clips have 26 frames at 25 a second: a frame lasts 40 ms, which is 33 or 50 ms in samples at 60 Hz.
// - Baselines: frames within a clip, and what a page can do itself: set the next `src`, or swap two videos (28 joins each).
// - The whole bench takes less than five minutes.
import type * as joinsPage from './joins-page.ts';
import type { Joins, Way } from './joins-page.ts';
import { median } from './median.ts';
import { openSourcePage } from './source-page.ts';

/** The ways to play take turns, so that a busy moment of the machine affects all of them. */
const ROUNDS = 4;
/** Joins of each way in a round. */
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
