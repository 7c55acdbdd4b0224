// Measures the time from a text sent to its first painted frame in stream mode, with stock hls.js in a real browser:
// low-latency playback and, in the same run, the same player without it.
// - Texts are sent at times spread over the phase of a part and not while another is signed.
// - Both clocks are this machine's.
// - The goal is for an idle machine.
import { setTimeout } from 'node:timers/promises';
import { clipId, startSandbox } from '../../demo/sandbox/index.ts';
import { manifestUrlOf } from '../players/stream-session.ts';
import { openPlayerHarness, type PlayerHarness } from '../players/player-harness.ts';
import { V3Client } from '../sandbox/v3/socket.ts';
import { median } from './median.ts';

const PART_MS = 200;

interface Row {
  readonly lowLatency: boolean;
  readonly rounds: number;
}

async function textToPainted(harness: PlayerHarness, wsUrl: string, row: Row): Promise<number[]> {
  const client = await new V3Client(wsUrl).opened();
  client.start({ digital_signer: 'RAE', resolution: '720p' }, 'stream');
  const url = manifestUrlOf(await client.next());
  const player = await harness.open('hls.js light', url, row.lowLatency);
  await player.untilPainted(0, 0);
  await setTimeout(4000);
  const origin = await player.page.evaluate(() => performance.timeOrigin);
  const times: number[] = [];
  for (let round = 0; round < row.rounds; round++) {
    const text = `Hello ${row.lowLatency ? 'a' : 'b'}${round}`;
    await setTimeout(1500 + (round / row.rounds) * PART_MS);
    const sent = performance.timeOrigin + performance.now();
    client.send({ type: 'text', id: text, data: text });
    await player.untilPainted(clipId(text), 0);
    const first = (await player.painted()).find(({ clip }) => clip === clipId(text));
    times.push(origin + first!.at - sent);
  }
  client.send({ type: 'session.end' });
  await client.closed();
  await player.page.close();
  return times;
}

/** Prints the table; times in ms. */
export async function benchStreamLatency(): Promise<void> {
  const sandbox = await startSandbox({ render: { stamp: true } });
  const harness = await openPlayerHarness();
  try {
    const plain = await textToPainted(harness, sandbox.addresses.wsUrl, { lowLatency: false, rounds: 5 });
    const low = await textToPainted(harness, sandbox.addresses.wsUrl, { lowLatency: true, rounds: 15 });
    const line = (times: readonly number[], goal: string): Record<string, string> => ({
      'median ms': median(times).toFixed(0),
      'slowest ms': Math.max(...times).toFixed(0),
      ratio: (median(times) / median(plain)).toFixed(2),
      goal,
    });
    console.table({
      'hls.js, lowLatencyMode off': line(plain, ''),
      'hls.js, as it comes': line(low, '1000'),
    });
  } finally {
    await harness.close();
    await sandbox.close();
  }
}
