// The live picture beside stock hls.js on faulty servers of live HLS, one fault after the other
// (hostile-playlists.ts), over a network of 80 ms.
// - Both play at the same moment, each over its own simulated network.
// - Several starts of each fault, at the same hold-back.
// - Our picture must not freeze for longer or more often than that of hls.js, and must not end further behind live.
import { setTimeout } from 'node:timers/promises';
import { hostile } from './hostile-playlists.ts';
import { openLivePlayerHarness } from './live-player-harness.ts';
import { mean, round, type Result, type Row } from './live-player-round.ts';

const PART_MS = 200;
const STARTS = 3;
/** Long enough for ten seconds without a new segment, and for the recovery. */
const LOOKED_AT_MS = 20_000;
/** The time until a playlist is as long as three segments of 6 s. */
const GROWN_MS = 26_000;

const rows: readonly Row[] = [
  { name: 'hls.js', contender: 'hls.js', target: null },
  { name: 'ours', contender: 'ours', target: null },
];

const whole = (values: readonly number[]): string => mean(values).toFixed(0);

const lineOf = (results: readonly Result[]): Readonly<Record<string, string | number>> => ({
  'start ms': whole(results.map(({ start }) => start)),
  'latency ms': whole(results.map(({ latency }) => latency)),
  'at the end': whole(results.map(({ atEnd }) => atEnd)),
  stalls: results.reduce((sum, { stalls }) => sum + stalls, 0),
  'stood, ms': Math.max(...results.map(({ stood }) => Math.round(stood))),
  requests: whole(results.map(({ requests }) => requests)),
  failed: results.find(({ failed }) => failed !== null)?.failed ?? '',
});

/**
 * Prints a table of each fault.
 * @param starts how often each is tried
 */
export async function benchLiveHostile(starts = STARTS): Promise<void> {
  const harness = await openLivePlayerHarness();
  try {
    await setTimeout(GROWN_MS);
    for (const [fault, trick] of Object.entries(hostile)) {
      const all: Result[][] = [];
      for (let i = 0; i < starts; i++) {
        await setTimeout((i / starts) * PART_MS);
        all.push(await round(harness, rows, { delay: 80, loss: 0 }, LOOKED_AT_MS, trick));
      }
      console.log(fault);
      console.table(Object.fromEntries(rows.map(({ name }, i) => [name, lineOf(all.map((r) => r[i]!))])));
    }
  } finally {
    await harness.close();
  }
}
