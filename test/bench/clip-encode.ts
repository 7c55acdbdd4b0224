// Measures the time from a sent text to its whole MP4, through the sandbox's WebSocket and media origin. The baseline of the
// same run is the same painter and encoder on the main thread, without a service.
// - Clips of about 4 s, each requested once.
// - The longest block of the event loop is the maximum over all clips, with client and service in one process.
// - Goals are for an idle machine with two cores.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { frameSizes, type Resolution } from '../../demo/sandbox/media/media-spec.ts';
import { startSandbox, type Sandbox } from '../../demo/sandbox/index.ts';
import { encodeFiles } from '../../demo/sandbox/media/media-files.ts';
import { ownBackplate } from '../../demo/sandbox/painter/render-style.ts';
import { ScenePainter } from '../../demo/sandbox/painter/scene-painter.ts';
import { scriptOf } from '../../demo/sandbox/painter/script.ts';
import { V3Client } from '../sandbox/v3/socket.ts';
import { median } from './median.ts';

const ROUNDS = 9;
/** 8 words: 4.12 s. The number makes each text different. */
const textOf = (round: string): string => `The train to Leeds leaves from platform ${round}`;

/** Runs `work` and returns the longest time, in ms, for which it blocked this thread's event loop. */
async function longestBlock(work: () => Promise<void>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await setTimeout(5);
  await work();
  delay.disable();
  return delay.max / 1e6;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  const time = performance.now() - started;
  // The delay is recorded in the next turn of the event loop.
  await setTimeout(5);
  return time;
}

/** A session that signs one text at a time. */
async function signerOf(sandbox: Sandbox, resolution: Resolution): Promise<(text: string) => Promise<void>> {
  const client = await new V3Client(sandbox.addresses.wsUrl).opened();
  client.start({ digital_signer: 'RAE', resolution });
  await client.next();
  return async (text) => {
    client.send({ type: 'text', id: text, data: text });
    await client.next();
    const { url } = await client.next();
    await (await fetch(String(url))).arrayBuffer();
  };
}

async function onMainThread(text: string, resolution: Resolution): Promise<void> {
  const style = ownBackplate('RAE', frameSizes[resolution]);
  const script = scriptOf(text, null);
  const painter = new ScenePainter(style);
  const clip = { style, codec: 'h264', container: 'mp4', bitsPerSecond: null, segmentSeconds: null } as const;
  await encodeFiles(clip, script.gloss.frames, (picture, frame) => painter.paint(picture, script, frame));
}

/** Prints the table; times in ms. */
export async function benchClipEncode(): Promise<void> {
  const sandbox = await startSandbox({ limits: { max_messages_per_minute: 1000 } });
  const table: Record<string, Record<string, string>> = {};
  const row = (name: string, times: readonly number[], hold: number, goal: string): void => {
    table[name] = {
      'median ms': median(times).toFixed(0),
      'slowest ms': Math.max(...times).toFixed(0),
      'loop held ms': hold.toFixed(0),
      'goal ms (loop 20)': goal,
    };
  };
  try {
    for (const resolution of Object.keys(frameSizes) as Resolution[]) {
      const isGoal = resolution === '720p';
      const [one, other] = [await signerOf(sandbox, resolution), await signerOf(sandbox, resolution)];
      // The first clips of each worker include its start-up.
      for (const round of ['u', 'v', 'w']) {
        await Promise.all([
          one(textOf(`${round}1`)),
          other(textOf(`${round}2`)),
          onMainThread(textOf(round), resolution),
        ]);
      }
      const main: number[] = [];
      const single: number[] = [];
      const pairs: number[] = [];
      const holdMain = await longestBlock(async () => {
        for (let i = 0; i < ROUNDS; i++)
          main.push(await timed(() => onMainThread(textOf(`${i}`), resolution)));
      });
      const hold = await longestBlock(async () => {
        for (let i = 0; i < ROUNDS; i++) single.push(await timed(() => one(textOf(`1${i}`))));
      });
      const holdPairs = await longestBlock(async () => {
        for (let i = 0; i < ROUNDS; i++) {
          const pair = [timed(() => one(textOf(`2${i}`))), timed(() => other(textOf(`3${i}`)))];
          pairs.push(...(await Promise.all(pair)));
        }
      });
      row(`${resolution} main thread, no service`, main, holdMain, '');
      row(`${resolution} sandbox`, single, hold, isGoal ? '250' : '');
      row(`${resolution} sandbox, two at once`, pairs, holdPairs, isGoal ? '350 each' : '');
    }
  } finally {
    await sandbox.close();
  }
  console.table(table);
}
