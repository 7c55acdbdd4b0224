// One round of a comparison of live players: all of them at once in one page, each over its own simulated network.
// - Latency is the painted frame's own stamp against the clock of the machine, once a player has had a second and a half to
//   settle.
// - The length of a freeze is the longest time without a new frame, up to the end of the round.
import { setTimeout } from 'node:timers/promises';
import type { LivePlayerHarness } from './live-player-harness.ts';
import type { Contender, LivePlayers, Watched } from './live-player-page.ts';
import { simulateNetwork, type Trick, type Trouble } from './network-simulator.ts';
import { randomFrom } from './random.ts';

/** The same for each contender, so that all of them lose the same answers. */
const SEED = 12_345;
const SETTLED_MS = 1500;
/** The last part of a round, which is measured by itself. */
const LAST_MS = 1000;

export interface Row {
  readonly name: string;
  readonly contender: Contender;
  /** Seconds behind live; null for what the manifest advises. */
  readonly target: number | null;
}

export interface Result {
  /** Milliseconds to the first picture; NaN when there was none. */
  readonly start: number;
  /** Mean of the painted frames, ms; NaN when none was painted. */
  readonly latency: number;
  /** The same of the last second. */
  readonly atEnd: number;
  readonly stalls: number;
  /** The longest time without a new frame, ms. */
  readonly stood: number;
  readonly bytes: number;
  readonly requests: number;
  readonly failed: string | null;
}

type PlayersWindow = Window & { livePlayers: LivePlayers };

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** @param ended when the round was over, milliseconds since 1970 */
function resultOf({ started, stalls, frames, failed }: Watched, harness: LivePlayerHarness, ended: number) {
  const latencyOf = (from: number): number =>
    mean(frames.filter(({ at }) => at > from).map(({ frame, at }) => at - harness.dueOf(frame)));
  const times = [...frames.map(({ at }) => at), ended];
  return {
    // The page returns NaN as null.
    start: frames.length > 0 ? started : NaN,
    latency: latencyOf((frames[0]?.at ?? 0) + SETTLED_MS),
    atEnd: latencyOf(ended - LAST_MS),
    stalls,
    stood: Math.max(...times.slice(1).map((at, i) => at - times[i]!)),
    failed,
  };
}

/** Plays all rows at once for this long; `trick` makes the trick of each network. */
export async function round(
  harness: LivePlayerHarness,
  rows: readonly Row[],
  trouble: Trouble,
  ms: number,
  trick?: () => Trick,
): Promise<Result[]> {
  const networks = await Promise.all(rows.map(() => simulateNetwork(trouble, randomFrom(SEED), trick?.())));
  const { page } = harness;
  const orders = rows.map(({ name, contender, target }, i) => {
    const url =
      contender === 'Shaka, DASH' ? harness.url.replace(/[\w.]+(?=\?)/, 'manifest.mpd') : harness.url;
    return { name, contender, target, url: networks[i]!.through(url) };
  });
  await page.evaluate((list) => {
    const { livePlayers } = window as unknown as PlayersWindow;
    for (const { name, contender, url, target } of list) livePlayers.play(name, contender, url, target);
  }, orders);
  await setTimeout(ms);
  const { watched, ended } = await page.evaluate(() => {
    const { livePlayers } = window as unknown as PlayersWindow;
    const watched = livePlayers.watched();
    livePlayers.end();
    return { watched, ended: performance.timeOrigin + performance.now() };
  });
  const results = rows.map(({ name }, i): Result => {
    const { bytes, requests } = networks[i]!;
    return { ...resultOf(watched[name]!, harness, ended), bytes, requests };
  });
  await Promise.all(networks.map((network) => network.close()));
  return results;
}
