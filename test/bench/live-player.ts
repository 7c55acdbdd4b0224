// The live player beside stock hls.js, Shaka and a bare `<video>`, on one growing stream of the sandbox over a
// network of 80 ms and, for minutes, over a network that ends 2 % of its answers before they are whole.
// - All contenders of a round start at the same moment in one page, each over its own simulated network, and the rounds are
//   spread over the phase of a part, so that a busy machine and a lucky moment are the same for all.
// - Latency is the painted frame's own stamp against the clock of the machine, start counted from the address to the first
//   picture.
// - Stock hls.js is the same build that ours uses, with the recovery from fatal errors that its documentation
//   shows.
import { setTimeout } from 'node:timers/promises';
import { openLivePlayerHarness } from './live-player-harness.ts';
import { mean, round, type Result, type Row } from './live-player-round.ts';

const PART_MS = 200;
const STARTS = 12;
/** How long a start is measured: long enough to catch up 0.5 s. */
const ROUND_MS = 8000;

function table(rows: readonly Row[], results: readonly (readonly Result[])[]): void {
  const of = (i: number): readonly Result[] => results.map((all) => all[i]!);
  const ratio = (value: number, stock: number): string => (value / stock).toFixed(2);
  const [stockStart, stockLatency] = [
    mean(of(0).map(({ start }) => start)),
    mean(of(0).map((r) => r.latency)),
  ];
  const lines = rows.map(({ name }, i) => {
    const [start, latency] = [mean(of(i).map((r) => r.start)), mean(of(i).map((r) => r.latency))];
    const failed = of(i).find((r) => r.failed !== null)?.failed;
    if (Number.isNaN(start)) return [name, { 'start ms': failed ?? 'no picture' }];
    const line = {
      'start ms': start.toFixed(0),
      'start ratio': ratio(start, stockStart),
      'latency ms': latency.toFixed(0),
      'latency ratio': ratio(latency, stockLatency),
      stalls: of(i).reduce((sum, { stalls }) => sum + stalls, 0),
      MB: (of(i).reduce((sum, { bytes }) => sum + bytes, 0) / 1e6).toFixed(1),
    };
    return [name, line];
  });
  console.table(Object.fromEntries(lines));
}

const stock: Row = { name: 'hls.js, as it comes', contender: 'hls.js', target: null };
const ours: Row = { name: 'ours, same hold-back', contender: 'ours', target: null };

/**
 * Prints the tables.
 * @param minutes how long the long run lasts; the full one is 10
 */
export async function benchLivePlayer(minutes = 0.5): Promise<void> {
  const harness = await openLivePlayerHarness();
  try {
    // Waits until the playlist has its full length, as for a player that joins later.
    await setTimeout(8000);
    const rows: readonly Row[] = [stock, ours, { name: 'ours, 0.45 s', contender: 'ours', target: 0.45 }];
    const starts: (readonly Result[])[] = [];
    for (let i = 0; i < STARTS; i++) {
      await setTimeout((i / STARTS) * PART_MS);
      starts.push(await round(harness, rows, { delay: 80, loss: 0 }, ROUND_MS));
    }
    console.log(`${STARTS} starts, 80 ms a request`);
    table(rows, starts);

    const all: readonly Row[] = [
      stock,
      ours,
      { name: 'Shaka, DASH', contender: 'Shaka, DASH', target: null },
      { name: '<video src>', contender: '<video>', target: null },
    ];
    console.log(`${minutes} min, 80 ms a request, 2 % of the answers lost`);
    table(all, [await round(harness, all, { delay: 80, loss: 0.02 }, minutes * 60_000)]);
  } finally {
    await harness.close();
  }
}
