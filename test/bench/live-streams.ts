// Measures the cost of a growing stream: the processor time of the whole sandbox while one and four streams of stream sessions
// grow, as a share of one core, beside the same pictures painted and encoded without a service in the same run.
// - 10 s each, nobody watches, the signer signs half of the time.
// - The goal is for an idle machine.
import { setTimeout } from 'node:timers/promises';
import { frameSizes } from '../../demo/sandbox/media/media-spec.ts';
import { startSandbox } from '../../demo/sandbox/index.ts';
import { VideoEncoder } from '../../demo/sandbox/media/video-encoder.ts';
import { ScenePainter } from '../../demo/sandbox/painter/scene-painter.ts';
import { idleScript, scriptOf } from '../../demo/sandbox/painter/script.ts';
import { ownBackplate } from '../../demo/sandbox/painter/render-style.ts';
import { V3Client } from '../sandbox/v3/socket.ts';

const SECONDS = 10;
const TEXT = 'The train to Leeds leaves from platform nine today';

/** Share of one core that this process spent while `work` ran. */
async function shareOf(work: () => Promise<unknown>): Promise<number> {
  const [before, started] = [process.cpuUsage(), performance.now()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / (performance.now() - started);
}

/** Share of one core that painting and encoding one stream would take in real time. */
function bareShare(resolution: keyof typeof frameSizes): number {
  const size = frameSizes[resolution];
  const painter = new ScenePainter(ownBackplate('RAE', size));
  const encoder = new VideoEncoder(size);
  const script = scriptOf(TEXT, SECONDS / 2);
  const before = process.cpuUsage();
  try {
    for (let frame = 0; frame < SECONDS * 25; frame++) {
      const signing = frame < script.gloss.frames;
      encoder.encode((picture) => painter.paint(picture, signing ? script : idleScript, frame));
    }
  } finally {
    encoder.close();
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6 / SECONDS;
}

async function streamsShare(resolution: keyof typeof frameSizes, streams: number): Promise<number> {
  const sandbox = await startSandbox({ render: { stamp: true } });
  try {
    const clients: V3Client[] = [];
    for (let i = 0; i < streams; i++) {
      const client = await new V3Client(sandbox.addresses.wsUrl).opened();
      client.start({ digital_signer: 'RAE', resolution }, 'stream');
      await client.next();
      clients.push(client);
    }
    // By then the threads are loaded and the encoders are open. Their cost is not that of a growing stream.
    await setTimeout(5000);
    const share = await shareOf(async () => {
      clients.forEach((client, i) => client.send({ type: 'text', id: `text-${i}`, data: TEXT }));
      await setTimeout(SECONDS * 1000);
    });
    for (const client of clients) client.send({ type: 'session.end' });
    await Promise.all(clients.map((client) => client.closed()));
    return share / streams;
  } finally {
    await sandbox.close();
  }
}

/** Prints the table. */
export async function benchLiveStreams(): Promise<void> {
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  const table: Record<string, Record<string, string>> = {};
  for (const resolution of ['720p', '1080p'] as const) {
    const bare = bareShare(resolution);
    table[`${resolution} painted and encoded, no service`] = {
      'of a core, each': percent(bare),
      ratio: '1.00',
      goal: '',
    };
    for (const streams of [1, 4]) {
      const share = await streamsShare(resolution, streams);
      table[`${resolution}, ${streams} growing`] = {
        'of a core, each': percent(share),
        ratio: (share / bare).toFixed(2),
        goal: resolution === '720p' ? '10 %' : '',
      };
    }
  }
  console.table(table);
}
